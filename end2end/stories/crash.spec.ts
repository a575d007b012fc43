// The server dies. What it had found is found again; what it was doing is done once.

import { expect, test } from '../fixtures/story';

test('the server is killed after the evidence is stored, and started again', async ({ harbour }) => {
  const mooring = await harbour.mooring({
    faults: 'draft.before_call=delay:600000',
    env: { MOORING_LEASE: '2s' },
  });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('evidence_saved', 'Generating the draft');
  const seen = phone.page.getByText('An apron, a towel, short nails').first();
  await expect(seen).toBeVisible();

  await mooring.kill();
  await expect(phone.status).toContainText('Status unknown', { timeout: 40_000 });
  await expect(seen).toBeVisible();

  await mooring.again({ env: { MOORING_LEASE: '2s' } });
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  const kinds = await phone.events(task);
  expect(kinds.filter((kind) => kind === 'source_found'), 'the evidence was not looked up again').toHaveLength(1);
  expect(kinds.filter((kind) => kind === 'draft_produced')).toHaveLength(1);
});

test('the server dies between the save and its confirmation: it is saved once', async ({ harbour }) => {
  const mooring = await harbour.mooring({ faults: 'save.after_effect=abort', env: { MOORING_LEASE: '2s' } });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const task = await phone.start('Bookbinding: your first sewn book', 'What does it cost?');
  await phone.seeStatus('awaiting_review');
  await phone.press('Accept version 1');
  await expect(phone.status).toContainText('Status unknown', { timeout: 40_000 });

  // It has died by itself.
  await mooring.kill();
  await mooring.again();
  await phone.seeStatus('saved', 'Saved');
  expect(await phone.library()).toMatchObject([{ task_id: task, draft_version: 1 }]);
  const kinds = await phone.events(task);
  expect(kinds.filter((kind) => kind === 'save_confirmed')).toHaveLength(1);
});
