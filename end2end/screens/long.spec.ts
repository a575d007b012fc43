// Texts as they come: from right to left, and as long as they may be.

import { type Locator, expect as expectThat } from '@playwright/test';
import { RECORD } from '../fixtures/scenes/start';
import { expect, test } from '../fixtures/story';
import { fits } from './examine/fits';
import { measureTargets } from './examine/targets';

const ARABIC = 'ماذا يجب أن أحضر معي؟';
const NARROW = [360, 320, 180];

/** Where the words of an element stand in it: their first line ends at its right edge. */
async function readsFromTheRight(element: Locator): Promise<void> {
  const gaps = await element.evaluate((el) => {
    const words = document.createRange();
    words.selectNodeContents(el);
    // A line is in as many pieces as its scripts change.
    const pieces = [...words.getClientRects()];
    const line = pieces.filter(({ top }) => Math.abs(top - (pieces[0]?.top ?? 0)) < 8);
    const box = el.getBoundingClientRect();
    const edges = { left: Math.min(...line.map(({ left }) => left)), right: Math.max(...line.map(({ right }) => right)) };
    return line.length > 0 ? { left: edges.left - box.left, right: box.right - edges.right } : undefined;
  });
  expectThat(gaps?.left, 'room left of the words').toBeGreaterThan(gaps?.right ?? Infinity);
}

test('a question and a draft from right to left stand on the right, and nothing else turns round', async ({ phone }) => {
  await phone.start(RECORD, ARABIC);
  await phone.seeStatus('awaiting_review');
  await readsFromTheRight(phone.page.getByText(ARABIC, { exact: true }).first());
  await phone.edit(`${ARABIC}\nAn apron.`);
  await phone.seeStatus('awaiting_review', 'version 2');
  expect(await phone.draft.evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe('plaintext');
  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  await phone.link('Open in library').click();
  await readsFromTheRight(phone.page.getByText(ARABIC).last());
  for (const width of NARROW) {
    await fits(phone.page, { width, height: 740 });
  }
  expect(await phone.page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr');
});

test('a record of 64 kB and a draft of 20 kB: all of it can be read, and the next step stays within reach', async ({
  harbour,
}) => {
  const mooring = await harbour.mooring({ ownRecords: true });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await phone.open('/');
  await expect(phone.page.getByRole('option', { name: RECORD })).toBeAttached();
  const much = 'Clay has to rest before it is thrown. '.repeat(1_600);
  mooring.records?.change('wheel-throwing', (record) => ({ ...record, notes: `${much}${'x'.repeat(500)}` }));
  await phone.start(RECORD, 'What should I bring?');
  await phone.seeStatus('awaiting_review');
  await phone.edit(`An apron. ${'y'.repeat(400)} ${'A towel, and more. '.repeat(1_000)}`);
  await phone.seeStatus('awaiting_review', 'version 2');
  for (const width of [1280, ...NARROW]) {
    await fits(phone.page, { width, height: 740 });
  }
  await phone.page.setViewportSize({ width: 360, height: 740 });
  await measureTargets(phone.page);
  await expect(phone.button('Accept version 2')).toBeInViewport();
});
