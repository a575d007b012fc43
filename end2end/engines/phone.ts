// A phone in somebody's hand, as stories tell of it. The steps do not know which engine they drive;
// each waits until what it says is true, and no longer than somebody would.

import { expect } from '@playwright/test';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { type Learner, somebody } from '../fixtures/app';
import { Network } from '../fixtures/network';
import type { Mooring } from '../fixtures/program';
import { until } from '../fixtures/until';
import type { Watch } from '../fixtures/watch';
import { Witness } from './account';
import type { Browser, Device, Engine, Role, Tab } from './hand';
import { KEPT, STATUS, type Status, TEXT } from './look';

type Wanted = { state?: string; freshness?: string; version?: string; words?: readonly string[] };

export class Phone {
  private tabs: Tab[] = [];
  private at = 0;

  private constructor(
    private readonly engine: Engine,
    private readonly mooring: Mooring,
    private readonly watch: Watch,
    private readonly profile: string,
    private readonly network: Network,
    private browser: Browser,
  ) {}

  static async unpack(engine: Engine, mooring: Mooring, watch: Watch, base: string): Promise<Phone> {
    const profile = mkdtempSync(`${base}/profile-`);
    const network = await Network.open();
    const browser = await engine.start(device(profile, network, watch));
    const phone = new Phone(engine, mooring, watch, profile, network, browser);
    phone.tabs = [await browser.newTab()];
    return phone;
  }

  async putAway(): Promise<void> {
    await this.browser.end();
    this.network.close();
    await rm(this.profile, { recursive: true, force: true, maxRetries: 10 });
  }

  // Tabs.

  private get tab(): Tab {
    const tab = this.tabs[this.at];
    if (!tab) {
      throw new Error(`there is no tab ${this.at + 1}`);
    }
    return tab;
  }

  async open(path: string): Promise<void> {
    await this.tab.open(this.mooring.url + path);
  }

  async openElsewhere(url: string): Promise<void> {
    await this.tab.open(url);
  }

  async reload(): Promise<void> {
    await this.tab.reload();
  }

  async back(): Promise<void> {
    await this.tab.back();
  }

  /** Opens another tab, which is the one before the learner's eyes from now on. */
  async newTab(path: string): Promise<void> {
    this.tabs.push(await this.browser.newTab());
    this.at = this.tabs.length - 1;
    await this.open(path);
  }

  /** An empty one takes its place first: some browsers end with their last tab. */
  async closeTab(): Promise<void> {
    const closing = this.tab;
    this.tabs[this.at] = await this.browser.newTab();
    await closing.close();
  }

  /** Tabs are counted from 1, as they were opened. */
  async turnToTab(number: number): Promise<void> {
    this.at = number - 1;
    await this.tab.front();
  }

  /** The browser's process ends and another one begins, with the same profile and no tabs. */
  async restartBrowser(path: string): Promise<void> {
    await this.browser.end();
    this.browser = await this.engine.start(device(this.profile, this.network, this.watch));
    this.tabs = [await this.browser.newTab()];
    this.at = 0;
    await this.open(path);
  }

  // The network.

  cut(): void {
    this.network.cut();
  }

  restore(): void {
    this.network.restore();
  }

  // Hands.

  async press(role: Role, name: string): Promise<void> {
    await this.wait(`${role} "${name}" can be pressed`, () => this.tab.press(role, name));
  }

  async type(label: string, text: string): Promise<void> {
    await this.wait(`there is a field "${label}"`, () => this.tab.type(label, text));
  }

  async choose(label: string, option: string): Promise<void> {
    await this.wait(`"${label}" offers "${option}"`, () => this.tab.choose(label, option));
  }

  // Eyes.

  async status(): Promise<Status> {
    return this.tab.read<Status>(STATUS);
  }

  /** The status is this, now or soon; what is left out may be anything. */
  async seeStatus(wanted: Wanted): Promise<void> {
    const { words = [], ...rest } = wanted;
    await expect(async () => {
      const status = await this.status();
      expect(status).toMatchObject(rest);
      words.forEach((part) => expect(status.words).toContain(part));
    }).toPass({ timeout: 30_000, intervals: [50] });
  }

  async see(...parts: string[]): Promise<void> {
    await expect(async () => {
      const text = await this.text();
      parts.forEach((part) => expect(text).toContain(part));
    }).toPass({ timeout: 30_000, intervals: [50] });
  }

  /** All that can be read on the page. */
  async text(): Promise<string> {
    return this.tab.read<string>(TEXT);
  }

  async seeField(label: string, text: string): Promise<void> {
    await this.wait(`"${label}" holds the text`, async () => (await this.tab.value(label)) === text);
  }

  async field(label: string): Promise<string> {
    await this.wait(`there is a field "${label}"`, async () => (await this.tab.value(label)) !== undefined);
    return (await this.tab.value(label)) ?? '';
  }

  async seeControl(role: Role, name: string): Promise<void> {
    await this.wait(`there is ${role} "${name}"`, () => this.tab.has(role, name));
  }

  /** Everything that the browser keeps for this address. */
  async kept(): Promise<string> {
    return this.tab.read<string>(KEPT);
  }

  /** None of the traces is left, neither on the screen nor kept. */
  async seeNothingOf(traces: readonly string[]): Promise<void> {
    const all = `${await this.text()}\n${await this.kept()}`;
    expect(traces.filter((trace) => all.includes(trace))).toEqual([]);
  }

  // What is done again and again.

  async signUp(): Promise<Learner> {
    return this.giveNameAndPassphrase('/sign-up', 'Sign up', somebody());
  }

  async signIn(learner: Learner): Promise<void> {
    await this.giveNameAndPassphrase('/sign-in', 'Sign in', learner);
  }

  private async giveNameAndPassphrase(path: string, button: string, learner: Learner): Promise<Learner> {
    await this.open(path);
    await this.type('Name', learner.name);
    await this.type('Passphrase', learner.passphrase);
    await this.press('button', button);
    await this.seeControl('heading', 'Start a task');
    return learner;
  }

  /** Starts a task, waits for its first draft, and gives its ID. */
  async startTask(record: string, question: string): Promise<string> {
    await this.choose('Workshop record', record);
    await this.type('Question', question);
    await this.press('button', 'Start');
    await this.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', words: ['Awaiting review (version 1)'] });
    return (await this.tab.read<string>('location.pathname')).split('/').at(-1) ?? '';
  }

  async witness(learner: Learner): Promise<Witness> {
    return Witness.of(this.mooring.url, learner);
  }

  private async wait(what: string, fact: () => Promise<boolean>): Promise<void> {
    await until(what, fact, 30_000);
  }
}

function device(profile: string, network: Network, watch: Watch): Device {
  return {
    profile,
    proxy: network.proxy.server,
    reports: {
      mooringSaw: (seen) => watch.saw(seen),
      mooringRead: (line) => watch.read(line, network.log),
      mooringErred: (error) => watch.erred(error),
    },
  };
}
