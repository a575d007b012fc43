// Two tabs of one browser: what is done in one is seen in the other, and what both could send is
// carried out once.

import { expect, test } from '../story';

test('two tabs show the same task, and an accept that both could send is carried out once', async ({ harbour, phone }) => {
  const learner = await phone.signUp();
  await phone.see('Ready without a connection');
  const task = await phone.startTask('Natural dyeing with plants', 'What should I bring?');
  const text = `${await phone.field('Draft')} From the second tab.`;

  await phone.newTab(`/tasks/${task}`);
  await phone.seeStatus({ freshness: 'confirmed', version: '1' });
  await phone.type('Draft', ' From the second tab.');
  await phone.press('button', 'Save edit');
  await phone.seeStatus({ freshness: 'confirmed', version: '2' });
  await phone.turnToTab(1);
  await phone.seeStatus({ freshness: 'confirmed', version: '2', words: ['Awaiting review (version 2)'] });
  await phone.seeField('Draft', text);

  phone.cut();
  await phone.press('button', 'Accept version 2');
  await phone.see('Waiting on this device', 'Kept on this device');
  await phone.turnToTab(2);
  await phone.see('Waiting on this device', 'Accept version 2');
  await phone.reload();
  await phone.see('Waiting on this device', 'Accept version 2');
  phone.restore();
  await phone.seeStatus({ state: 'saved', freshness: 'confirmed', words: ['Saved'] });
  await phone.turnToTab(1);
  await phone.seeStatus({ state: 'saved', freshness: 'confirmed', words: ['Saved'] });

  const fresh = await harbour.phone();
  await fresh.signIn(learner);
  await fresh.open(`/tasks/${task}`);
  await fresh.seeStatus({ state: 'saved', freshness: 'confirmed', version: '2' });
  const witness = await fresh.witness(learner);
  expect(await witness.happened(task)).toMatchObject({ accepted: 1, save_confirmed: 1, edited: 1 });
  expect(await witness.library()).toMatchObject([{ task_id: task, draft_version: 2 }]);
});
