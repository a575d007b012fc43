// Chromium, by Playwright.

import { existsSync } from 'node:fs';
import { type BrowserContext, type Locator, type Page, chromium } from '@playwright/test';
import { type Browser, type Device, type Engine, PHONE, type Role, type Tab, only } from './hand';
import { PRELOAD, REPORTS } from './preload';
import { PageTab } from './tab';

const executable = [process.env.MOORING_CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path));

export class Chromium implements Engine {
  async start(device: Device): Promise<Browser> {
    const context = await chromium.launchPersistentContext(device.profile, {
      ...(executable ? { executablePath: executable } : {}),
      args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      // Without the exception that it makes for this machine.
      proxy: { server: device.proxy, bypass: '<-loopback>' },
      viewport: PHONE,
      isMobile: true,
      hasTouch: true,
      locale: 'en-GB',
    });
    for (const report of REPORTS) {
      await context.exposeFunction(report, device.reports[report]);
    }
    await context.addInitScript(PRELOAD);
    return new ChromiumBrowser(context);
  }

  async stop(): Promise<void> {}
}

class ChromiumBrowser implements Browser {
  constructor(private readonly context: BrowserContext) {}

  async newTab(): Promise<Tab> {
    return new ChromiumTab(await this.context.newPage());
  }

  async end(): Promise<void> {
    await this.context.close();
  }
}

class ChromiumTab extends PageTab<Page, Locator> {
  async press(role: Role, name: string): Promise<boolean> {
    const found = only(await this.all(role, name), role, name);
    if (await found?.isDisabled()) {
      return false;
    }
    await found?.tap();
    return found !== undefined;
  }

  async type(label: string, text: string): Promise<boolean> {
    const field = only(await this.page.getByLabel(label, { exact: true }).all(), 'textbox', label);
    await field?.focus();
    await field?.press('ControlOrMeta+End');
    await field?.pressSequentially(text);
    return field !== undefined;
  }

  async choose(label: string, option: string): Promise<boolean> {
    const field = only(await this.page.getByLabel(label, { exact: true }).all(), 'combobox', label);
    const offered = await field?.evaluate(
      (select, option) => [...(select as HTMLSelectElement).options].some(({ text }) => text === option),
      option,
    );
    if (!field || !offered) {
      return false;
    }
    await field.selectOption({ label: option });
    return true;
  }

  async value(label: string): Promise<string | undefined> {
    return only(await this.page.getByLabel(label, { exact: true }).all(), 'textbox', label)?.inputValue();
  }

  protected async all(role: Role, name: string): Promise<Locator[]> {
    const found =
      role === 'disclosure'
        ? this.page.locator('summary').and(this.page.getByLabel(name, { exact: true }))
        : this.page.getByRole(role, { name, exact: true });
    return found.all();
  }
}
