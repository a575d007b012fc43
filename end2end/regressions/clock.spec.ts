// Clocks that are wrong, and time that passes without a word: the server's time is what counts.

import { expect, test } from '../fixtures/story';

const RECORD = 'Wheel throwing for beginners';
const HOUR = 3_600_000;

for (const [what, shift] of [
  ['three hours ahead', 3 * HOUR],
  ['three hours behind', -3 * HOUR],
  ['in 2099', Date.UTC(2099, 0, 1) - Date.now()],
] as const) {
  test(`C37: the device's clock is ${what}: no future and no negative time, the server's order wins`, async ({ harbour }) => {
    const phone = await harbour.device();
    await phone.context.addInitScript((ms) => {
      const RealDate = Date;
      class WrongDate extends RealDate {
        constructor(...given: unknown[]) {
          super(...((given.length === 0 ? [RealDate.now() + ms] : given) as [number]));
        }
        static override now(): number {
          return RealDate.now() + ms;
        }
      }
      window.Date = WrongDate as DateConstructor;
    }, shift);
    const began = Date.now();
    await phone.signUp();
    const task = await phone.start(RECORD, 'What time is it?');
    await phone.seeStatus('awaiting_review');
    await phone.edit('The first.');
    await phone.seeStatus('awaiting_review', 'version 2');
    const laptop = await harbour.device();
    await laptop.signIn(phone.learner);
    await laptop.open(`/tasks/${task}`);
    await laptop.seeStatus('awaiting_review');
    await laptop.edit('The second, from a device with a better clock.');
    await phone.seeStatus('awaiting_review', 'version 3');
    await phone.loseNetwork();
    await phone.reload();
    await expect(phone.status).toContainText('Status unknown');
    phone.network.restore();
    await phone.seeStatus('awaiting_review', 'version 3');
    await phone.page.getByText('What happened', { exact: true }).click();
    await expect(phone.page.getByText('You edited the draft (version 3)').first()).toBeVisible();
    await phone.open('/tasks');
    await expect(phone.link(new RegExp(RECORD))).toBeVisible();

    // Every time that was on the screen lies between the beginning of this story and now.
    const texts = harbour.watch.lines.filter(({ under }) => under !== 'Evidence').map(({ text }) => text);
    const clock = (at: number): string =>
      new Date(at).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: 'Europe/Lisbon' });
    const minutes = new Set<string>();
    for (let at = began - 60_000; at < Date.now() + 60_000; at += 60_000) {
      minutes.add(clock(at));
    }
    const times = texts.flatMap((text) => text.match(/\b\d\d:\d\d\b/g) ?? []);
    expect(times.length).toBeGreaterThan(2);
    expect(times.filter((time) => !minutes.has(time)), `times outside of ${[...minutes].join(', ')}`).toEqual([]);
    expect(texts.filter((text) => /2099|-\d+ (second|minute|hour)|\bin \d+ (second|minute|hour)/.test(text))).toEqual([]);
    const text = 'The second, from a device with a better clock.';
    await harbour.ends(phone, { task, state: 'awaiting_review', version: 3, text, also: ['The first.'] });
  });
}

test('C42: the lease runs out while the page is open and no event comes: "Generating" becomes "waiting"', async ({
  harbour,
}) => {
  const mooring = await harbour.mooring({ env: { MOORING_LEASE: '4s', MOORING_MODEL_DELAY: '9s' } });
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const task = await phone.start(RECORD, 'Is anybody still at it?');
  await phone.seeStatus('evidence_saved', 'Generating the draft');
  phone.network.fail({ kind: 'freeze-stream' }, { kind: 'blackhole', only: '/api/' });
  await expect(phone.status).not.toContainText('Generating', { timeout: 8_000 });
  await expect(phone.status).toContainText('waiting to be drafted', { ignoreCase: true });

  // A page that has just opened knows no time yet: what it knew last is said with its time, as last known.
  await phone.reload();
  await expect(phone.status).toContainText(/Status unknown.*Last known: .*\d\d:\d\d/);
  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'version 1');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});
