// Several tabs of one browser: no effect twice, no text lost, none that starves the others.

import type { Page } from '@playwright/test';
import { expect, test } from '../fixtures/story';

const RECORD = 'Wheel throwing for beginners';

/** A headless browser shows all its tabs at once; a phone shows one. */
async function put(page: Page, visibility: 'visible' | 'hidden'): Promise<void> {
  await page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => state === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, visibility);
}

test('C8: seven tabs over HTTP/1.1: the seventh is there within 5 s and can save', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'How many tabs are too many?');
  await phone.seeStatus('awaiting_review');
  for (let tab = 2; tab <= 7; tab += 1) {
    await put(phone.page, 'hidden');
    await phone.openTab(`/tasks/${task}`);
    if (tab < 7) {
      await phone.seeStatus('awaiting_review');
    }
  }
  await expect(phone.status).toHaveAttribute('data-freshness', 'confirmed', { timeout: 5_000 });
  await phone.edit('Written in the seventh.');
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.reload();
  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  await harbour.ends(phone, { task, state: 'saved', version: 2, text: 'Written in the seventh.' });
});

test('C16: two tabs and one accept that waits, the network returns: once', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Who of us sends it?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.press('Accept version 1');
  await expect(phone.outbox).toContainText('Kept on this device');
  const first = phone.page;
  await phone.openTab(`/tasks/${task}`);
  await expect(phone.outbox).toContainText('Kept on this device');
  await first.reload();
  await expect(first.getByTestId('outbox')).toContainText('Kept on this device');

  phone.network.restore();
  await phone.seeStatus('saved', 'Saved');
  await phone.nothingWaits();
  await expect(first.getByTestId('outbox')).toHaveCount(0);
  await expect(first.getByRole('status')).toHaveAttribute('data-state', 'saved', { timeout: 30_000 });
  expect(phone.network.log.operations(task)).toHaveLength(2);
  await harbour.ends(phone, { task, state: 'saved' });
});
