// The main stories, from one text, in three engines: a project for each. `MOORING_ENGINES` names
// those that can be had on this machine; without it, all must be there.

import { defineConfig } from '@playwright/test';
import type { EngineName } from './story';

const ALL: EngineName[] = ['chromium', 'webkit', 'firefox'];
const wanted = process.env.MOORING_ENGINES?.split(',') ?? ALL;

export default defineConfig<{}, { engineName: EngineName }>({
  testDir: '.',
  outputDir: '../test-results-engines',
  retries: 0,
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Three times what the longest takes on a busy machine: a browser is started up to four times in one.
  timeout: 240_000,
  reporter: 'list',
  projects: ALL.filter((name) => wanted.includes(name)).map((engineName) => ({
    name: engineName,
    use: { engineName },
    // Chromium runs the contract by its own driver, in another part of the tests.
    testIgnore: engineName === 'chromium' ? 'contract/**' : [],
  })),
});
