// Writing: no character is lost, whatever arrives or closes meanwhile.

import { expect, test } from '../fixtures/story';
import { rounds } from '../fixtures/rounds';
import { after } from '../fixtures/until';

const RECORD = 'Wheel throwing for beginners';

test('C27: forty characters typed, the tab closed after 0, 50 and 200 ms: at most one is lost', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Does every letter count?');
  await phone.seeStatus('awaiting_review');
  const typed = 'forty characters, typed as fast as can be'.slice(0, 40);
  for (let round = 0; round < rounds(1, 10); round += 1) {
    for (const ms of [0, 50, 200]) {
      await phone.draft.fill('');
      await phone.draft.pressSequentially(typed);
      await after(ms);
      await phone.reopen();
      await expect(phone.draft).toHaveValue(new RegExp(`^${typed.slice(0, 39)}.?$`));
    }
  }
  await phone.loseNetwork();
  await phone.reload();
  await expect(phone.draft).toHaveValue(new RegExp(`^${typed.slice(0, 39)}`));
  await phone.draft.fill(typed);
  await phone.press('Save edit');
  phone.network.restore();
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: typed });
});

test('C28: composed with an input method while a push arrives: the exact text, the caret in place', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'What about 漢字?');
  await phone.seeStatus('awaiting_review');
  const laptop = await harbour.device();
  await laptop.signIn(phone.learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review');
  const keys = await phone.page.context().newCDPSession(phone.page);

  // From the first key on: nothing has been written yet when the push arrives.
  await phone.draft.fill('');
  await phone.draft.pressSequentially('ab');
  await phone.draft.press('ArrowLeft');
  await keys.send('Input.imeSetComposition', { text: 'に', selectionStart: 1, selectionEnd: 1 });
  await laptop.edit('A push from the laptop.');
  await laptop.seeVersion(2);
  await phone.seeVersion(2);
  await keys.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
  await laptop.edit('Another push.');
  await phone.seeVersion(3);
  await expect(phone.page.getByText('A newer version has come. Save your edit')).toBeVisible();
  await keys.send('Input.imeSetComposition', { text: '日本👩‍🎨', selectionStart: 7, selectionEnd: 7 });
  await keys.send('Input.insertText', { text: '日本👩‍🎨' });
  await expect(phone.draft).toHaveValue('a日本👩‍🎨b');
  const caret = await phone.draft.evaluate((field: HTMLTextAreaElement) => field.selectionStart);
  expect(caret, 'the caret stands behind what was composed').toBe('a日本👩‍🎨'.length);

  await phone.reload();
  await expect(phone.draft).toHaveValue('a日本👩‍🎨b');
  const also = ['A push from the laptop.'];
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text: 'Another push.', also });
});

test('C28: the field is entered and composed in, nothing typed before, when a push arrives', async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'And from the first key?');
  await phone.seeStatus('awaiting_review');
  const laptop = await harbour.device();
  await laptop.signIn(phone.learner);
  await laptop.open(`/tasks/${task}`);
  await laptop.seeStatus('awaiting_review');
  const keys = await phone.page.context().newCDPSession(phone.page);
  await phone.draft.focus();
  await phone.draft.press('Control+End');
  const before = await phone.draftText();
  await keys.send('Input.imeSetComposition', { text: 'か', selectionStart: 1, selectionEnd: 1 });
  await laptop.edit('While something is composed.');
  await phone.seeVersion(2);
  await keys.send('Input.insertText', { text: '仮' });
  await expect(phone.draft).toHaveValue(`${before}仮`);
  await phone.reload();
  await expect(phone.draft).toHaveValue(`${before}仮`);
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'While something is composed.' });
});
