// The server is away, or nothing reaches it: the screen says what it knows, and that it is not sure.

import { expect, test } from '../story';

test('while the server is away the status is unknown, with what was known last', async ({ harbour }) => {
  const mooring = await harbour.mooring();
  const phone = await harbour.phone(mooring);
  const learner = await phone.signUp();
  const task = await phone.startTask('Bookbinding: your first sewn book', 'What should I bring?');

  await mooring.kill();
  await phone.seeStatus({ state: 'awaiting_review', words: ['Status unknown', 'Last known: awaiting review'] });
  await mooring.again();
  await phone.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', words: ['Awaiting review (version 1)'] });

  const fresh = await harbour.phone(mooring);
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', version: '1' });
});

test('with no network the page is opened anew: the task is there, its status unknown', async ({ harbour, phone }) => {
  const learner = await phone.signUp();
  await phone.see('Ready without a connection');
  const task = await phone.startTask('Sourdough: from starter to loaf', 'When is it?');
  const draft = await phone.field('Draft');

  phone.cut();
  await phone.reload();
  await phone.seeStatus({ state: 'awaiting_review', words: ['Status unknown', 'Last known: awaiting review'] });
  await phone.seeField('Draft', draft);
  phone.restore();
  await phone.seeStatus({ state: 'awaiting_review', freshness: 'confirmed', words: ['Awaiting review (version 1)'] });

  const fresh = await harbour.phone();
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeField('Draft', draft);
  expect(await (await fresh.witness(learner)).happened(task)).toMatchObject({ started: 1, draft_produced: 1 });
});
