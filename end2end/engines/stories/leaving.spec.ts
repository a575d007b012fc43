// Signing out leaves nothing behind: not on the screen, not behind the back button, not in anything
// that the browser keeps.

import { expect, test } from '../story';

test('after a sign-out nothing of the learner is left in the browser', async ({ harbour, phone }) => {
  const learner = await phone.signUp();
  const question = 'Is it loud in there?';
  const task = await phone.startTask('Wood carving: a spoon in a day', question);
  const draft = await phone.field('Draft');
  await phone.type('Draft', ' Never sent.');
  const traces = [learner.name, task, question, draft.slice(0, 40), 'Never sent'];
  expect(await phone.kept()).toContain(task);

  await phone.press('disclosure', `Account: ${learner.name}`);
  await phone.press('button', 'Sign out');
  await phone.see('One unsent text is still waiting on this device');
  await phone.press('button', 'Sign out and discard one unsent text');
  await phone.seeControl('link', 'Sign in');
  await phone.seeNothingOf(traces);
  await phone.back();
  await phone.seeNothingOf(traces);
  await phone.reload();
  await phone.seeNothingOf(traces);
  await phone.restartBrowser(`/tasks/${task}`);
  await phone.seeControl('link', 'Sign in');
  await phone.seeNothingOf(traces);

  const fresh = await harbour.phone();
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeField('Draft', draft);
});
