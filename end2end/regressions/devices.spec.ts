// Two devices of one learner: what one has not heard of the other is asked, never guessed.

import type { App } from '../fixtures/app';
import { backToKept, watchReturns } from '../fixtures/memory';
import { type Harbour, expect, test } from '../fixtures/story';

const RECORD = 'Wheel throwing for beginners';

/** A second device with the same task before it. */
async function laptopAt(harbour: Harbour, phone: App, task: string): Promise<App> {
  const laptop = await harbour.device(phone.mooring);
  await laptop.signIn(phone.learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review');
  return laptop;
}

/** Without a network an edit waits, and more is typed over it; a second device knows nothing of either. */
async function typedOverAnEdit(harbour: Harbour, phone: App, question: string): Promise<{ task: string; laptop: App }> {
  const task = await phone.start(RECORD, question);
  await phone.seeStatus('awaiting_review');
  const laptop = await laptopAt(harbour, phone, task);
  await phone.loseNetwork();
  await phone.edit('Mine, first.');
  await phone.draft.pressSequentially(' And more.');
  return { task, laptop };
}

test('C15: the remembered task is not there any more: recovered within this load, three requests at most', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Which one was I at?');
  await phone.seeStatus('awaiting_review');
  await phone.page.evaluate((real) => {
    const gone = '00000000-0000-4000-8000-00000000dead';
    for (const key of Object.keys(localStorage).filter((key) => /current|snapshot/.test(key))) {
      const value = localStorage.getItem(key) ?? '';
      localStorage.removeItem(key);
      localStorage.setItem(key.replace(real, gone), value.replaceAll(real, gone));
    }
  }, task);
  await phone.open('/about');
  const mark = phone.network.log.mark();
  await phone.open('/');
  await phone.link('Open').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${task}$`));
  const asked = phone.network.log.since(mark).filter(({ path }) => /tasks\/(read|list)$/.test(path));
  const recovered = asked.findIndex(({ path }) => path.endsWith('tasks/list')) + 1;
  expect(recovered, 'requests until the right task was known').toBeGreaterThan(0);
  expect(recovered).toBeLessThanOrEqual(3);
  await harbour.ends(phone, { task, state: 'awaiting_review' });
});

for (const choice of ['accept', 'keep mine'] as const) {
  test(`C24: an accept of version 3 waits while another device makes version 4: both are shown, then "${choice}"`, async ({
    harbour,
    phone,
  }) => {
    const task = await phone.start(RECORD, 'Whose text counts?');
    await phone.seeStatus('awaiting_review');
    await phone.edit('The second version.');
    await phone.seeStatus('awaiting_review', 'version 2');
    await phone.edit('Mine, the third version.');
    await phone.seeStatus('awaiting_review', 'version 3');
    const laptop = await laptopAt(harbour, phone, task);

    // The stream is silent first, so that the phone hears nothing of the fourth version.
    await phone.loseNetwork();
    await phone.press('Accept version 3');
    await phone.reload();
    await expect(phone.outbox).toContainText('Kept on this device');
    await laptop.edit('Theirs, the fourth version.');
    await laptop.seeVersion(4);
    phone.network.restore();

    await expect(phone.status).toContainText('Version 3 was not accepted', { timeout: 30_000 });
    await phone.reload();
    await expect(phone.status).toContainText('Version 3 was not accepted', { timeout: 30_000 });
    await expect(phone.heading('What is different')).toBeVisible();
    await phone.page.getByText('Read both in full').click();
    for (const text of ['Mine, the third version.', 'Theirs, the fourth version.']) {
      await expect(phone.page.getByText(text).first()).toBeVisible();
    }
    expect(await phone.library()).toEqual([]);

    const also = ['Mine, the third version.', 'Theirs, the fourth version.'];
    if (choice === 'accept') {
      await phone.press('Accept version 4');
      await phone.seeStatus('saved', 'Saved');
      await phone.nothingWaits();
      await harbour.ends(phone, { task, state: 'saved', version: 4, text: 'Theirs, the fourth version.', also });
    } else {
      await phone.press('Keep mine as version 5');
      await phone.seeStatus('awaiting_review', 'version 5');
      await phone.nothingWaits();
      await harbour.ends(phone, { task, state: 'awaiting_review', version: 5, text: 'Mine, the third version.', also });
    }
  });
}

test('C24: typed over an edit that was then discarded: another device’s version is not written over', async ({ harbour, phone }) => {
  const { task, laptop } = await typedOverAnEdit(harbour, phone, 'What does it build on?');
  await phone.press('Discard');
  await phone.press('Discard it for good');
  await laptop.edit('Theirs.');
  await laptop.seeStatus('awaiting_review', 'version 2');
  phone.network.restore();
  await expect(phone.status).toHaveAttribute('data-version', '2', { timeout: 30_000 });
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Your edit of version 1 was not saved');
  expect(await laptop.draftText()).toBe('Theirs.');
  await phone.press('Keep mine as version 3');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text: 'Mine, first. And more.', also: ['Theirs.'] });
});

test('C25: typed over an edit that was refused and kept all the same: no conflict with oneself', async ({ harbour, phone }) => {
  const { task, laptop } = await typedOverAnEdit(harbour, phone, 'With whom is the conflict?');
  await laptop.edit('Theirs.');
  await laptop.seeStatus('awaiting_review', 'version 2');
  phone.network.restore();
  await phone.press('Keep mine as version 3');
  await phone.seeStatus('awaiting_review', 'version 3');
  expect(await phone.draftText()).toBe('Mine, first. And more.');
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'version 4');
  await harbour.ends(phone, {
    task,
    state: 'awaiting_review',
    version: 4,
    text: 'Mine, first. And more.',
    also: ['Theirs.', 'Mine, first.'],
  });
});

test('C24: edited and edited back without a network: what is accepted bears the number that it will have', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Which number will it be?');
  await phone.seeStatus('awaiting_review');
  const first = await phone.draftText();
  await phone.loseNetwork();
  await phone.edit('Something else.');
  await phone.edit(first);
  await phone.press('Accept version 3');
  phone.network.restore();
  await phone.seeStatus('saved', 'Version 3');
  await harbour.ends(phone, { task, state: 'saved', version: 3, text: first, also: ['Something else.'] });
});

test('C32: away, changed on another device, then Back: unknown first, then the new version', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'What changes behind my back?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const laptop = await laptopAt(harbour, phone, task);
  await phone.open('/about');
  await expect(phone.page.getByRole('heading').first()).toBeVisible();
  await laptop.edit('Written while the phone was away.');
  await laptop.seeVersion(2);

  harbour.watch.startOver();
  const gate = phone.network.hold({ only: '/api/' });
  await phone.page.goBack();
  await expect(phone.status).toContainText('Status unknown');
  await expect(phone.status).toContainText('Last known: awaiting review, version 1');
  gate.open();
  phone.network.mend();
  await phone.seeStatus('awaiting_review', 'version 2');
  expect(await phone.draftText()).toBe('Written while the phone was away.');
  expect(harbour.watch.seen.find(({ url }) => url.includes(task))?.freshness).toBe('unknown');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Written while the phone was away.' });
});

test('C32: away and Back to a page that the browser has kept: unknown in its first paint, then the new version', async ({
  harbour,
}) => {
  const profile = await harbour.profile();
  const phone = await profile.open({ remembersPages: true });
  await watchReturns(phone.page);
  await phone.signUp();
  const task = await phone.start(RECORD, 'What does a kept page know?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const laptop = await laptopAt(harbour, phone, task);
  await phone.open('/about');
  await expect(phone.page.getByRole('heading').first()).toBeVisible();
  await laptop.edit('Written while the page was kept.');
  await laptop.seeVersion(2);

  const painted = await backToKept(phone.page);
  expect(painted).toContain('Status unknown');
  expect(painted).toContain('Last known: awaiting review, version 1');
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.reload();
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Written while the page was kept.' });
});
