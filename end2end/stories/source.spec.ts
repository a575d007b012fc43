// The source does not show what was asked for.

import { expect, test } from '../fixtures/story';

test('a record that was withdrawn is named as such; put back, it is found', async ({ harbour }) => {
  const mooring = await harbour.mooring({ ownRecords: true });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  mooring.records?.withdraw('bookbinding');
  const task = await phone.start('Bookbinding: your first sewn book', 'What should I bring?');
  await phone.seeStatus('source_missing', 'Record not found');
  await expect(phone.draft).toHaveCount(0);

  mooring.records?.restore('bookbinding');
  await phone.press('Try again');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  expect(await phone.events(task)).toEqual(expect.arrayContaining(['source_missing', 'retried', 'source_found']));
});

test('a source that cannot be reached is said to be so, and tried again on request', async ({ harbour }) => {
  const mooring = await harbour.mooring({
    ownRecords: true,
    env: { MOORING_TRIES: '2', MOORING_BACKOFF: '50ms' },
  });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await phone.open('/');
  await expect(phone.page.getByLabel('Workshop record').getByRole('option', { name: 'Sourdough: from starter to loaf' })).toBeAttached();

  mooring.records?.goAway();
  const task = await phone.start('Sourdough: from starter to loaf', 'Is there a step-free entrance?');
  await phone.seeStatus('source_unavailable', 'The source could not be reached');
  await expect(phone.status).toContainText('tried 2 times');

  mooring.records?.comeBack();
  await phone.press('Try again');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  const kinds = await phone.events(task);
  expect(kinds.filter((kind) => kind === 'source_failed')).toHaveLength(1);
  expect(kinds).toContain('retried');
});

test('a look at the record that brings nothing new says so, where it was asked for and in the status', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'Has anything changed?');
  await phone.seeStatus('awaiting_review', 'version 1');
  await phone.press('Look again');
  await phone.seeStatus('awaiting_review', 'Looked again today at');
  await expect(phone.page.getByText(/^record version 7, seen today at \d\d:\d\d, and unchanged today at \d\d:\d\d$/)).toBeVisible();
});
