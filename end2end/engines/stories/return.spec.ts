// Coming back: what is not known is called unknown, what was known last stands beside it.

import { expect, test } from '../story';

test('a reopened tab says first that the status is unknown, then what the server confirms', async ({ harbour, phone }) => {
  const learner = await phone.signUp();
  const task = await phone.startTask('Wheel throwing for beginners', 'What does it cost?');

  await phone.closeTab();
  harbour.watch.startOver();
  await phone.open(`/tasks/${task}`);
  await phone.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', words: ['Awaiting review (version 1)'] });
  await harbour.watch.hasSeen('a confirmed status', ({ freshness }) => freshness === 'confirmed');
  expect(harbour.watch.seen[0]?.text).toMatch(/^Status unknown/);
  const known = harbour.watch.seen.find((seen) => seen.state === 'awaiting_review');
  expect(known?.text).toMatch(/^Status unknown[^]*Last known: awaiting review/);

  const fresh = await harbour.phone();
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', version: '1' });
});
