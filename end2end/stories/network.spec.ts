// The network breaks at the worst moment. What the learner did is kept, and done once.

import { expect, test } from '../fixtures/story';

test('an edit made without a network is kept on the device, and stored when it is back', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nWritten in the lift.`;

  phone.network.cut();
  await phone.edit(text);
  await expect(phone.page.getByTestId('outbox')).toContainText('Kept on this device');
  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  expect(await phone.draftText()).toBe(text);
});

test('the reply to an accept is lost: it says so, asks again, and it is saved once', async ({ phone }) => {
  const task = await phone.start('Bookbinding: your first sewn book', 'What does it cost?');
  await phone.seeStatus('awaiting_review', 'version 1');

  phone.network.fail({ kind: 'drop-reply', only: '/tasks/accept' });
  await phone.press('Accept version 1');
  await expect(phone.page.getByTestId('outbox')).toContainText(/not confirmed/i);
  phone.network.restore();
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 1 }]);
});

test('a portal that answers everything with a page replaces nothing', async ({ phone }) => {
  await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nOn the hotel's network.`;

  phone.network.fail({ kind: 'answer', status: 200, body: '<h1>Welcome to the hotel</h1>' });
  await phone.edit(text);
  await expect(phone.page.getByTestId('outbox')).toContainText('Kept on this device');
  await expect(phone.page.getByText('Welcome to the hotel')).toHaveCount(0);
  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
});
