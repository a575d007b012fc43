// The pictures of the README: six scenes, light and dark, on a phone and on a wide screen. Beside them is
// noted what each scene told at that time, so that a picture of what is no more can be found out
// (`screens/pictures.spec.ts`).

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { SHOWN, folder, noteOf, told } from '../fixtures/pictures';
import { scene } from '../fixtures/scene';
import { expect, test } from '../fixtures/story';

/** In a README a phone stands beside others, and a wide screen has the width of the text. */
const SCALE: Record<string, number> = { phone: 1.25, wide: 0.75 };

/** WebP, which Playwright does not offer: half the size of what it does. */
async function picture(page: Page, scale: number): Promise<Buffer> {
  const browser = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...(page.viewportSize() ?? { width: 0, height: 0 }), scale };
  const { data } = await browser.send('Page.captureScreenshot', { format: 'webp', quality: 34, clip });
  await browser.detach();
  return Buffer.from(data, 'base64');
}

/** Every picture is of the same morning: only times of this very hour are of the run and not of the record. */
async function setClocks(page: Page): Promise<void> {
  await page.evaluate(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walk.nextNode(); text; text = walk.nextNode()) {
      text.nodeValue = (text.nodeValue ?? '').replace(/\b(\d{1,2}):(\d{2})\b/g, (time, hours: string, minutes: string) => {
        const then = new Date();
        then.setHours(Number(hours), Number(minutes));
        return Math.abs(Date.now() - then.getTime()) < 600_000 ? '10:42' : time;
      });
    }
  });
}

for (const name of SHOWN) {
  test(name, async ({ harbour }, { project }) => {
    const { go, apart } = scene(name);
    const phone = await go(harbour);
    const { page } = phone;
    if (!apart) {
      await expect(page.getByRole('banner')).toContainText('Up to date');
    }
    await page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
    mkdirSync(folder, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await setClocks(page);
      writeFileSync(join(folder, `${name}-${project.name}-${colorScheme}.webp`), await picture(page, SCALE[project.name] ?? 1));
    }
    writeFileSync(noteOf(name), told(name));
  });
}
