// Mooring opens without a connection, once it has said that it can.

import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';
import type { Fault } from '../fixtures/network';

const READY = 'Ready without a connection';

/** A task in review, its page open, and everything kept. */
async function ready(phone: App, question: string): Promise<string> {
  const task = await phone.start('Wheel throwing for beginners', question);
  await phone.seeStatus('awaiting_review', 'version 1');
  await phone.open('/');
  await expect(phone.page.getByText(READY)).toBeVisible();
  await phone.open(`/tasks/${task}`);
  await phone.seeStatus('awaiting_review', 'version 1');
  return task;
}

async function seeLastKnown(phone: App, words: RegExp): Promise<void> {
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.status).toContainText(words);
  await expect(phone.status).not.toHaveAttribute('data-freshness', 'confirmed');
}

test('C35: a first visit, then no network: the page and the task are there, and what is written goes out later', async ({ harbour }) => {
  const phone = await harbour.device();
  await phone.signUp();
  const task = await ready(phone, 'What should I bring?');
  const text = `${await phone.draftText()}\n\nWritten on the train.`;

  phone.network.cut();
  await phone.reopen();
  await seeLastKnown(phone, /last known: awaiting review/i);
  await phone.edit(text);
  await expect(phone.page.getByTestId('outbox')).toContainText('Kept on this device');
  await phone.page.reload();
  await seeLastKnown(phone, /last known: awaiting review/i);
  await expect(phone.page.getByTestId('outbox')).toContainText('Kept on this device');
  await expect(phone.draft).toHaveValue(text);

  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

const DEAD: Fault[] = [
  { kind: 'refuse' },
  { kind: 'blackhole' },
  { kind: 'answer', status: 200, body: '<!DOCTYPE html><h1>Welcome to the hotel</h1>' },
  { kind: 'answer', status: 503, body: '<h1>Bad gateway</h1>' },
];

for (const fault of DEAD) {
  const how = fault.kind === 'answer' ? `that answers ${fault.status} with a page` : `that is dead (${fault.kind})`;
  test(`C6: on a network ${how}, the last known task is there within two seconds`, async ({ harbour, phone }) => {
    const task = await ready(phone, `What does it cost, ${how}?`);

    phone.network.fail(fault);
    await phone.reopen();
    // By the page's own clock, from the navigation on, as the learner waits.
    await expect(phone.status).toContainText(/last known: awaiting review/i);
    const waited = await phone.page.evaluate(() => performance.now());
    expect(waited).toBeLessThan(2_000);
    await seeLastKnown(phone, /last known: awaiting review/i);
    await expect(phone.page.getByText('Welcome to the hotel')).toHaveCount(0);
    await phone.page.reload();
    await seeLastKnown(phone, /last known: awaiting review/i);

    phone.network.restore();
    await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
    await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
  });
}

test('a portal in the middle of the first visit: nothing is claimed until all of it is there, and nothing foreign is kept', async ({ harbour }) => {
  const phone = await harbour.device();
  phone.network.fail({ kind: 'answer', status: 200, body: '<h1>Welcome to the hotel</h1>', only: 'icon-512' });
  await phone.signUp();
  const task = await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review');
  await phone.open('/');
  await expect(phone.heading('Start a task')).toBeVisible();
  await expect.poll(() => phone.page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.active ?? null)).toBeNull();
  await expect(phone.page.getByText(READY)).toHaveCount(0);

  phone.network.restore();
  await phone.page.reload();
  await expect(phone.page.getByText(READY)).toBeVisible();
  const foreign = await phone.page.evaluate(async () => {
    const names = await caches.keys();
    const texts = names.map(async (name) => {
      const cache = await caches.open(name);
      const answers = await Promise.all((await cache.keys()).map((key) => cache.match(key)));
      return Promise.all(answers.map(async (answer) => (await answer?.text()) ?? ''));
    });
    return (await Promise.all(texts)).flat().filter((text) => text.includes('Welcome to the hotel')).length;
  });
  expect(foreign).toBe(0);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});

const WITHOUT: [string, () => void][] = [
  [
    'are missing',
    () => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
    },
  ],
  [
    'are refused',
    () => {
      ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('refused', 'SecurityError'));
    },
  ],
];

for (const [how, takeAway] of WITHOUT) {
  test(`where service workers ${how}, everything works and nothing is claimed`, async ({ harbour }) => {
    const phone = await harbour.device();
    await phone.context.addInitScript(takeAway);
    await phone.signUp();
    const task = await phone.start('Bookbinding: your first sewn book', 'What should I bring?');
    await phone.seeStatus('awaiting_review', 'version 1');
    await phone.page.reload();
    await phone.press('Accept version 1');
    await phone.seeStatus('saved', 'Saved');
    await phone.open('/about');
    await expect(phone.page.getByText('opening Mooring needs a connection')).toBeVisible();
    await phone.open('/');
    await expect(phone.heading('Start a task')).toBeVisible();
    await expect(phone.page.getByText(READY)).toHaveCount(0);
    await harbour.ends(phone, { task, state: 'saved', version: 1 });
  });
}
