// Screens that are loaded when they are wanted: one that does not arrive says so, and takes nothing along.

import { expect, somebody, test } from '../fixtures/story';

test('what happened does not arrive: it says so where it would be, what was typed stays, and trying again works', async ({
  harbour,
}) => {
  const phone = await harbour.device();
  phone.network.fail({ kind: 'refuse', only: '/assets/split_timeline' });
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  await phone.draft.fill('Half a sentence, and then');

  const folded = phone.page.getByText('What happened', { exact: true });
  await folded.click();
  await expect(phone.page.getByText('This part has not arrived')).toBeVisible();
  await phone.press('Try again');
  await expect(phone.page.getByText('This part has not arrived')).toBeVisible();
  await phone.seeStatus('awaiting_review', 'version 1');
  await expect(phone.draft).toHaveValue('Half a sentence, and then');

  await phone.reload();
  await expect(phone.draft).toHaveValue('Half a sentence, and then');
  await folded.click();
  await expect(phone.page.getByText('This part has not arrived')).toBeVisible();

  phone.network.mend();
  await phone.press('Try again');
  await expect(phone.page.getByText('The full log')).toBeVisible();
  await expect(phone.page.getByText('This part has not arrived')).toHaveCount(0);
  await phone.press('Save edit');
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Half a sentence, and then' });
});

test('a page of a build that the server no longer has: it says so, and reloading leads on', async ({ harbour }) => {
  const phone = await harbour.device();
  phone.network.fail({ kind: 'answer', status: 404, body: 'There is no such file.', only: '/assets/split_about' });
  await phone.open('/about');
  await expect(phone.page.getByRole('main').getByText('This part has not arrived')).toBeVisible();
  await expect(phone.page.locator('#announcer')).toHaveText('This part has not arrived');
  phone.network.mend();
  await phone.link('Reload').click();
  await expect(phone.heading('How Mooring works')).toBeVisible();

  await phone.reload();
  await expect(phone.heading('How Mooring works')).toBeVisible();
  await phone.signUp(somebody());
  await expect(phone.heading('Start a task')).toBeVisible();
});
