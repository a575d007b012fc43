// How the client is measured: as in the stories, one thing at a time, with time to wait.

import { defineConfig } from '@playwright/test';
import stories from './playwright.config';

export default defineConfig({
  ...stories,
  testMatch: ['bench/**/*.bench.ts'],
  workers: 1,
  fullyParallel: false,
  timeout: 900_000,
  use: { ...stories.use, trace: 'off' },
});
