// Nothing moves under the finger while states change: the browser's own sum of layout shifts is nought over
// the whole journey. What follows a tap or a key within half a second was asked for; it is listed apart, in
// the test's annotations.

import type { App } from '../fixtures/app';
import { QUESTION, RECORD } from '../fixtures/scenes/start';
import { type Shift, watchShifts } from '../fixtures/shifts';
import { type Harbour, expect, test } from '../fixtures/story';

const SIZES = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
];

/** Slow enough for each state to be painted. */
const SLOW = { env: { MOORING_MODEL_DELAY: '4s' }, faults: 'lookup.before_call=delay:4000' };

/** What nobody asked for; what somebody did is noted. */
function unasked(shifts: Shift[], when: string): Shift[] {
  const asked = shifts.filter(({ afterInput }) => afterInput);
  if (asked.length > 0) {
    test.info().annotations.push({ type: 'moved after a tap or key', description: `${when}: ${total(asked).toFixed(4)}` });
  }
  return shifts.filter(({ afterInput }) => !afterInput);
}

function total(shifts: Shift[]): number {
  return shifts.reduce((sum, { value }) => sum + value, 0);
}

/** Shifts are reported with the next frame but one. */
async function painted({ page }: App): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))));
}

type Watched = {
  phone: App;
  /** Nothing has moved unasked since it was last called. */
  still: (when: string) => Promise<void>;
};

async function deviceOf(harbour: Harbour, size: { width: number; height: number }): Promise<Watched> {
  const phone = await harbour.device(await harbour.mooring(SLOW));
  await phone.page.setViewportSize(size);
  const shifts = await watchShifts(phone.context);
  const still = async (when: string): Promise<void> => {
    await painted(phone);
    const now = unasked(shifts.splice(0), when);
    expect.soft(now, `${when}: ${total(now).toFixed(4)}`).toEqual([]);
  };
  return { phone, still };
}

for (const size of SIZES) {
  test(`nothing moves from sign-up to the library, at ${size.width} px`, async ({ harbour }) => {
    const { phone, still } = await deviceOf(harbour, size);
    await phone.signUp();
    await phone.open('/');
    await expect(phone.page.getByRole('option', { name: RECORD })).toBeAttached();
    await phone.isKept();
    await still('the start page');

    await phone.start(RECORD, QUESTION);
    await phone.seeStatus('created', 'Looking up the record');
    await still('looking up');
    await phone.seeStatus('evidence_saved', 'Generating the draft');
    await still('generating');
    await phone.seeStatus('awaiting_review');
    await still('review');
    await phone.draft.pressSequentially('A', { delay: 30 });
    await still('the first letter');
    await phone.press('Save edit');
    await phone.seeStatus('awaiting_review', 'version 2');
    await still('an edit is saved');
    await phone.press('Accept version 2');
    await phone.seeStatus('saved', 'Saved');
    await still('saved');
    await phone.link('Open in library').click();
    await expect(phone.heading(RECORD)).toBeVisible();
    await still('the library entry');
    await phone.open('/library');
    await expect(phone.link(new RegExp(RECORD))).toBeVisible();
    await still('the library');
    await phone.open('/tasks');
    await expect(phone.link(new RegExp(RECORD))).toBeVisible();
    await still('the tasks');
  });

  test(`nothing moves when the network goes and comes and the page is opened again, at ${size.width} px`, async ({ harbour }) => {
    const { phone, still } = await deviceOf(harbour, size);
    await phone.signUp();
    await phone.start(RECORD, QUESTION);
    await phone.seeStatus('awaiting_review');
    await still('review');
    const gate = phone.network.hold({ only: '/api/' });
    await phone.reload();
    await expect(phone.status).toContainText('Status unknown');
    await expect(phone.heading('Draft')).toBeVisible();
    await still('unknown');
    gate.open();
    phone.network.mend();
    await phone.seeStatus('awaiting_review');
    await still('confirmed again');
    await phone.loseNetwork();
    await expect(phone.status).toContainText('Status unknown', { timeout: 40_000 });
    await still('the network is gone');
    phone.network.restore();
    await phone.seeStatus('awaiting_review');
    await still('the network is back');
  });
}
