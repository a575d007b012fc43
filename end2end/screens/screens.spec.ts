// Every screen, for those who listen and for those who look: no violations that axe can find, on a
// phone and on a wide screen, light and dark.

import AxeBuilder from '@axe-core/playwright';
import { type App } from '../fixtures/app';
import { expect, test } from '../fixtures/story';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

async function audit(app: App, screen: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const size of SIZES) {
      await app.page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await app.page.setViewportSize(size);
      const { violations } = await new AxeBuilder({ page: app.page }).analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' | ')}`);
      expect(found, `${screen}, ${colorScheme}, ${size.width} px`).toEqual([]);
      const width = await app.page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, `${screen} fits into ${size.width} px`).toBeLessThanOrEqual(size.width);
    }
  }
}

test('screens for those who are not signed in', async ({ harbour }) => {
  const phone = await harbour.device();
  await phone.open('/sign-in');
  await expect(phone.button('Sign in')).toBeVisible();
  await audit(phone, 'sign in');
  await phone.open('/sign-up');
  await expect(phone.button('Sign up')).toBeVisible();
  await audit(phone, 'sign up');
  await phone.open('/about');
  await expect(phone.page.getByRole('heading').first()).toBeVisible();
  await audit(phone, 'about');
  await phone.open('/nowhere');
  await expect(phone.heading('Nothing is here')).toBeVisible();
  await audit(phone, 'an address that leads nowhere');
});

test('screens of a task, from start to library', async ({ phone }) => {
  await audit(phone, 'start');
  await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review');
  await audit(phone, 'review');
  await phone.page.setViewportSize(SIZES[0]!);
  await phone.press('Accept version 1');
  await phone.seeStatus('saved');
  await phone.page.getByText('What happened', { exact: true }).click();
  await expect(phone.page.getByText('Saved to your library (version 1)').first()).toBeVisible();
  await phone.page.getByText('The full log', { exact: true }).click();
  await audit(phone, 'saved, with all that happened');
  await phone.open('/tasks');
  await expect(phone.link(/Wheel throwing for beginners/)).toBeVisible();
  await audit(phone, 'tasks');
  await phone.open('/library');
  await phone.link(/Wheel throwing for beginners/).click();
  await expect(phone.page.getByText('What should I bring?').or(phone.page.getByText('apron')).first()).toBeVisible();
  await audit(phone, 'library entry');
});
