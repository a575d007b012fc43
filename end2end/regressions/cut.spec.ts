// The network breaks off, lies, keeps still and comes back. What was pressed is kept and done once.

import { Gate } from '../fixtures/network';
import { expect, test } from '../fixtures/story';
import { after } from '../fixtures/until';

const RECORD = 'Wheel throwing for beginners';

test('C1: refused connections, while the browser believes in its network: within 5 s it is on this device', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nWritten in the lift.`;

  await phone.loseNetwork();
  await phone.edit(text);
  await expect(phone.outbox).toContainText('on this device', { timeout: 5_000 });
  expect(await phone.page.evaluate(() => navigator.onLine)).toBe(true);

  await phone.reload();
  await expect(phone.outbox).toContainText('on this device');
  expect(await phone.draftText()).toBe(text);
  expect(harbour.watch.hasRead(/^Saved/)).toBe(false);

  phone.network.restore();
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('C2: the word that there is a network comes two seconds early: the queue empties within 10 s', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'When does it start?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('Kept until the tunnel ends.');
  await phone.reload();
  await expect(phone.outbox).toBeVisible();

  await phone.page.evaluate(() => window.dispatchEvent(new Event('online')));
  await after(2_000);
  phone.network.mend();
  await phone.nothingWaits(10_000);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Kept until the tunnel ends.' });
});

test('C3: the network comes back without a word: the queue empties within 30 s', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'What does it cost?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('Nobody says when it is back.');
  await phone.reload();
  await expect(phone.outbox).toBeVisible();
  // Long enough for the pauses between tries to have grown.
  await after(8_000);
  phone.network.mend();
  await phone.nothingWaits(30_000);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Nobody says when it is back.' });
});

test('C4: a portal answers everything with a page: the queue is kept, nothing is replaced', async ({ harbour, phone }) => {
  const task = await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review');
  await phone.isKept();
  phone.network.fail({ kind: 'answer', status: 200, body: '<!doctype html><h1>Welcome to the hotel</h1>' });
  await phone.edit("On the hotel's network.");
  await expect(phone.outbox).toContainText('Kept on this device');

  await phone.reload();
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.outbox).toContainText('Kept on this device');
  expect(await phone.draftText()).toBe("On the hotel's network.");
  expect(harbour.watch.hasRead(/hotel|json|parse|column|expected value/i), 'words of the portal or of a parser').toBe(false);

  phone.network.restore();
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: "On the hotel's network." });
});

test('C5: the network takes everything and never answers: not confirmed by the deadline, and all controls work', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Who teaches it?');
  await phone.seeStatus('awaiting_review');
  await phone.isKept();
  phone.network.fail({ kind: 'blackhole' });
  await phone.edit('Into the hole.');
  await expect(phone.outbox).toContainText(/not confirmed/i, { timeout: 12_000 });

  await phone.draft.fill('Written while nothing answers.');
  await phone.press('Save edit');
  await expect(phone.outbox.getByRole('listitem')).toHaveCount(2);
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('How it works').click();
  await expect(phone.page).toHaveURL(/\/about$/);
  await phone.page.goBack();

  await phone.reload();
  await expect(phone.outbox.getByRole('listitem')).toHaveCount(2);
  phone.network.restore();
  await phone.nothingWaits();
  const text = 'Written while nothing answers.';
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text, also: ['Into the hole.'] });
});

test('C7: a stream that stays open and says nothing: first not confirmed, then the new state', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Where is it?');
  await phone.seeStatus('awaiting_review');
  // What it asks for when it doubts waits at the gate, so that the doubt can be seen.
  const gate = new Gate();
  phone.network.fail({ kind: 'freeze-stream' }, { kind: 'hold', gate, only: '/tasks/read' });
  const laptop = await harbour.device();
  await laptop.signIn(phone.learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review');
  await laptop.edit('What the phone does not hear.');
  await laptop.seeVersion(2);

  await expect(phone.status).toContainText('Status unknown', { timeout: 30_000 });
  await expect(phone.status).toContainText('Last known: awaiting review, version 1');
  expect(['checking', 'unknown', 'stale']).toContain(await phone.status.getAttribute('data-freshness'));
  phone.network.mend();
  await phone.seeStatus('awaiting_review', 'version 2');

  await phone.reload();
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'What the phone does not hear.' });
});

test('C17: queued, reloaded without a network, the network returns: sent within 10 s', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Is there a lift?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('Queued before the reload.');
  await expect(phone.outbox).toBeVisible();
  await phone.reload();
  await expect(phone.outbox).toContainText('Kept on this device');
  await expect(phone.status).toContainText('Status unknown');

  phone.network.restore();
  await phone.nothingWaits(10_000);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Queued before the reload.' });
});

test('C17: queued, then the browser itself is closed and opened again without a network: sent within 10 s of its return', async ({
  harbour,
}) => {
  const profile = await harbour.profile();
  let phone = await profile.open();
  const learner = await phone.signUp();
  const task = await phone.start(RECORD, 'Does it outlive the browser?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('Written before the battery was empty.');
  await expect(phone.outbox).toContainText('Kept on this device');

  phone = await profile.open();
  phone.learner = learner;
  await phone.open(`/tasks/${task}`);
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.outbox).toContainText('Kept on this device');
  phone.network.restore();
  await phone.nothingWaits(10_000);
  const text = 'Written before the battery was empty.';
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('C19: the accept is delivered, its reply is lost, the page is reloaded: once', async ({ harbour, phone }) => {
  const task = await phone.start('Bookbinding: your first sewn book', 'What does it cost?');
  await phone.seeStatus('awaiting_review');
  // The stream must not tell either: only the lost reply knows.
  phone.network.fail({ kind: 'drop-reply', only: '/tasks/accept' }, { kind: 'refuse', only: '/api/' });
  await phone.press('Accept version 1');
  await expect(phone.outbox).toContainText(/not confirmed/i);
  await phone.reload();
  await expect(phone.outbox).toContainText(/not confirmed/i);
  expect(phone.network.log.to('/tasks/accept').some(({ delivered, answered }) => delivered && !answered)).toBe(true);
  expect(harbour.watch.hasRead(/^Saved/)).toBe(false);

  phone.network.restore();
  await phone.seeStatus('saved', 'Saved');
  await phone.nothingWaits();
  expect(phone.network.log.operations(task)).toHaveLength(2);
  await harbour.ends(phone, { task, state: 'saved' });
});

test('C38: no network, no session, a text that is too long: three sentences, none says saved', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'How many people?');
  await phone.seeStatus('awaiting_review');
  const first = await phone.draftText();
  const tooLong = 'x'.repeat(20_001);
  await phone.edit(tooLong);
  const forLong = phone.page.getByText(/at most 20000 plain letters/).first();
  await expect(forLong).toBeVisible();
  const sentences = [await forLong.innerText()];

  await phone.draft.fill('Short enough.');
  await phone.loseNetwork();
  await phone.press('Save edit');
  const forNetwork = phone.outbox.getByText(/Kept on this device/).first();
  await expect(forNetwork).toBeVisible();
  sentences.push(await forNetwork.innerText());

  await phone.reload();
  await phone.context.clearCookies();
  phone.network.restore();
  await expect(phone.page).toHaveURL(/\/sign-in/);
  const forSession = phone.page.getByText(/not signed in any more/i);
  await expect(forSession).toBeVisible();
  sentences.push(await forSession.innerText());
  expect(new Set(sentences).size).toBe(3);
  expect(sentences.filter((sentence) => /\bsaved\b/i.test(sentence))).toEqual([]);

  await phone.signIn(phone.learner);
  await phone.open(`/tasks/${task}`);
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Short enough.', also: [first] });
});

test('a start and a cancel that are pressed without a network are kept, and carried out when it is back', async ({
  harbour,
  phone,
}) => {
  const cancelled = await phone.start(RECORD, 'Is this one still wanted?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.cancel();
  await expect(phone.outbox).toContainText('Cancel the task');
  await phone.reload();
  await expect(phone.outbox).toContainText('Kept on this device');

  await phone.open('/');
  await phone.page.getByLabel('Workshop record').selectOption({ label: 'Bookbinding: your first sewn book' });
  await phone.page.getByLabel('Question').fill('Started in the tunnel?');
  await phone.press('Start');
  await expect(phone.outbox).toContainText('Start a task');
  await phone.reload();
  await expect(phone.outbox.getByRole('listitem')).toHaveCount(2);
  phone.network.restore();
  await phone.nothingWaits();

  await harbour.ends(phone, { task: cancelled, state: 'cancelled', version: 1 });
  const started = phone.network.log.to('/tasks/start').at(-1)?.task ?? '';
  expect(started).not.toBe(cancelled);
  await harbour.ends(phone, { task: started, state: 'awaiting_review', version: 1 });
});
