// Whoever asks for less motion gets none.

import { type Page, expect } from '@playwright/test';

export async function standsStill(page: Page): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const moving = await page.evaluate(() =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .map(({ effect }) => (effect as KeyframeEffect | null)?.target?.outerHTML.slice(0, 120)),
  );
  expect.soft(moving, 'what moves').toEqual([]);
}
