// A draft and its versions: what is to be read next comes first, and what changed can be seen.

import { expect, test } from '../fixtures/story';

test('the draft stands above the evidence on a phone, and the evidence is one tap away', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review');
  const top = async (name: string): Promise<number> => (await phone.heading(name).boundingBox())?.y ?? 0;
  expect(await top('Draft')).toBeLessThan(await top('Evidence'));

  await phone.link('Go to the evidence').click();
  await expect(phone.heading('Evidence')).toBeInViewport();
  await phone.page.goBack();
  await phone.seeStatus('awaiting_review');
  await expect(phone.draft).toBeVisible();

  await phone.page.setViewportSize({ width: 1280, height: 800 });
  const left = async (name: string): Promise<number> => (await phone.heading(name).boundingBox())?.x ?? 0;
  expect(await left('Evidence')).toBeLessThan(await left('Draft'));
  await expect(phone.link('Go to the evidence')).toBeHidden();
});

test('what changed from one version to another is shown word by word, and side by side where little is the same', async ({ phone }) => {
  await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review');
  await phone.edit('The first text of a learner.');
  await phone.seeVersion(2);
  await phone.edit('The second text of a learner.');
  await phone.seeVersion(3);

  await phone.page.getByText('What changed since version 2', { exact: true }).click();
  await expect(phone.page.getByRole('deletion')).toHaveText('first');
  await expect(phone.page.getByRole('insertion')).toHaveText('second');

  await expect(phone.page.getByText('version 3, by you', { exact: true })).toBeVisible();
  await phone.page.getByRole('group', { name: 'Versions' }).getByRole('button', { name: /^1/ }).click();
  await expect(phone.page.getByText('version 1, by a simulated model', { exact: false }).first()).toBeVisible();
  await expect(phone.page.getByText('version 3, by you', { exact: true })).toHaveCount(0);
  await expect(phone.page.getByText('What changed since version 1', { exact: true })).toBeVisible();
  await expect(phone.heading('Version 1')).toBeVisible();
  await expect(phone.heading('Version 3, current')).toBeVisible();
  await expect(phone.page.getByRole('insertion')).toHaveCount(0);
});

test('each step says how long it took, and the whole too', async ({ phone }) => {
  await phone.start('Bookbinding: your first sewn book', 'What does it cost?');
  await phone.seeStatus('awaiting_review');
  const step = (name: string) => phone.page.getByRole('list', { name: 'Progress' }).getByRole('listitem').filter({ hasText: name });
  await expect(step('Look up')).toHaveText(/done (under )?\d+ s$/);
  await expect(step('Draft')).toHaveText(/done (under )?\d+ s$/);
  await expect(phone.page.getByText(/^Started today at \d\d:\d\d\.$/)).toBeVisible();
  await phone.press('Accept version 1');
  await phone.seeStatus('saved');
  for (const name of ['Look up', 'Draft', 'Review', 'Save']) {
    await expect(step(name)).toHaveText(/done (under )?\d+ s$/);
  }
  await expect(phone.page.getByText(/^Started today at \d\d:\d\d\. It took (under )?\d+ s in all\.$/)).toBeVisible();
});

test('seconds are counted while a draft is being written', async ({ harbour }) => {
  const mooring = await harbour.mooring({ faults: 'draft.before_call=delay:600000' });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('evidence_saved', 'Generating the draft');
  const drafting = phone.page.getByRole('listitem').filter({ hasText: 'Draft, now' });
  await expect(drafting).toHaveText(/now 2 s$/);
  await expect(drafting).toHaveText(/now 4 s$/);
  // No worker, no figure.
  await mooring.kill();
  await expect(phone.status).toContainText('Status unknown', { timeout: 40_000 });
  await expect(drafting).toHaveText(/now\s*$/);
});
