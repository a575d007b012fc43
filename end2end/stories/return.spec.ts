// Closing the tab, and coming back.

import { expect, test } from '../fixtures/story';

const SLOW_MODEL = { env: { MOORING_MODEL_DELAY: '3s' } };

test('the tab is closed after Start and opened again: the task has gone on', async ({ harbour }) => {
  const phone = await harbour.device(await harbour.mooring(SLOW_MODEL));
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'Where is it?');
  await phone.closeTab();

  harbour.watch.startOver();
  await phone.openTab('/');
  await phone.link('Open').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${task}$`));
  await phone.seeStatus('awaiting_review', 'version 1');
  expect(await phone.events(task)).toEqual(expect.arrayContaining(['started', 'source_found', 'draft_produced']));
  expect(harbour.watch.seen[0]?.text).toMatch(/^Status unknown/);
});

test('a reopened tab says first that the status is unknown, and what was known last', async ({ harbour, phone }) => {
  await phone.start('Wheel throwing for beginners', 'What does it cost?');
  await phone.seeStatus('awaiting_review');

  // The server's answers are held back, so that what comes before them can be looked at in peace.
  phone.network.fail({ kind: 'blackhole', only: '/api/' });
  harbour.watch.startOver();
  await phone.reopen();
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.status).toContainText('Last known: awaiting review', { ignoreCase: true });
  await expect(phone.status).toHaveAttribute('data-state', 'awaiting_review');
  await expect(phone.status).not.toHaveAttribute('data-freshness', 'confirmed');
  await expect(phone.heading('Draft')).toBeVisible();

  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  const before = harbour.watch.seen.findIndex((seen) => seen.freshness === 'confirmed');
  for (const seen of harbour.watch.seen.slice(0, before)) {
    expect(seen.text).toMatch(/^Status unknown/);
  }
});

test('the tab is closed while the draft is generated; another browser shows it', async ({ harbour }) => {
  const mooring = await harbour.mooring(SLOW_MODEL);
  const phone = await harbour.device(mooring);
  const learner = await phone.signUp();
  const task = await phone.start('Bookbinding: your first sewn book', 'What should I bring?');
  await phone.seeStatus('evidence_saved', 'Generating the draft');
  await phone.closeTab();

  const laptop = await harbour.device(mooring);
  await laptop.signIn(learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review', 'Awaiting review (version 1)');
  await expect(laptop.heading('Evidence')).toBeVisible();
  expect(await laptop.draftText()).not.toBe('');
  const kinds = await laptop.events(task);
  expect(kinds.filter((kind) => kind === 'draft_produced')).toHaveLength(1);
});

test('a page that is looked at again says in the header, too, that it asks', async ({ phone }) => {
  await phone.start('Wheel throwing for beginners', 'What is known now?');
  await phone.seeStatus('awaiting_review');
  const header = phone.page.getByRole('banner');
  await expect(header).toContainText('Up to date');
  phone.network.hold({ only: '/api/v1/tasks/read', of: 'reply' });
  await phone.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(phone.status).toContainText('Checking with the server.');
  await expect(header).toContainText('Checking');
  await expect(header).not.toContainText('Up to date');
  phone.network.mend();
  await phone.seeStatus('awaiting_review');
  await expect(header).toContainText('Up to date');
});

test('while the start page asks whether there is a task, it says so and nothing of a task', async ({ phone }) => {
  const gate = phone.network.hold({ only: '/api/v1/tasks/list', of: 'reply' });
  await phone.open('/');
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.status).toContainText('Looking for your tasks. The server is asked.');
  expect(gate.waiting).toBeGreaterThan(0);
  phone.network.mend();
  await expect(phone.status).not.toContainText('unknown');
});
