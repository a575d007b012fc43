// WebKit, by WebDriver: Debian's WebKitGTK, whose driver starts a window of ours around it.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../fixtures/program';
import { until } from '../fixtures/until';
import { Child, Guest } from './child';
import { type Browser, type Device, type Engine, type Role, type Tab, only } from './hand';
import { PRELOAD, REPORTS } from './preload';
import { Screen } from './webkit/screen';
import { type Element, Refused, Session } from './webkit/wire';

/** What can have the role at all; which of them has it, and by which name, WebKit says. */
const CANDIDATES: Record<Role, string> = {
  button: 'button, [role=button], summary',
  link: 'a[href]',
  heading: 'h1, h2, h3, h4',
  textbox: 'input, textarea',
  combobox: 'select',
  disclosure: 'summary',
};

/** Where WebKit's role is not the standard's. */
const ROLES: Partial<Record<Role, string>> = {
  // A list that opens when it is pressed.
  combobox: 'button',
  disclosure: '',
};

/** The page's reports reach the window through WebKit's own channel. */
const CHANNEL = `for (const to of ${JSON.stringify(REPORTS)}) {
  window[to] = (what) => window.webkit.messageHandlers[to].postMessage(JSON.stringify(what));
}`;

export class WebKit implements Engine {
  private screen: Screen | undefined;

  async start(device: Device): Promise<Browser> {
    this.screen ??= await Screen.open();
    mkdirSync(device.profile, { recursive: true });
    const port = await freePort();
    const child = Child.start('WebKitWebDriver', [`--port=${port}`], this.environment(device.profile), ['ignore', 'pipe', 'ignore']);
    const window = new Promise<number>((started) => listen(child, device, started));
    const driver = `http://127.0.0.1:${port}`;
    await until('WebKitWebDriver listens', async () => {
      if (child.over) {
        throw new Error('WebKitWebDriver ended at once');
      }
      return (await fetch(`${driver}/status`)).ok;
    });
    const args = [join(import.meta.dirname, 'webkit/window.js'), device.profile, device.proxy, CHANNEL + PRELOAD];
    const session = await Session.open(driver, {
      alwaysMatch: { 'webkitgtk:browserOptions': { binary: '/usr/bin/gjs', args } },
    });
    return new WebKitBrowser(child, new Guest(await window), session);
  }

  async stop(): Promise<void> {
    await this.screen?.close();
  }

  private environment(profile: string): NodeJS.ProcessEnv {
    return {
      DISPLAY: this.screen?.display,
      GDK_BACKEND: 'x11',
      // Nothing of the person's own settings, and nothing left among them.
      HOME: profile,
      XDG_CONFIG_HOME: profile,
      XDG_CACHE_HOME: profile,
      XDG_DATA_HOME: profile,
      NO_AT_BRIDGE: '1',
      LIBGL_ALWAYS_SOFTWARE: '1',
      MESA_SHADER_CACHE_DISABLE: 'true',
    };
  }
}

/** The window's standard output is its driver's. */
function listen(child: Child, device: Device, started: (pid: number) => void): void {
  const heard: Record<string, (said: never) => void> = { started, ...device.reports };
  if (child.process.stdout) {
    createInterface(child.process.stdout).on('line', (line) => {
      if (line.startsWith('{"report"')) {
        const { report, said } = JSON.parse(line) as { report: string; said: never };
        heard[report]?.(said);
      }
    });
  }
}

class WebKitBrowser implements Browser {
  private first = true;

  constructor(
    private readonly driver: Child,
    private readonly window: Guest,
    private readonly session: Session,
  ) {}

  async newTab(): Promise<Tab> {
    if (this.first) {
      this.first = false;
      return new WebKitTab(this.session, await this.session.ask('/window'));
    }
    const { handle } = await this.session.tell<{ handle: string }>('/window/new', { type: 'tab' });
    return new WebKitTab(this.session, handle);
  }

  async end(): Promise<void> {
    await this.session.remove('');
    await this.window.end();
    await this.driver.end();
  }
}

class WebKitTab implements Tab {
  constructor(
    private readonly session: Session,
    private readonly handle: string,
  ) {}

  async open(url: string): Promise<void> {
    await this.front();
    await this.session.tell('/url', { url });
  }

  async reload(): Promise<void> {
    await this.front();
    await this.session.tell('/refresh');
  }

  async back(): Promise<void> {
    await this.front();
    await this.session.tell('/back');
  }

  async front(): Promise<void> {
    await this.session.tell('/window', { handle: this.handle });
  }

  async close(): Promise<void> {
    await this.front();
    await this.session.remove('/window');
  }

  async has(role: Role, name: string): Promise<boolean> {
    return (await this.all(role, name)).length > 0;
  }

  async press(role: Role, name: string): Promise<boolean> {
    const found = only(await this.all(role, name), role, name);
    return (
      found !== undefined &&
      this.unlessGone(async () => {
        if (await this.session.run<boolean>('return arguments[0].matches(":disabled") || getComputedStyle(arguments[0]).pointerEvents === "none"', found)) {
          return false;
        }
        // Out from under the bar at the bottom, where a click would go to the bar.
        await this.session.run('arguments[0].scrollIntoView({ block: "center", behavior: "instant" })', found);
        await this.session.act(found, 'click');
        return true;
      }, false)
    );
  }

  async type(label: string, text: string): Promise<boolean> {
    const field = only(await this.all('textbox', label), 'textbox', label);
    return (
      field !== undefined &&
      this.unlessGone(async () => {
        await this.session.run(
          'const [field] = arguments; field.scrollIntoView({ block: "center", behavior: "instant" }); field.focus(); field.setSelectionRange(field.value.length, field.value.length)',
          field,
        );
        await this.session.act(field, 'value', { text });
        return true;
      }, false)
    );
  }

  async choose(label: string, option: string): Promise<boolean> {
    const field = only(await this.all('combobox', label), 'combobox', label);
    return (
      field !== undefined &&
      this.unlessGone(async () => {
        const wanted = await this.session.run<Element | null>(
          'const [field, option] = arguments; return [...field.options].find(({ text }) => text === option) ?? null',
          field,
          option,
        );
        if (wanted) {
          await this.session.act(wanted, 'click');
        }
        return wanted !== null;
      }, false)
    );
  }

  async value(label: string): Promise<string | undefined> {
    const field = only(await this.all('textbox', label), 'textbox', label);
    return field && this.unlessGone(() => this.session.run<string | undefined>('return arguments[0].value', field), undefined);
  }

  async read<T>(expression: string): Promise<T> {
    await this.front();
    const script = `const done = arguments[0]; Promise.resolve(${expression}).then(done)`;
    return this.session.tell<T>('/execute/async', { script, args: [] });
  }

  /** By WebKit's own accessibility. */
  private async all(role: Role, name: string): Promise<Element[]> {
    await this.front();
    const found: Element[] = [];
    // Also the looking itself fails where the page is drawn anew beneath it.
    for (const element of await this.unlessGone(() => this.session.find(CANDIDATES[role]), [])) {
      const fits = await this.unlessGone(
        async () =>
          (await this.session.about(element, 'computedlabel')) === name &&
          [ROLES[role], role].includes(await this.session.about(element, 'computedrole')),
        false,
      );
      if (fits) {
        found.push(element);
      }
    }
    return found;
  }

  /** What the page has drawn anew in the meantime is looked for again. */
  private async unlessGone<T>(act: () => Promise<T>, gone: T): Promise<T> {
    return act().catch((error: unknown) => {
      if (error instanceof Refused && ['stale element reference', 'no such element', 'element click intercepted'].includes(error.code)) {
        return gone;
      }
      throw error;
    });
  }
}
