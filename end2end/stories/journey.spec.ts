// From a question to a saved explanation.

import { expect, test } from '../fixtures/story';

test('a learner asks, reads, edits, accepts, and finds it in the library', async ({ phone }) => {
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring, and when does it start?');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');

  await expect(phone.heading('Evidence')).toBeVisible();
  await expect(phone.page.getByText('An apron, a towel, short nails').first()).toBeVisible();
  const first = await phone.draftText();
  expect(first).toContain('apron');
  await expect(phone.page.getByText('simulated model').first()).toBeVisible();

  const mine = `${first}\n\nI will bring my own towel.`;
  await phone.edit(mine);
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.seeVersion(2);

  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 2 }]);

  await phone.open('/library');
  await phone.link(/Wheel throwing for beginners/).click();
  await expect(phone.page.getByText('I will bring my own towel.')).toBeVisible();
});

test('the same question to the same record is offered again, not started twice', async ({ phone }) => {
  const first = await phone.start('Sourdough: from starter to loaf', 'Do I need a starter?');
  await phone.seeStatus('awaiting_review');

  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Sourdough: from starter to loaf' });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await phone.link('Open that task').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${first}$`));

  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Sourdough: from starter to loaf' });
  await phone.page.getByLabel('Question').fill('Do I need a starter?');
  await phone.press('Start');
  await phone.press('Start another anyway');
  await expect(phone.page).toHaveURL(/\/tasks\/[0-9a-f-]{36}$/);
  expect(phone.taskId()).not.toBe(first);
  await phone.seeStatus('awaiting_review');
});

test('a second tap on Start starts nothing more', async ({ phone }) => {
  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Bookbinding: your first sewn book' });
  await phone.page.getByLabel('Question').fill('Which paper is used?');
  await phone.button('Start').dblclick();
  await expect(phone.page).toHaveURL(/\/tasks\//);
  await phone.seeStatus('awaiting_review');
  const { body } = await phone.ask('tasks/list', {});
  expect((body as { tasks: unknown[] }).tasks).toHaveLength(1);
});
