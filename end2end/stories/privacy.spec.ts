// A task is its learner's own. To anybody else it is not there.

import { expect, test } from '../fixtures/story';

const NOBODYS = '00000000-0000-4000-8000-000000000000';

test('somebody else with the address of a task sees what there is to see: nothing', async ({ harbour }) => {
  const phone = await harbour.device();
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'A question of my own?');
  await phone.seeStatus('awaiting_review');

  const other = await harbour.device();
  await other.signUp();
  await other.open(`/tasks/${task}`);
  await expect(other.status).toContainText('No such task');
  await expect(other.page.getByRole('banner')).toContainText('Up to date');
  await expect(other.page.getByText('A question of my own?')).toHaveCount(0);

  // The same answer for a task of somebody else and for one that never was.
  for (const [path, rest] of [
    ['tasks/read', {}],
    ['tasks/draft', { version: 1 }],
    ['tasks/events', { after_seq: 0 }],
    ['tasks/cancel', { op_id: '00000000-0000-4000-8000-000000000001' }],
  ] as const) {
    const theirs = await other.ask(path, { task_id: task, ...rest });
    const nobodys = await other.ask(path, { task_id: NOBODYS, ...rest });
    expect(theirs.status, path).toBe(404);
    expect(theirs, path).toEqual(nobodys);
  }
  expect(await other.askForStream(task)).toBe(404);
  expect(await phone.askForStream(task)).toBe(200);

  // And the task has not noticed.
  await phone.seeStatus('awaiting_review');
});
