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

test('C26: two tabs with different texts that were not sent: a notice in both, and both can be had', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Which of my texts?');
  await phone.seeStatus('awaiting_review');
  const first = phone.page;
  await phone.openTab(`/tasks/${task}`);
  await phone.seeStatus('awaiting_review');
  await first.getByRole('textbox', { name: 'Draft' }).fill('Typed in the first tab.');
  await phone.draft.fill('Typed in the second tab.');
  const notice = /^Another text of this draft is kept on this device/;
  await expect(first.getByText(notice)).toBeVisible();
  await expect(phone.page.getByText(notice)).toBeVisible();

  await phone.loseNetwork();
  await first.close();
  await phone.reload();
  await expect(phone.draft).toHaveValue('Typed in the second tab.');
  await expect(phone.page.getByText(notice)).toBeVisible();
  await phone.page.getByText('Show the text').click();
  await expect(phone.page.getByText('Typed in the first tab.')).toBeVisible();
  await phone.press('Use this text');
  await expect(phone.draft).toHaveValue('Typed in the first tab.');
  await phone.press('Save edit');
  await phone.press('Use this text');
  await expect(phone.draft).toHaveValue('Typed in the second tab.');
  await phone.press('Save edit');
  await expect(phone.page.getByText(notice)).toHaveCount(0);

  phone.network.restore();
  await phone.nothingWaits();
  const also = ['Typed in the first tab.'];
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text: 'Typed in the second tab.', also });
});

test('C39: the tab that sends is frozen: another one sends within 30 s', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Who has the turn?');
  await phone.seeStatus('awaiting_review');
  const holder = phone.page;
  await phone.openTab(`/tasks/${task}`);
  await phone.seeStatus('awaiting_review');
  // What the first one sends is swallowed; before its deadline it is frozen, and keeps its turn.
  phone.network.fail({ kind: 'blackhole', only: '/tasks/edit', times: 1 });
  await holder.getByRole('textbox', { name: 'Draft' }).fill('Sent by another tab.');
  await holder.getByRole('button', { name: 'Save edit', exact: true }).click();
  await expect.poll(() => phone.network.log.to('/tasks/edit').length).toBe(1);
  await holder.evaluate(() => {
    const beats = [performance.now()];
    setInterval(() => beats.push(performance.now()), 250);
    Object.assign(window, { beats });
  });
  await put(holder, 'hidden');
  await holder.evaluate(() => document.dispatchEvent(new Event('freeze')));
  // Chromium freezes hidden tabs only, and has none without a head: the debugger stops this one where it stands.
  const debug = await phone.context.newCDPSession(holder);
  const stopped = new Promise((resolve) => debug.once('Debugger.paused', resolve));
  await debug.send('Debugger.enable');
  await debug.send('Debugger.pause');
  await stopped;
  await expect(phone.outbox).toBeVisible();
  await phone.reload();
  await phone.nothingWaits(30_000);
  await phone.seeStatus('awaiting_review', 'version 2');
  expect(phone.network.log.to('/tasks/edit').at(-1)).toMatchObject({ status: 200, answered: true });

  await debug.send('Debugger.resume');
  await debug.detach();
  await holder.evaluate(() => document.dispatchEvent(new Event('resume')));
  await put(holder, 'visible');
  const stoodStill = await holder.evaluate(() => {
    const { beats } = window as unknown as { beats: number[] };
    return Math.max(...[...beats, performance.now()].map((at, n) => at - (beats[n - 1] ?? at)));
  });
  expect(stoodStill, 'milliseconds for which it was frozen').toBeGreaterThan(3_000);
  await expect(holder.getByTestId('outbox')).toHaveCount(0, { timeout: 30_000 });
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Sent by another tab.' });
});
