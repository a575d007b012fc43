// What a tab does in the same words whichever library drives it: Playwright's pages and puppeteer's agree in these.

import type { Role, Tab } from './hand';

type Driven = {
  goto(url: string): Promise<unknown>;
  reload(): Promise<unknown>;
  goBack(): Promise<unknown>;
  bringToFront(): Promise<void>;
  close(): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
};

export abstract class PageTab<P extends Driven, Found> implements Tab {
  constructor(protected readonly page: P) {}

  async open(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async reload(): Promise<void> {
    await this.page.reload();
  }

  async back(): Promise<void> {
    await this.page.goBack();
  }

  async front(): Promise<void> {
    await this.page.bringToFront();
  }

  async close(): Promise<void> {
    await this.page.close();
  }

  async has(role: Role, name: string): Promise<boolean> {
    return (await this.all(role, name)).length > 0;
  }

  async read<T>(expression: string): Promise<T> {
    return (await this.page.evaluate(expression)) as T;
  }

  abstract press(role: Role, name: string): Promise<boolean>;
  abstract type(label: string, text: string): Promise<boolean>;
  abstract choose(label: string, option: string): Promise<boolean>;
  abstract value(label: string): Promise<string | undefined>;

  /** All that there are now, by the browser's own accessibility. */
  protected abstract all(role: Role, name: string): Promise<Found[]>;
}
