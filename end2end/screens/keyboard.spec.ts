// The whole journey by keyboard alone: nothing needs a pointer, nothing holds the focus fast, and nothing
// loses it.

import { type Page } from '@playwright/test';
import { somebody } from '../fixtures/app';
import { Keys } from '../fixtures/keys';
import { RECORD } from '../fixtures/scenes/start';
import { reviewed } from '../fixtures/scenes/task';
import { expect, test } from '../fixtures/story';

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });

test('a learner signs up, asks, edits, saves, accepts, reads and leaves without a pointer', async ({ harbour }) => {
  const phone = await harbour.device();
  const { page } = phone;
  const keys = new Keys(page);
  const somebodyNew = somebody();

  await phone.open('/sign-in');
  await keys.activate(page.getByRole('main').getByRole('link', { name: 'Sign up' }));
  await expect(heading(page, 'Sign up')).toBeFocused();
  await keys.to(page.getByLabel('Name'));
  await keys.type(somebodyNew.name);
  await keys.to(page.getByLabel('Passphrase'));
  await keys.type(somebodyNew.passphrase);
  await keys.press('Enter');
  await expect(heading(page, 'Start a task')).toBeFocused();

  await expect(page.getByRole('option', { name: RECORD })).toBeAttached();
  await keys.to(page.getByLabel('Workshop record'));
  await keys.type(RECORD.slice(0, 5));
  await page.keyboard.type(RECORD.slice(0, 5));
  await expect(page.getByLabel('Workshop record')).toHaveValue('wheel-throwing');
  await keys.to(page.getByLabel('Question'));
  await keys.type('What should I bring?');
  await keys.activate(phone.button('Start'));
  await expect(page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  await keys.isSomewhere('Start');
  await phone.seeStatus('awaiting_review', 'version 1');
  await keys.isSomewhere('the draft has come');

  await keys.to(phone.draft);
  await keys.press('Control+End');
  await keys.type('\n\nI will bring my own towel.');
  await keys.activate(phone.button('Save edit'));
  await phone.seeStatus('awaiting_review', 'version 2');
  await expect(phone.button('Save edit'), 'it cannot be pressed now, and the focus stays on it').toBeFocused();

  await keys.to(page.getByRole('group', { name: 'Versions' }).getByRole('button').first(), 'Shift+Tab');
  await keys.press('Enter');
  await expect(phone.draft).toBeHidden();
  await keys.isSomewhere('an earlier version was opened');
  await keys.to(page.getByRole('group', { name: 'Versions' }).getByRole('button').last());
  await keys.press('Space');
  await expect(phone.draft).toBeVisible();

  await keys.activate(phone.button('Accept version 2'));
  await phone.seeStatus('saved', 'Saved');
  await keys.isSomewhere('the bar has changed');
  await expect(phone.link('Open in library')).toBeFocused();
  await keys.press('Enter');
  await expect(page).toHaveURL(/\/library\/[0-9a-f-]{36}$/);
  await expect(page.getByText('I will bring my own towel.')).toBeVisible();
  await keys.isSomewhere('the library entry was opened');

  const account = page.getByLabel(/^Account/);
  await keys.to(account, 'Shift+Tab');
  await keys.press('Enter');
  const about = phone.link('How it works');
  await keys.to(about);
  await keys.press('Escape');
  await expect(about).toBeHidden();
  await expect(account).toBeFocused();
  await keys.press('Enter');
  await keys.activate(about);
  await expect(heading(page, 'How Mooring works')).toBeFocused();
  await keys.to(page.getByRole('navigation', { name: 'Places' }).getByRole('link', { name: 'Tasks' }), 'Shift+Tab');
  await keys.press('Enter');
  await expect(heading(page, 'Tasks')).toBeFocused();
  await keys.to(account, 'Shift+Tab');
  await keys.press('Enter');
  await keys.activate(phone.button('Sign out'));
  await expect(heading(page, 'Sign in')).toBeVisible();
  await keys.isSomewhere('signing out');
  expect(await phone.context.cookies()).toEqual([]);
});

test('the first stop skips to the content', async ({ phone }) => {
  const keys = new Keys(phone.page);
  await phone.open('/tasks');
  await expect(heading(phone.page, 'Tasks')).toBeVisible();
  await keys.press('Tab', 'Enter');
  await expect(phone.page.getByRole('main')).toBeFocused();
  await keys.to(phone.link('Start a task'));
  expect(keys.way, 'stops after the header was skipped').toHaveLength(1);
});

test('every stop of a review is reached once, from the top of the page to its end and back', async ({ harbour }) => {
  const phone = await reviewed(harbour);
  const keys = new Keys(phone.page);
  await phone.reload();
  await phone.seeStatus('awaiting_review');
  await keys.to(phone.button('Accept version 1'));
  const there = [...keys.way];
  expect(new Set(there).size, there.join(' > ')).toBe(there.length);
  // As a reader meets them.
  const order = ['Skip', 'Mooring', 'Account', 'Ask for a new draft', 'Look again', 'What happened', 'Cancel task', 'Accept'];
  const places = order.map((name) => there.findIndex((stop) => stop.includes(name)));
  expect(places, there.join(' > ')).toEqual([...places].sort((a, b) => a - b));
  expect(places).not.toContain(-1);
  await keys.to(phone.link('Mooring'), 'Shift+Tab');
});

test('what is discarded hands the focus on to a heading, which a key held too long cannot press', async ({ harbour }) => {
  const phone = await reviewed(harbour);
  const keys = new Keys(phone.page);
  await phone.loseNetwork();
  await phone.edit('Written in the lift.');
  await expect(phone.outbox).toBeVisible();
  await keys.to(phone.button('Discard'), 'Shift+Tab');
  await keys.press('Enter');
  await expect(phone.button('Keep it')).toBeFocused();
  await keys.to(phone.button('Discard it for good'), 'Shift+Tab');
  await keys.press('Enter');
  await expect(phone.outbox).toHaveCount(0);
  await keys.isSomewhere('an entry was discarded');
  expect(await phone.page.evaluate(() => document.activeElement?.tagName)).toMatch(/^H[1-3]$/);
});

test('a question before signing out takes the focus, and gives it back', async ({ harbour }) => {
  const phone = await reviewed(harbour);
  const keys = new Keys(phone.page);
  await phone.loseNetwork();
  await phone.edit('Written in the lift.');
  await expect(phone.outbox).toBeVisible();
  const account = phone.page.getByLabel(/^Account/);
  await account.focus();
  await keys.press('Enter');
  await keys.activate(phone.button('Sign out'));
  await keys.to(phone.button('Stay signed in'));
  await keys.press('Enter');
  await expect(phone.button('Stay signed in')).toHaveCount(0);
  await keys.isSomewhere('the question was answered');
});
