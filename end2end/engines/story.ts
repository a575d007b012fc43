// What a story in any engine is given: a server, the engine of its project, and phones that are put
// away at the end. The same watch judges what was on their screens as in the other stories.

import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { Mooring } from '../fixtures/program';
import { Watch } from '../fixtures/watch';
import { Chromium } from './chromium';
import { Firefox } from './firefox';
import type { Engine } from './hand';
import { Phone } from './phone';
import { WebKit } from './webkit';

export { expect } from '@playwright/test';

export type EngineName = 'chromium' | 'webkit' | 'firefox';

const ENGINES: Record<EngineName, () => Engine> = {
  chromium: () => new Chromium(),
  webkit: () => new WebKit(),
  firefox: () => new Firefox(),
};

const profiles = process.env.MOORING_ENGINES_DATA ?? join(resolve(import.meta.dirname, '../..'), 'target/engines');

export type Harbour = {
  watch: Watch;
  /** Another phone, on a network of its own: nothing is shared but the server. */
  phone(mooring?: Mooring): Promise<Phone>;
  /** A server of the story's own, to be stopped. */
  mooring(): Promise<Mooring>;
};

type Own = { engineName: EngineName; engine: Engine; mooring: Mooring };

function kept<T>(among: T[], made: T): T {
  among.push(made);
  return made;
}

export const test = base.extend<{ harbour: Harbour; phone: Phone }, Own>({
  engineName: ['chromium', { option: true, scope: 'worker' }],

  engine: [
    async ({ engineName }, use) => {
      const engine = ENGINES[engineName]();
      await use(engine);
      await engine.stop();
    },
    { scope: 'worker' },
  ],

  mooring: [
    async ({}, use) => {
      const mooring = await Mooring.start();
      await use(mooring);
      await mooring.remove();
    },
    { scope: 'worker' },
  ],

  harbour: async ({ engine, mooring }, use, info) => {
    mkdirSync(profiles, { recursive: true });
    const watch = new Watch();
    const [phones, servers]: [Phone[], Mooring[]] = [[], []];
    await use({
      watch,
      phone: async (server = mooring) => kept(phones, await Phone.unpack(engine, server, watch, profiles)),
      mooring: async () => kept(servers, await Mooring.start()),
    });
    if (info.status !== info.expectedStatus) {
      const texts = await Promise.all(phones.map((phone) => phone.text().catch(String)));
      await info.attach('on the screens', { body: texts.join('\n\n----\n\n') });
    }
    await Promise.all(phones.map((phone) => phone.putAway()));
    await Promise.all(servers.map((server) => server.remove()));
    watch.judge();
  },

  phone: async ({ harbour }, use) => {
    await use(await harbour.phone());
  },
});
