// The places around a task: all tasks and their filters, the menu, the way back, and the way out.

import { randomUUID } from 'node:crypto';
import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';

const WHEEL = 'Wheel throwing for beginners';
const BREAD = 'Sourdough: from starter to loaf';

/** Starts tasks round the screens. */
async function startMany(phone: App, count: number): Promise<void> {
  for (let n = 1; n <= count; n += 1) {
    const start = { op_id: randomUUID(), task_id: randomUUID(), record_id: 'wheel-throwing', question: `Question ${n}?` };
    expect((await phone.ask('tasks/start', start)).status).toBe(200);
  }
}

test('a filter shows what needs me or what is finished, stands in the address, and the way back leads through it', async ({ phone }) => {
  await phone.start(WHEEL, 'What should I bring?');
  await phone.seeStatus('awaiting_review');
  await phone.start(BREAD, 'Do I need a starter?');
  await phone.seeStatus('awaiting_review');
  await phone.press('Accept version 1');
  await phone.seeStatus('saved');

  await phone.open('/tasks');
  await expect(phone.link(/What should I bring/)).toContainText('Awaiting review, version 1');
  await phone.link('All 2').click();
  await phone.link('Needs me 1').click();
  await expect(phone.page).toHaveURL(/\/tasks\?show=needs-me$/);
  await expect(phone.link(/What should I bring/)).toBeVisible();
  await expect(phone.link(/Do I need a starter/)).toHaveCount(0);
  await phone.link('Failed 0').click();
  await expect(phone.page.getByText('Nothing has failed.')).toBeVisible();
  await phone.link('Finished 1').click();
  await phone.link(/Do I need a starter/).click();
  await phone.seeStatus('saved');

  await phone.page.goBack();
  await expect(phone.page).toHaveURL(/show=finished$/);
  await expect(phone.link('Finished 1')).toHaveAttribute('aria-current', 'page');
  await expect(phone.link(/Do I need a starter/)).toBeVisible();
  await phone.page.goBack();
  await phone.page.goBack();
  await expect(phone.page).toHaveURL(/show=needs-me$/);
  await phone.reload();
  await expect(phone.link(/What should I bring/)).toBeVisible();
  await expect(phone.link(/Do I need a starter/)).toHaveCount(0);
});

test('a task that only waits on this device is among my tasks, as such, and becomes one of the server’s', async ({ phone }) => {
  await phone.start(WHEEL, 'What should I bring?');
  await phone.seeStatus('awaiting_review');
  await phone.open('/');
  await expect(phone.page.getByLabel('Workshop record')).toBeEnabled();
  await phone.loseNetwork();
  await phone.page.getByLabel('Workshop record').selectOption({ label: BREAD });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await expect(phone.status).toContainText('Status unknown');

  await phone.reopen('/tasks');
  await expect(phone.link(/Do I need a starter/)).toContainText('Waiting on this device');
  await expect(phone.link(/Do I need a starter/)).toContainText(BREAD);
  await expect(phone.link(/What should I bring/)).toContainText('Last known: awaiting review, version 1');

  phone.network.restore();
  await expect(phone.link(/Do I need a starter/)).toContainText('Awaiting review, version 1', { timeout: 40_000 });
  await expect(phone.link('Needs me 2')).toBeVisible();
});

test('a start from an earlier visit is confirmed: its question is no longer in the field', async ({ phone }) => {
  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: WHEEL });
  await phone.loseNetwork();
  await phone.page.getByLabel('Question').fill('What should I bring?');
  await phone.press('Start');
  await phone.reload();
  await expect(phone.page.getByLabel('Question')).toHaveValue('What should I bring?');
  await expect(phone.status).toContainText('A new task is kept on this device');

  phone.network.restore();
  await phone.nothingWaits();
  await expect(phone.page.getByLabel('Question')).toHaveValue('');
  await phone.reload();
  await expect(phone.page.getByLabel('Question')).toHaveValue('');
});

test('back from a task, the list stands where it was left', async ({ phone }) => {
  await startMany(phone, 14);
  await phone.open('/tasks');
  const last = phone.link(/Question 2\?/);
  await expect(last).toContainText('Awaiting review');
  await phone.isKept();
  await last.scrollIntoViewIfNeeded();
  const place = await phone.page.evaluate(() => scrollY);
  expect(place).toBeGreaterThan(500);
  await last.click();
  await phone.seeStatus('awaiting_review');
  expect(await phone.page.evaluate(() => scrollY)).toBeLessThan(place);

  await phone.page.goBack();
  await expect.poll(() => phone.page.evaluate(() => scrollY)).toBe(place);
  await expect(last).toBeInViewport();
  await phone.reload();
  await expect.poll(() => phone.page.evaluate(() => scrollY)).toBe(place);
});

test('the menu closes at a tap beside it, at Escape, and when the focus leaves it', async ({ phone }) => {
  const menu = phone.link('How it works');
  const opener = phone.page.getByLabel(`Account: ${phone.learner.name}`);
  await opener.click();
  await expect(menu).toBeVisible();
  await phone.page.mouse.click(60, 500);
  await expect(menu).toBeHidden();

  await opener.click();
  await expect(menu).toBeVisible();
  await menu.focus();
  await phone.page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(opener).toBeFocused();

  await phone.page.keyboard.press('Enter');
  await expect(menu).toBeVisible();
  await phone.page.getByLabel('Question').focus();
  await expect(menu).toBeHidden();
});

test('who signs out is told so, and an address that was asked for is there after signing in', async ({ phone }) => {
  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
  await expect(phone.page.getByRole('main').getByText('You are signed out')).toBeVisible();
  await expect(phone.heading('Sign in')).toBeVisible();

  await phone.open('/tasks?show=failed');
  await expect(phone.heading('Sign in')).toBeVisible();
  await expect(phone.page.getByRole('main').getByText('You are signed out')).toHaveCount(0);
  await phone.page.getByLabel('Name').fill(phone.learner.name);
  await phone.page.getByLabel('Passphrase').fill(phone.learner.passphrase);
  await phone.press('Sign in');
  await expect(phone.heading('Tasks')).toBeVisible();
  await expect(phone.page).toHaveURL(/\/tasks\?show=failed$/);
});

test('who signs out from a page that anybody may read is told so too', async ({ phone }) => {
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('How it works').click();
  await expect(phone.heading('How Mooring works')).toBeVisible();
  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
  await expect(phone.page.getByRole('main').getByText('You are signed out')).toBeVisible();
  await expect(phone.page).toHaveURL(/\/sign-in$/);
  // That page stays open to everybody.
  await phone.open('/about');
  await expect(phone.heading('How Mooring works')).toBeVisible();
});

test('who signs out without a network is told that it waits, also on a page that anybody may read, and may stay', async ({ phone }) => {
  await phone.open('/about');
  await expect(phone.heading('How Mooring works')).toBeVisible();
  phone.network.cut();
  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
  const waits = phone.page.getByRole('main').getByText('You asked to be signed out.');
  await expect(waits).toBeVisible();
  await phone.press('Stay signed in');
  await expect(waits).toHaveCount(0);
  phone.network.restore();
  await phone.open('/tasks');
  await expect(phone.heading('Tasks')).toBeVisible();
});

test('the question at signing out is before the eyes, wherever the page has been scrolled to', async ({ harbour, phone }) => {
  const task = await phone.start('Wheel throwing for beginners', 'What is asked of me?');
  await phone.seeStatus('awaiting_review');
  await phone.draft.fill('Not yet sent.');
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('How it works').click();
  await expect(phone.heading('How Mooring works')).toBeVisible();
  await phone.page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
  await expect(phone.button('Stay signed in')).toBeInViewport({ ratio: 1 });
  await phone.press('Stay signed in');
  await phone.open(`/tasks/${task}`);
  await expect(phone.draft).toHaveValue('Not yet sent.');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});

test('the shortcuts of the installed app lead to their places', async ({ phone }) => {
  const manifest = await phone.page.evaluate(async () => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="manifest"]')!;
    return (await fetch(link.href)).json();
  });
  expect(manifest).toMatchObject({ name: 'Mooring', short_name: 'Mooring', id: '/', display: 'standalone' });
  const places = [];
  for (const { name, url } of manifest.shortcuts) {
    await phone.open(url);
    await expect(phone.heading(/^(Start a task|Tasks|Library)$/)).toBeVisible();
    places.push([name, await phone.page.getByRole('heading', { level: 1 }).textContent()]);
  }
  expect(places).toEqual([
    ['Start a task', 'Start a task'],
    ['My tasks', 'Tasks'],
    ['Library', 'Library'],
  ]);
});

test('an address that nobody knows shows our page, without a network too', async ({ phone }) => {
  await phone.loseNetwork();
  await phone.open('/no/such/place');
  await expect(phone.heading('Nothing is here')).toBeVisible();
  await phone.link('To the start').click();
  await expect(phone.heading('Start a task')).toBeVisible();
});
