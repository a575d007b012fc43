// Cancelling wins or loses honestly.

import { expect, test } from '../fixtures/story';

test('a task that is being drafted is cancelled, and stays so', async ({ harbour }) => {
  const mooring = await harbour.mooring({ env: { MOORING_MODEL_DELAY: '3s', MOORING_LEASE: '2s' } });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('evidence_saved');
  await phone.cancel();
  await phone.seeStatus('cancelled', 'Cancelled');

  await phone.reopen();
  await phone.seeStatus('cancelled', 'Cancelled');
  expect(await phone.events(task)).not.toContain('draft_produced');
  expect(await phone.library()).toEqual([]);
});

test('a task in review is cancelled; what was written stays readable, nothing is saved', async ({ phone }) => {
  await phone.start('Sourdough: from starter to loaf', 'Who teaches it?');
  await phone.seeStatus('awaiting_review');
  await phone.cancel();
  await phone.seeStatus('cancelled', 'Cancelled');
  await expect(phone.heading('Draft')).toBeVisible();
  await expect(phone.button(/^Accept version/)).toHaveCount(0);
  expect(await phone.library()).toEqual([]);
});

test('cancelling asks once, in its place, by keyboard too, and nothing happens without a yes', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'Shall I?');
  await phone.seeStatus('awaiting_review');
  await phone.button('Cancel task').focus();
  await phone.page.keyboard.press('Enter');
  const question = phone.page.getByRole('group', { name: /^Cancel this task for good/ });
  await expect(question.getByRole('button', { name: 'Keep the task' })).toBeFocused();
  await phone.page.keyboard.press('Escape');
  await expect(phone.button('Cancel task')).toBeFocused();

  await phone.press('Cancel task');
  await phone.press('Keep the task');
  await expect(phone.button('Cancel task')).toBeFocused();
  await phone.reload();
  await phone.seeStatus('awaiting_review');

  await phone.cancel();
  await phone.seeStatus('cancelled', 'Cancelled');
});

test('a task that is saved cannot be cancelled any more', async ({ phone }) => {
  const task = await phone.start('Bookbinding: your first sewn book', 'Who teaches it?');
  await phone.seeStatus('awaiting_review');
  await phone.press('Accept version 1');
  await phone.seeStatus('saved');
  const answer = await phone.ask('tasks/cancel', { op_id: crypto.randomUUID(), task_id: task });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'too_late', current: { state: 'saved' } });
});
