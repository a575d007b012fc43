// What is saved is the learner's to take along: read, copied, downloaded, shared.

import { readFileSync } from 'node:fs';
import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';

const RECORD = 'Sourdough: from starter to loaf';
const QUESTION = 'Do I need a starter?';

/** As people say it; "yesterday" where midnight came between. */
const WHEN = /^Version 1, saved (today|yesterday) at \d/;

type Shared = { title: string; text: string };

/** A saved explanation, and its text. */
async function saved(phone: App): Promise<string> {
  await phone.start(RECORD, QUESTION);
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = await phone.draftText();
  await phone.press('Accept version 1');
  await phone.seeStatus('saved');
  return text;
}

test('an entry shows its record and its question, and is copied and downloaded as it was saved', async ({ phone }) => {
  const text = await saved(phone);
  await phone.open('/library');
  const entry = phone.link(new RegExp(RECORD));
  await expect(entry).toContainText(QUESTION);
  // Opened by their addresses, neither page has heard the server's time from a task.
  await expect(entry.getByText(WHEN)).toBeVisible();
  await entry.click();
  await expect(phone.heading(RECORD)).toBeVisible();
  await phone.page.reload();
  await expect(phone.page.getByText(WHEN)).toBeVisible();
  await expect(phone.page.getByText(QUESTION, { exact: true })).toBeVisible();
  await expect(phone.link('Open the task')).toBeVisible();

  await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await phone.press('Copy the text');
  await expect(phone.button('Copied.')).toBeVisible();
  expect(await phone.page.evaluate(() => navigator.clipboard.readText())).toBe(text);

  const downloading = phone.page.waitForEvent('download');
  await phone.link('Download').click();
  const file = await downloading;
  expect(file.suggestedFilename()).toBe('Sourdough from starter to loaf.txt');
  const read = readFileSync(await file.path(), 'utf8');
  expect(read.startsWith(`${RECORD}\nYou asked: ${QUESTION}\n\n${text}\n`)).toBe(true);
});

test('what was accepted without a network waits, and is in the library once the server has it', async ({ phone }) => {
  await phone.start(RECORD, QUESTION);
  await phone.seeStatus('awaiting_review', 'version 1');
  await phone.loseNetwork();
  await expect(phone.status).toContainText('Status unknown');
  await phone.press('Accept version 1');
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('Library').click();
  const waits = phone.page.getByText('What you accepted waits on this device.');
  await expect(waits).toBeVisible();
  await expect(phone.link(new RegExp(RECORD))).toHaveCount(0);

  phone.network.restore();
  await expect(phone.link(new RegExp(RECORD))).toBeVisible();
  await expect(waits).toHaveCount(0);
});

test('an accept that is refused when the network is back is told in the library and at the start, and leads to its task', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, QUESTION);
  await phone.seeStatus('awaiting_review', 'version 1');
  const laptop = await harbour.device(phone.mooring);
  await laptop.signIn(phone.learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review', 'version 1');
  await phone.loseNetwork();
  await phone.press('Accept version 1');
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('Library').click();
  await expect(phone.page.getByText('What you accepted waits on this device.')).toBeVisible();
  await laptop.edit('Written meanwhile.');
  await laptop.seeVersion(2);

  phone.network.restore();
  await expect(phone.page.getByText('Something that you accepted was not saved.')).toBeVisible();
  // From there, and from the list on the start page.
  for (const place of ['/library', '/']) {
    await phone.open(place);
    await phone.link('Open the task').click();
    await expect(phone.page).toHaveURL(new RegExp(`/tasks/${task}$`));
  }
  await expect(phone.page.getByText('Version 1 was not accepted').first()).toBeVisible();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Written meanwhile.' });
});

test('where the system has a sheet, an entry is shared through it; elsewhere no button promises one', async ({ harbour }) => {
  const phone = await harbour.device();
  await phone.context.addInitScript(() => {
    const shared: unknown[] = [];
    Object.assign(window, { shared });
    Object.defineProperty(Navigator.prototype, 'share', {
      configurable: true,
      value: async (what: unknown) => void shared.push(what),
    });
  });
  const learner = await phone.signUp();
  const text = await saved(phone);
  await phone.open('/library');
  await phone.link(new RegExp(RECORD)).click();
  await phone.press('Share');
  const shared = (): Promise<Shared[]> => phone.page.evaluate(() => (window as unknown as { shared: Shared[] }).shared);
  await expect.poll(shared).toEqual([{ title: RECORD, text }]);

  const other = await harbour.device();
  await other.context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'share');
  });
  await other.signIn(learner);
  await other.open('/library');
  await other.link(new RegExp(RECORD)).click();
  await expect(other.button('Copy the text')).toBeVisible();
  await expect(other.button('Share')).toHaveCount(0);
});

test('the address of an entry opens it, after signing in where that is needed', async ({ harbour, phone }) => {
  await saved(phone);
  await phone.open('/library');
  await phone.link(new RegExp(RECORD)).click();
  await expect(phone.heading(RECORD)).toBeVisible();
  const path = new URL(phone.page.url()).pathname;

  const other = await harbour.device();
  await other.open(path);
  await other.page.getByLabel('Name').fill(phone.learner.name);
  await other.page.getByLabel('Passphrase').fill(phone.learner.passphrase);
  await other.press('Sign in');
  await expect(other.heading(RECORD)).toBeVisible();
  expect(new URL(other.page.url()).pathname).toBe(path);
});
