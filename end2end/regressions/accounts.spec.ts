// Sessions end, people change at one device: what waits, waits for its owner, and nobody else sees it.

import type { App } from '../fixtures/app';
import { backToKept, watchReturns } from '../fixtures/memory';
import { expect, somebody, test } from '../fixtures/story';

const RECORD = 'Wheel throwing for beginners';
const SECRET = 'A text that is nobody else’s business.';

/** A task with an edit that waits for a network. */
async function withAnEditWaiting(phone: App): Promise<string> {
  const task = await phone.start(RECORD, 'A question of my own?');
  await phone.seeStatus('awaiting_review');
  phone.network.fail({ kind: 'refuse', only: '/tasks/edit' });
  await phone.edit(SECRET);
  await expect(phone.outbox).toContainText(/on this device/i);
  return task;
}

/** Everything that this browser keeps for the site. */
async function kept(phone: App): Promise<string> {
  return phone.page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
}

async function signOut(phone: App): Promise<void> {
  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
}

test('C21: the session ends while an entry waits: kept, sign-in asked, sent once by the same learner', async ({
  harbour,
  phone,
}) => {
  const task = await withAnEditWaiting(phone);
  await phone.context.clearCookies();
  phone.network.restore();
  await expect(phone.page).toHaveURL(/\/sign-in/);
  await phone.reload();
  await expect(phone.page.getByText(SECRET)).toHaveCount(0);
  expect(await kept(phone)).toContain('nobody else');

  await phone.signIn(phone.learner);
  await phone.open(`/tasks/${task}`);
  await phone.nothingWaits();
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: SECRET });
});

test("C22: another learner signs in beside an open tab: nothing goes out under their name, the work waits for its owner", async ({
  harbour,
  phone,
}) => {
  const owner = phone.learner;
  const task = await withAnEditWaiting(phone);
  await phone.reload();
  const [owners, other] = [phone.page, somebody()];

  await phone.context.clearCookies();
  const mark = phone.network.log.mark();
  phone.page = await phone.context.newPage();
  await phone.signUp(other);
  phone.network.restore();
  // The tab of the owner is looked at again, now that everything gets through.
  await owners.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect(owners.getByText(SECRET)).toHaveCount(0);
  await expect(owners.getByText('A question of my own?')).toHaveCount(0);
  const sent = phone.network.log.since(mark).filter(({ task: of }) => of === task);
  expect(sent.filter(({ op, status }) => op !== undefined && status === 200)).toEqual([]);
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks, 'tasks of the other learner').toEqual([]);
  await owners.close();
  await signOut(phone);
  await expect(phone.page).toHaveURL(/\/sign-in/);

  await phone.signIn(owner);
  await phone.open(`/tasks/${task}`);
  await phone.nothingWaits();
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: SECRET });
});

test("C22: the session becomes another's under an open page: the server refuses what is sent, and stores nothing", async ({
  harbour,
  phone,
}) => {
  const owner = phone.learner;
  const task = await withAnEditWaiting(phone);
  await phone.reload();
  await phone.seeStatus('awaiting_review', 'version 1');

  // Not by our own page, which would tell the open one: the browser simply has another cookie now.
  const answer = await fetch(`${phone.mooring.url}/api/v1/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(somebody()),
  });
  const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  await phone.context.addCookies([{ name, value, url: phone.mooring.url }]);
  phone.network.restore();
  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await expect.poll(() => phone.network.log.to('/tasks/edit').at(-1)?.status).toBe(401);
  await expect(phone.page.getByText(SECRET)).toHaveCount(0);
  await expect(phone.page.getByText('A question of my own?')).toHaveCount(0);
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks, 'tasks of the other learner').toEqual([]);

  await phone.reload();
  await phone.context.clearCookies();
  await phone.signIn(owner);
  await phone.open(`/tasks/${task}`);
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: SECRET });
});

test('C23: signing out with an entry waiting: the number is stated, going back keeps it, confirming removes every trace', async ({
  harbour,
  phone,
}) => {
  const task = await withAnEditWaiting(phone);
  await phone.reload();
  await signOut(phone);
  await expect(phone.page.getByText(/^One change .* still waiting on this device/)).toBeVisible();
  await phone.press('Stay signed in');
  await expect(phone.outbox).toContainText(/on this device/i);
  expect(await kept(phone)).toContain('nobody else');

  await signOut(phone);
  await phone.loseNetwork();
  await phone.press('Sign out and discard one change');
  await expect(phone.page.getByText(/You asked to be signed out/)).toBeVisible();
  await phone.reload();
  await expect(phone.page.getByText(/You asked to be signed out/)).toBeVisible();
  await expect(phone.page.getByText('A question of my own?')).toHaveCount(0);
  phone.network.restore();
  await expect(phone.page).toHaveURL(/\/sign-in/, { timeout: 30_000 });
  expect(await kept(phone)).not.toMatch(/nobody else|question of my own|learner-/);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});

test('C31: signed out, then Back: nothing private', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'A question of my own?');
  await phone.seeStatus('awaiting_review');
  await phone.edit(SECRET);
  await phone.seeVersion(2);
  await phone.open('/library');
  await phone.open(`/tasks/${task}`);
  await phone.seeStatus('awaiting_review');
  await signOut(phone);
  await expect(phone.page).toHaveURL(/\/sign-in/);

  harbour.watch.startOver();
  for (let step = 0; step < 3; step += 1) {
    await phone.page.goBack();
    await expect(phone.button('Sign in').or(phone.button('Sign up'))).toBeVisible();
  }
  const read = harbour.watch.lines.map(({ text }) => text).join('\n');
  expect(read).not.toMatch(/nobody else|question of my own|apron/i);
  expect(await kept(phone)).not.toMatch(/nobody else|question of my own|learner-/);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: SECRET });
});

test('C31: signed out, then Back to a page that the browser has kept: nothing private in its first paint', async ({
  harbour,
}) => {
  const profile = await harbour.profile();
  const phone = await profile.open({ remembersPages: true });
  await watchReturns(phone.page);
  const learner = await phone.signUp();
  const task = await phone.start(RECORD, 'A question of my own?');
  await phone.seeStatus('awaiting_review');
  await phone.draft.fill(SECRET);
  await phone.press('Save edit');
  await phone.seeVersion(2);
  await phone.open('/about');
  await signOut(phone);
  await expect(phone.link('Sign in')).toBeVisible();

  const painted = await backToKept(phone.page);
  expect(painted).not.toMatch(/nobody else|question of my own|apron/i);
  expect(painted).not.toContain(learner.name);
  await expect(phone.page).toHaveURL(/\/sign-in/);
  await expect(phone.page.getByText(SECRET)).toHaveCount(0);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: SECRET });
});
