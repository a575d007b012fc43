// What a device keeps: blocked, full, cut, cleared. The truth comes from the server, and a warning is plain.

import type { App } from '../fixtures/app';
import { expect, test } from '../fixtures/story';

const RECORD = 'Wheel throwing for beginners';

const stored = (phone: App): Promise<Record<string, string>> => phone.page.evaluate(() => ({ ...localStorage }));

/** A new tab, on a device that has kept these values and no others; they are there before any program runs. */
async function openWith(phone: App, path: string, values: Record<string, string>): Promise<void> {
  await phone.closeTab();
  phone.page = await phone.context.newPage();
  await phone.page.addInitScript((all) => {
    if (sessionStorage.getItem('put') === null) {
      sessionStorage.setItem('put', 'once');
      localStorage.clear();
      Object.entries(all).forEach(([key, value]) => localStorage.setItem(key, value));
    }
  }, values);
  await phone.open(path);
}

test('C10: reading local storage throws: the whole online journey works, with a notice and without an error', async ({
  harbour,
}) => {
  const phone = await harbour.device();
  await phone.context.addInitScript(() => {
    const blocked = (): never => {
      throw new DOMException('The operation is insecure.', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { get: blocked });
    Object.defineProperty(window, 'sessionStorage', { get: blocked });
  });
  await phone.signUp();
  const task = await phone.start(RECORD, 'Is anything kept here?');
  await phone.seeStatus('awaiting_review');
  await expect(phone.page.getByText('This browser does not let Mooring keep anything.')).toBeVisible();
  await phone.edit('Sent at once.');
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.reload();
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  await phone.open('/library');
  await phone.link(new RegExp(RECORD)).click();
  await expect(phone.page.getByText('Sent at once.')).toBeVisible();
  // The watch fails the story at any error of the page.
  await harbour.ends(phone, { task, state: 'saved', version: 2, text: 'Sent at once.' });
});

test('C11: storage is full: the text stays in the box, a plain warning, no claim that it is kept', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Is there room?');
  await phone.seeStatus('awaiting_review');
  await phone.page.evaluate(() => {
    // To the last character that fits.
    let filling = '';
    for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
      try {
        localStorage.setItem('filling', filling + 'x'.repeat(size));
        filling += 'x'.repeat(size);
        size *= 2;
      } catch {
        // Half as much may fit.
      }
    }
  });
  harbour.watch.startOver();
  const text = 'A text for which there is no room. '.repeat(20);
  await phone.draft.fill(text);
  await expect(phone.page.getByText('There is no room left on this device.')).toBeVisible();
  await expect(phone.draft).toHaveValue(text);

  await phone.loseNetwork();
  await phone.press('Save edit');
  await expect(phone.outbox).toBeVisible();
  expect(await phone.draftText()).toBe(text);
  await expect(phone.page.getByText('There is no room left on this device.')).toBeVisible();
  const sentences = harbour.watch.lines.flatMap((line) => line.text.split(/(?<=[.!?]) /));
  const claims = sentences.filter((said) => /\bkept on this device\b/i.test(said) && !/\bnot kept\b/i.test(said));
  expect(claims, 'claims that it is kept').toEqual([]);

  // While the tab lives it is sent; then there is room again.
  phone.network.restore();
  await phone.nothingWaits();
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.page.evaluate(() => localStorage.removeItem('filling'));
  await phone.reload();
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('C12: any stored value is cut in half: the page boots, the others are intact, the cut one is kept aside', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'What if half of it is gone?');
  await phone.seeStatus('awaiting_review');
  await phone.loseNetwork();
  await phone.edit('An edit that waits.');
  await phone.draft.fill('A text that was typed.');
  await expect(phone.outbox).toBeVisible();
  await phone.open('/');
  await phone.page.getByLabel('Question').fill('A question that was typed.');
  const whole = await stored(phone);
  expect(Object.keys(whole).length).toBeGreaterThan(5);

  for (const key of Object.keys(whole)) {
    const half = (whole[key] ?? '').slice(0, Math.max(1, (whole[key] ?? '').length / 2));
    // Where it is read: the form and what it offers are at home.
    const path = /start|current|records/.test(key) ? '/' : `/tasks/${task}`;
    await openWith(phone, path, { ...whole, [key]: half });
    // The program has taken the place of the shell, and so has read what it wants to know.
    await expect(phone.page.getByText('Mooring is loading')).toHaveCount(0);
    await expect(phone.page.getByRole('main')).toBeVisible();
    const now = await stored(phone);
    const raw = Object.entries(now).filter(([, value]) => value === half).map(([name]) => name);
    expect(raw.length, `${key}, cut, is still there`).toBeGreaterThan(0);
    const others = Object.keys(whole).filter((name) => name !== key && now[name] !== whole[name]);
    expect(others, `others that changed when ${key} was cut`).toEqual([]);
  }

  await openWith(phone, `/tasks/${task}`, whole);
  phone.network.restore();
  await phone.nothingWaits();
  await expect(phone.draft).toHaveValue('A text that was typed.');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'An edit that waits.' });
});

test("C13: storage is cleared, the cookie is kept: the server's task is offered again", async ({ harbour, phone }) => {
  const task = await phone.start(RECORD, 'Who remembers me?');
  await phone.seeStatus('awaiting_review');
  await phone.draft.fill('Typed before it was cleared.');
  await phone.page.evaluate(() => localStorage.clear());
  await expect(phone.draft).toHaveValue('Typed before it was cleared.');
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'version 2');

  await phone.page.evaluate(() => localStorage.clear());
  await phone.reopen('/');
  await phone.link('Open').click();
  await expect(phone.page).toHaveURL(new RegExp(`/tasks/${task}$`));
  await phone.seeStatus('awaiting_review', 'version 2');
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'Typed before it was cleared.' });
});

test('C14: a newer build wrote what this one cannot read: it boots, and the unsent text is there when the newer one returns', async ({
  harbour,
  phone,
}) => {
  const task = await phone.start(RECORD, 'Who wrote this?');
  await phone.seeStatus('awaiting_review');
  await phone.draft.fill('An unsent text.');
  await phone.loseNetwork();
  const written = await stored(phone);
  const asNewer = (value: string): string => `newer:${value}`;
  const keys = Object.keys(written).filter((key) => key.startsWith('mooring.') && !/\.(who|current)$|\.who$/.test(key));
  expect(keys.some((key) => key.includes('text.'))).toBe(true);

  // The older one boots, and works.
  const newer = Object.fromEntries(keys.map((key) => [key, asNewer(written[key] ?? '')]));
  await openWith(phone, `/tasks/${task}`, { ...written, ...newer });
  await expect(phone.status).toContainText('Status unknown');
  await phone.reload();
  phone.network.restore();
  await phone.seeStatus('awaiting_review', 'version 1');
  const kept = Object.entries(await stored(phone));
  for (const key of keys.filter((key) => key.includes('text.'))) {
    expect(kept.map(([, value]) => value), `${key} is kept as it was`).toContain(asNewer(written[key] ?? ''));
  }

  // The newer one returns, which can read what it wrote.
  const readable = kept.map(([key, value]) => [key, value.replace(/^newer:/, '')]);
  await openWith(phone, `/tasks/${task}`, Object.fromEntries(readable) as Record<string, string>);
  await phone.seeStatus('awaiting_review');
  await expect(phone.draft).toHaveValue('An unsent text.');
  await phone.press('Save edit');
  await phone.nothingWaits();
  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text: 'An unsent text.' });
});

test('what this page alone holds is asked about before it is left, and nothing else is', async ({ phone }) => {
  await phone.start(RECORD, 'May I leave?');
  await phone.seeStatus('awaiting_review');
  const asked: string[] = [];
  phone.page.on('dialog', async (dialog) => {
    asked.push(dialog.type());
    await dialog.accept();
  });
  await phone.draft.fill('This one is kept.');
  await phone.reload();
  await expect(phone.draft).toHaveValue('This one is kept.');
  expect(asked).toEqual([]);

  await phone.page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('Full.', 'QuotaExceededError');
    };
  });
  await phone.draft.pressSequentially(' And this one is not.');
  await expect(phone.page.getByText('There is no room left on this device.')).toBeVisible();
  await phone.reload();
  expect(asked).toEqual(['beforeunload']);
});
