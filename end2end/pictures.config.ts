// How the pictures are taken: as the stories are told, one after the other, on a phone and on a wide screen.

import { defineConfig } from '@playwright/test';
import stories from './playwright.config';

export default defineConfig({
  ...stories,
  testMatch: ['pictures/**/*.picture.ts'],
  workers: 1,
  fullyParallel: false,
  use: { ...stories.use, trace: 'off' },
  projects: [
    { name: 'phone' },
    { name: 'wide', use: { viewport: { width: 1280, height: 800 }, isMobile: false, hasTouch: false } },
  ],
});
