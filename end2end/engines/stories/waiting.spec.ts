// What was done without a network waits on the device, also when the browser itself has ended.

import { expect, test } from '../story';

test('an edit made with no network survives the end of the browser and is stored once', async ({ harbour, phone }) => {
  const learner = await phone.signUp();
  await phone.see('Ready without a connection');
  const task = await phone.startTask('Bicycle repair: brakes and gears', 'What should I bring?');
  const text = `${await phone.field('Draft')} Added in a tunnel.`;

  phone.cut();
  await phone.type('Draft', ' Added in a tunnel.');
  await phone.press('button', 'Save edit');
  await phone.see('Waiting on this device', 'Kept on this device');
  await phone.restartBrowser(`/tasks/${task}`);
  await phone.seeStatus({ state: 'awaiting_review', words: ['Status unknown', 'Last known: awaiting review'] });
  await phone.see('Waiting on this device', 'Your edit of version 1');
  await phone.reload();
  await phone.see('Waiting on this device', 'Your edit of version 1');
  phone.restore();
  await phone.seeStatus({ freshness: 'confirmed', version: '2', words: ['Awaiting review (version 2)'] });

  const fresh = await harbour.phone();
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeField('Draft', text);
  expect(await (await fresh.witness(learner)).happened(task)).toMatchObject({ edited: 1 });
});
