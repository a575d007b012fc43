// Every screen in every state, for those who listen, those who look and those who tap. A scene is reached
// once and then examined in all ways: getting there is what takes time.

import type { App } from '../fixtures/app';
import { SCENES } from '../fixtures/scene';
import { expect, test } from '../fixtures/story';
import { audit } from './examine/audit';
import { fits } from './examine/fits';
import { overlaps } from './examine/overlaps';
import { keptSnapshot } from './examine/snapshot';
import { standsStill } from './examine/still';
import { measureTargets } from './examine/targets';

const PHONE = { width: 360, height: 740 };
const LAPTOP = { width: 1280, height: 800 };

/** What a page knows only a moment later would be examined halfway. */
async function settled(phone: App, apart: boolean): Promise<void> {
  if (!apart) {
    await expect(phone.page.locator('html')).toHaveAttribute('data-kept', /./);
    await expect(phone.page.getByRole('banner')).toContainText('Up to date', { timeout: 30_000 });
  }
}

for (const { name, apart, go } of SCENES) {
  test(`scene: ${name}`, async ({ harbour }) => {
    const phone = await test.step('the way there', () => go(harbour));
    const { page } = phone;
    await settled(phone, apart ?? false);
    await keptSnapshot(page, name);
    for (const size of [PHONE, LAPTOP]) {
      await page.setViewportSize(size);
      await measureTargets(page);
      await overlaps(page, `${size.width} px`);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await audit(page, `${colorScheme}, ${size.width} px`);
      }
    }
    await standsStill(page);
    // 320 px is what a window of 1280 is at 400 %, 180 a phone of 360 at 200 %.
    for (const width of [1280, 360, 320, 180]) {
      await fits(page, { width, height: width < 360 ? 370 : 740 });
    }
  });
}
