// Accepting is a decision about one version, and it is carried out once.

import { expect, test } from '../fixtures/story';

test('a version that another device has replaced is refused, and both texts are shown', async ({ harbour }) => {
  const phone = await harbour.device();
  const learner = await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const first = await phone.draftText();

  const laptop = await harbour.device();
  await laptop.signIn(learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review', 'version 1');

  // The phone hears nothing while the laptop edits.
  phone.network.cut();
  await laptop.edit(`${first}\n\nThe laptop adds this.`);
  await laptop.seeVersion(2);
  await phone.press('Accept version 1');
  phone.network.restore();

  await expect(phone.status).toContainText('Version 1 was not accepted', { timeout: 30_000 });
  await expect(phone.heading('What is different')).toBeVisible();
  await expect(phone.page.getByText('The laptop adds this.').first()).toBeVisible();
  expect(await phone.library()).toEqual([]);

  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 2 }]);
});

test('accepting twice saves once, and the same request gives the same answer', async ({ phone }) => {
  const task = await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review');

  const asked = phone.page.waitForRequest((request) => request.url().endsWith('/api/v1/tasks/accept'));
  await phone.button('Accept version 1').dblclick();
  const body = (await asked).postDataJSON() as Record<string, unknown>;
  await phone.seeStatus('saved', 'Saved');

  const [again, onceMore] = [await phone.ask('tasks/accept', body), await phone.ask('tasks/accept', body)];
  expect(again.status).toBe(200);
  expect((onceMore.body as { op: unknown }).op).toEqual((again.body as { op: unknown }).op);
  expect(await phone.library()).toHaveLength(1);
  const kinds = await phone.events(task);
  expect(kinds.filter((kind) => kind === 'accepted')).toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'save_confirmed')).toHaveLength(1);
});
