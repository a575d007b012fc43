// How stories are told: on a phone, in the machine's own Chromium where there is one.

import { existsSync } from 'node:fs';
import { defineConfig } from '@playwright/test';

const chromium = [process.env.MOORING_CHROMIUM, '/usr/bin/chromium'].find((path) => path && existsSync(path));

export default defineConfig({
  testDir: '.',
  testMatch: ['stories/**/*.spec.ts', 'screens/**/*.spec.ts', 'regressions/**/*.spec.ts'],
  // Told by their own configuration, in three engines.
  testIgnore: ['engines/**'],
  outputDir: 'test-results',
  // A story that passes at the second try is a story about a race: it is shown, not tried again.
  retries: 0,
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Each wait within a story has a bound of its own; the whole may take long where much else is built.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    viewport: { width: 360, height: 740 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
    timezoneId: 'Europe/Lisbon',
    trace: 'retain-on-failure',
    launchOptions: {
      ...(chromium ? { executablePath: chromium } : {}),
      args: [
        '--no-sandbox',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
});
