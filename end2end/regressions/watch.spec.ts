// The watch notices a page that says more than is known, and lets pass what is said with care.

import { expect, test } from '@playwright/test';
import { Watch } from '../fixtures/watch';
import { isUntrue } from '../fixtures/watch/claims';

const TASK = '0192f0c1-0000-7000-8000-000000000001';
const UNKNOWN = { url: `/tasks/${TASK}`, state: 'saved', freshness: 'unknown', under: '', waiting: false };
const CONFIRMED = { ...UNKNOWN, freshness: 'confirmed' };

test('a claim needs a confirmed status, unless it repeats what the server has said', () => {
  const check = (text: string, where: object = {}, said: string[] = []): boolean =>
    isUntrue({ ...UNKNOWN, text, ...where }, new Set(said));
  for (const untrue of ['已保存', '没有丢。第 2 版已在你的文库里。', 'Saved', 'Saved. Version 2.', 'Your text is saved', 'Saved, version 2', 'Not lost. It is saved.']) {
    expect(check(untrue), untrue).toBe(true);
    expect(check(untrue, CONFIRMED), `${untrue}, confirmed`).toBe(false);
    expect(check(untrue, { ...CONFIRMED, waiting: true }), `${untrue}, something waits`).toBe(true);
    expect(check(untrue, { ...CONFIRMED, state: 'accepted' }), `${untrue}, accepted`).toBe(true);
  }
  for (const careful of [
    'Last known: saved, version 2, 10:42.',
    '上次所知：已保存，第 2 版（截至今天 10:42）。',
    '你的修改没有保存',
    '正在保存第 2 版',
    'Yours is kept, and nothing went to your library: read both and choose.',
    'Your edit of version 1 was not saved',
    'You can accept version 1 now. It counts only if nothing newer has come meanwhile.',
    'You accepted it. It is saved once, whatever happens meanwhile.',
    'Kept on this device. Sent, but not confirmed.',
    'Save edit',
  ]) {
    expect(check(careful), careful).toBe(false);
  }
  for (const retold of [{ under: 'What happened' }, { url: '/library' }, { url: '/tasks' }]) {
    expect(check('Saved to your library (version 1)', retold), JSON.stringify(retold)).toBe(true);
    expect(check('Saved to your library (version 1)', retold, [TASK]), JSON.stringify(retold)).toBe(false);
  }
});

test('whatever the list holds that is not confirmed waits, wherever it is kept; what was refused does not', async ({
  page,
  context,
}) => {
  const watch = new Watch();
  await watch.over(context);
  const listed = (how: string, words: string): string =>
    `<section><ul data-testid="outbox"><li class="waiting__entry waiting__entry--${how}">${words}</li></ul></section>`;
  const status = '<p role="status" data-state="saved" data-freshness="confirmed">Known</p>';
  for (const [how, words, waits] of [
    ['queued', 'Held by this open page only.', true],
    ['unconfirmed', 'Kept on this device. Sent.', true],
    ['refused', 'Too long. Your text is kept.', false],
  ] as const) {
    const body = `<main>${status}${listed(how, words)}</main>`;
    await page.route('http://harbour.test/*', (route) => route.fulfill({ contentType: 'text/html', body }));
    await page.goto(`http://harbour.test/${how}`);
    await page.evaluate((how) => document.querySelector('main')?.insertAdjacentHTML('beforeend', `<p>Beside ${how}</p>`), how);
    await expect.poll(() => watch.lines.find(({ text }) => text === `Beside ${how}`)?.waiting, words).toBe(waits);
    await page.unroute('http://harbour.test/*');
  }
});

test('a word that is shown for a moment is seen; one that is hidden is not', async ({ page, context }) => {
  const watch = new Watch();
  await watch.over(context);
  const body = '<main><section role="status" data-state="accepted" data-freshness="confirmed"><p>Saving</p></section></main>';
  await page.route('http://harbour.test/', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto('http://harbour.test/');
  await page.evaluate(() => {
    document.querySelector('main')?.insertAdjacentHTML('beforeend', '<p hidden>Secretly saved</p><p id="p">All is well</p>');
  });
  await page.evaluate(async () => {
    const line = document.getElementById('p');
    if (line) {
      line.textContent = 'It is saved';
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      line.textContent = 'All is well again';
    }
  });
  await expect.poll(() => watch.hasRead(/All is well again/)).toBe(true);
  expect(watch.hasRead(/It is saved/)).toBe(true);
  expect(watch.hasRead(/Secretly/)).toBe(false);
  expect(() => watch.judge()).toThrow(/without a confirmation/);
});
