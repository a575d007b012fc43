// Firefox, by WebDriver BiDi. puppeteer-core speaks it and is kept by those who make it; it only
// connects here, because a process that it starts leaves the group that is ended with us.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import puppeteer, { type ElementHandle, type Browser as Connected, type Page } from 'puppeteer-core';
import { Child } from './child';
import { type Browser, type Device, type Engine, PHONE, type Role, type Tab, only } from './hand';
import { PRELOAD, REPORTS, type Reports } from './preload';
import { PageTab } from './tab';

const REPORT = 'Mooring reports: ';

/**
 * A report is written to the console, and comes whole and in its turn. The library's own way of calling
 * us asks the page for what it said: a page that has gone on by then has said nothing.
 */
const CHANNEL = `for (const to of ${JSON.stringify(REPORTS)}) {
  window[to] = (what) => console.debug(${JSON.stringify(REPORT)} + JSON.stringify({ to, what }));
}`;

const program = process.env.MOORING_FIREFOX ?? 'firefox-esr';

export class Firefox implements Engine {
  async start(device: Device): Promise<Browser> {
    mkdirSync(device.profile, { recursive: true });
    writeFileSync(join(device.profile, 'user.js'), preferences(device.proxy));
    const args = ['--headless', '--no-remote', '--profile', device.profile, '--remote-debugging-port=0', 'about:blank'];
    const child = Child.start(program, args, { HOME: device.profile, MOZ_CRASHREPORTER_DISABLE: '1' }, ['ignore', 'ignore', 'pipe']);
    const browser = await puppeteer.connect({
      browserWSEndpoint: `${await address(child)}/session`,
      protocol: 'webDriverBiDi',
      defaultViewport: PHONE,
    });
    return new FirefoxBrowser(child, browser, device);
  }

  async stop(): Promise<void> {}
}

function hear(text: string, { reports }: Device): void {
  if (text.startsWith(REPORT)) {
    const { to, what } = JSON.parse(text.slice(REPORT.length)) as { to: keyof Reports; what: never };
    reports[to](what);
  }
}

/** Everything goes through the proxy, loopback too; the rest is what Firefox itself advises for tests. */
function preferences(proxy: string): string {
  const { hostname, port } = new URL(proxy);
  const wanted = {
    'network.proxy.type': 1,
    'network.proxy.http': hostname,
    'network.proxy.http_port': Number(port),
    'network.proxy.ssl': hostname,
    'network.proxy.ssl_port': Number(port),
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'network.proxy.failover_direct': false,
    'intl.accept_languages': 'en-GB',
  };
  return Object.entries(wanted)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

async function address(child: Child): Promise<string> {
  const said: string[] = [];
  const errors = child.process.stderr;
  for await (const line of errors ? createInterface(errors) : []) {
    const found = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (found) {
      // What it says from now on is read by nobody, and must not fill the pipe.
      errors?.resume();
      return found;
    }
    said.push(line);
  }
  throw new Error(`Firefox did not start:\n${said.join('\n')}`);
}

class FirefoxBrowser implements Browser {
  constructor(
    private readonly child: Child,
    private readonly browser: Connected,
    private readonly device: Device,
  ) {}

  async newTab(): Promise<Tab> {
    const page = await this.browser.newPage();
    page.on('console', (message) => hear(message.text(), this.device));
    await page.evaluateOnNewDocument(CHANNEL + PRELOAD);
    return new FirefoxTab(page);
  }

  async end(): Promise<void> {
    await this.browser.close();
    await this.child.end(10_000);
  }
}

class FirefoxTab extends PageTab<Page, ElementHandle> {
  async press(role: Role, name: string): Promise<boolean> {
    const found = only(await this.all(role, name), role, name);
    if (!found || (await found.evaluate((control) => control.matches(':disabled') || getComputedStyle(control).pointerEvents === 'none'))) {
      return false;
    }
    await found.click();
    return true;
  }

  async type(label: string, text: string): Promise<boolean> {
    const field = await this.field(label);
    await field?.evaluate((field) => {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    });
    await field?.type(text);
    return field !== undefined;
  }

  async choose(label: string, option: string): Promise<boolean> {
    const field = only(await this.all('combobox', label), 'combobox', label);
    const value = await field?.evaluate(
      (select, option) => [...(select as HTMLSelectElement).options].find(({ text }) => text === option)?.value,
      option,
    );
    if (!field || value === undefined) {
      return false;
    }
    await field.select(value);
    return true;
  }

  async value(label: string): Promise<string | undefined> {
    return (await this.field(label))?.evaluate((field) => field.value);
  }

  /** A field for a passphrase has a name and no role: the standard gives it none. */
  private async field(label: string): Promise<ElementHandle<HTMLTextAreaElement> | undefined> {
    const found = only(await this.named(label, 'input, textarea'), 'textbox', label);
    return found as ElementHandle<HTMLTextAreaElement> | undefined;
  }

  /** By Firefox's own accessibility. */
  protected async all(role: Role, name: string): Promise<ElementHandle[]> {
    return role === 'disclosure'
      ? this.named(name, 'summary')
      : this.page.$$(`::-p-aria([name=${JSON.stringify(name)}][role="${role}"])`);
  }

  private async named(name: string, css: string): Promise<ElementHandle[]> {
    const named = await this.page.$$(`::-p-aria([name=${JSON.stringify(name)}])`);
    const fits = await Promise.all(named.map((it) => it.evaluate((it, css) => it.matches(css), css)));
    return named.filter((_, at) => fits[at]);
  }
}
