// What is pressed in a row, twice, or too fast: done in order, and once.

import { expect, test } from '../fixtures/story';
import { rounds } from '../fixtures/rounds';
import { after } from '../fixtures/until';

const RECORD = 'Wheel throwing for beginners';

for (let seed = 1; seed <= rounds(2, 12); seed += 1) {
  test(`C18: three edits and an accept without a network, then random delays (seed ${seed})`, async ({ harbour, phone }) => {
    const task = await phone.start(RECORD, 'What should I bring?');
    await phone.seeStatus('awaiting_review');
    await phone.loseNetwork();
    for (const text of ['A', 'A, B', 'A, B, C']) {
      await phone.edit(text);
    }
    await phone.press('Accept version 4');
    await expect(phone.outbox.getByRole('listitem')).toHaveCount(4);
    await phone.reload();
    await expect(phone.outbox.getByRole('listitem')).toHaveCount(4);

    phone.network.fail({ kind: 'delay', ms: [20, 900], seed });
    await phone.seeStatus('saved', 'Saved');
    await phone.nothingWaits();
    const accepted = phone.network.log.to('/tasks/accept').filter(({ status }) => status === 200);
    expect(new Set(accepted.map(({ op }) => op)).size).toBe(1);
    expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 4 }]);
    await harbour.ends(phone, { task, state: 'saved', version: 4, text: 'A, B, C', also: ['A', 'A, B'] });
  });
}

test("C20: one entry always fails, another task's is fine: that one is done, the failing one can be dealt with", async ({
  harbour,
  phone,
}) => {
  const bad = await phone.start(RECORD, 'Will this one ever get through?');
  await phone.seeStatus('awaiting_review');
  const good = await phone.start('Bookbinding: your first sewn book', 'And this one?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('This one gets through.');
  await phone.open(`/tasks/${bad}`);
  await phone.edit('This one does not.');
  await phone.reload();
  await expect(phone.outbox).toContainText('Kept on this device');

  phone.network.fail({ kind: 'answer', status: 500, body: 'oh', saying: bad, only: '/tasks/edit' });
  await phone.open(`/tasks/${good}`);
  await expect(phone.status).toHaveAttribute('data-version', '2', { timeout: 30_000 });
  await phone.open(`/tasks/${bad}`);
  const entry = phone.outbox.getByRole('listitem');
  await expect(entry).toContainText(/not confirmed/i);
  await entry.getByText('Show the text').click();
  for (const name of ['Copy the text', 'Discard', 'Send now']) {
    await expect(entry.getByRole('button', { name })).toBeEnabled();
  }
  // What is open in its line stays open while it is sent again.
  await phone.press('Discard');
  const tried = () => phone.network.log.to('/tasks/edit').filter(({ status }) => status === 500).length;
  const before = tried();
  await phone.press('Send now');
  await expect.poll(tried).toBeGreaterThan(before);
  await expect(entry).toContainText(/not confirmed/i);
  await expect(phone.button('Keep it')).toBeVisible();
  await expect(entry.getByText('This one does not.')).toBeVisible();
  await phone.press('Keep it');

  phone.network.restore();
  await phone.nothingWaits();
  await harbour.ends(phone, { task: bad, state: 'awaiting_review', version: 2, text: 'This one does not.' });
  await harbour.ends(phone, { task: good, state: 'awaiting_review', version: 2, text: 'This one gets through.' });
});

test('C25: save, edit, save on a slow network: no conflict with oneself, the last text wins', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'When does it end?');
  await phone.seeStatus('awaiting_review');
  phone.network.fail({ kind: 'delay', ms: [900, 1_600], seed: 25 });
  await phone.edit('First thought.');
  await phone.edit('Second thought.');
  await phone.reload();
  expect(await phone.draftText()).toBe('Second thought.');
  await phone.edit('Third thought.');
  await phone.nothingWaits();
  await phone.seeStatus('awaiting_review', 'version 4');
  expect(harbour.watch.hasRead(/^(What is different|Not accepted)/), 'a conflict').toBe(false);
  const also = ['First thought.', 'Second thought.'];
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 4, text: 'Third thought.', also });
});

test('C29: Start is tapped at 0, 150, 1100 and 2100 ms, then Enter; the reply takes 4 s: one task', async ({
  harbour,
  phone,
}) => {
  phone.network.fail({ kind: 'delay', ms: [4_000, 4_000], seed: 29, only: '/tasks/start', of: 'reply' });
  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: RECORD });
  await phone.page.getByLabel('Question').fill('How often does one tap?');
  const began = Date.now();
  for (const at of [0, 150, 1_100, 2_100]) {
    await after(began + at - Date.now());
    await phone.button('Start').tap();
  }
  await phone.button('Start').press('Enter');
  await expect(phone.page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  const task = phone.taskId();
  await phone.seeStatus('awaiting_review');
  expect(phone.network.log.operations(task)).toHaveLength(1);
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks).toHaveLength(1);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});

test('C41: the same question to the same record, asked without a network too: offered, another one only on purpose', async ({
  harbour,
  phone,
}) => {
  const first = await phone.start('Sourdough: from starter to loaf', 'Do I need a starter?');
  await phone.seeStatus('awaiting_review');
  await phone.open('/');
  await expect(phone.page.getByLabel('Workshop record').getByRole('option', { name: 'Sourdough' })).toBeAttached();
  await phone.loseNetwork();
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Sourdough: from starter to loaf' });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await expect(phone.outbox).toContainText('Kept on this device');
  await phone.reload();
  await expect(phone.outbox).toContainText('Kept on this device');
  phone.network.restore();
  await phone.link('Open that task').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${first}$`));

  await phone.open('/');
  await phone.press('Start another anyway');
  await expect(phone.page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  const second = phone.taskId();
  expect(second).not.toBe(first);
  await phone.seeStatus('awaiting_review');
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks).toHaveLength(2);
  await harbour.ends(phone, { task: second, state: 'awaiting_review', version: 1 });
});

for (const faults of ['save.before_effect=delay:2500', 'save.after_effect=delay:2500']) {
  test(`C43: cancelled while the save is under way (${faults}): one or the other, never both, never neither`, async ({
    harbour,
  }) => {
    const mooring = await harbour.mooring({ faults });
    const phone = await harbour.device(mooring);
    await phone.signUp();
    const task = await phone.start(RECORD, 'Too late to stop?');
    await phone.seeStatus('awaiting_review');
    await phone.press('Accept version 1');
    await phone.seeStatus('accepted');
    await phone.cancel();
    await phone.reload();
    await expect(phone.status).toHaveAttribute('data-state', /^(saved|cancelled)$/, { timeout: 30_000 });
    await expect(phone.status).toHaveAttribute('data-freshness', 'confirmed');
    const state = (await phone.status.getAttribute('data-state')) ?? '';
    await harbour.ends(phone, { task, state, entries: state === 'saved' ? 1 : 0 });
  });
}
