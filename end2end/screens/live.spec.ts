// What is said aloud: each change once, and nothing while nothing changes.

import type { Page } from '@playwright/test';
import { QUESTION, RECORD } from '../fixtures/scenes/start';
import { reviewed } from '../fixtures/scenes/task';
import { rounds } from '../fixtures/rounds';
import { expect, test } from '../fixtures/story';

type Heard = { said: string[]; beats: number };

/** Notes what the live regions say, and how often the server let hear of itself. */
function listen(): void {
  const heard: Heard = { said: [], beats: 0 };
  Object.assign(window, { heard });
  const Real = window.EventSource;
  window.EventSource = class extends Real {
    constructor(url: string | URL, init?: EventSourceInit) {
      super(url, init);
      this.addEventListener('beat', () => (heard.beats += 1));
    }
  };
  document.addEventListener('DOMContentLoaded', () => {
    const live = (node: Node): Element | null => {
      const el = node instanceof Element ? node : node.parentElement;
      const region = el?.closest('[aria-live], [role="alert"], [role="status"]') ?? null;
      return region?.getAttribute('aria-live') === 'off' ? null : region;
    };
    new MutationObserver((changes) => {
      const regions = new Set(changes.flatMap(({ target, addedNodes }) => [target, ...addedNodes].map(live)));
      regions.forEach((region) => {
        const words = region?.textContent?.trim();
        if (words) {
          heard.said.push(words);
        }
      });
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}

function heard(page: Page): Promise<Heard> {
  return page.evaluate(() => (window as unknown as { heard: Heard }).heard);
}

/** Nothing is said while the server goes on saying that all is as it was; it does so every five seconds. */
async function isQuiet(page: Page): Promise<void> {
  const before = await heard(page);
  const beats = before.beats + rounds(4, 12);
  await expect.poll(async () => (await heard(page)).beats, { timeout: 120_000 }).toBeGreaterThanOrEqual(beats);
  expect((await heard(page)).said.slice(before.said.length), 'said while nothing changed').toEqual([]);
}

test('the region is there from the first byte, and the status is announced once for each change', async ({ harbour }) => {
  const phone = await harbour.device();
  expect(await (await fetch(phone.mooring.url)).text()).toMatch(/aria-live="polite"/);
  await phone.context.addInitScript(listen);
  await phone.signUp();
  await phone.start(RECORD, QUESTION);
  await phone.seeStatus('awaiting_review');
  await phone.edit('An apron and a towel.');
  await phone.seeStatus('awaiting_review', 'version 2');
  await phone.press('Accept version 2');
  await phone.seeStatus('saved', 'Saved');
  const { said } = await heard(phone.page);
  const repeated = said.filter((words, n) => words === said[n - 1]);
  expect(repeated, `said twice: ${said.join(' | ')}`).toEqual([]);
  for (const words of [/^Awaiting review \(version 1\)/, /^Awaiting review \(version 2\)/, /^Saved/]) {
    expect(said.filter((sentence) => words.test(sentence)), said.join(' | ')).toHaveLength(1);
  }
});

test('a lost connection is said once, and so is its return', async ({ harbour }) => {
  const phone = await reviewed(harbour);
  await phone.context.addInitScript(listen);
  await phone.reload();
  await phone.seeStatus('awaiting_review');
  const before = (await heard(phone.page)).said.length;
  await phone.loseNetwork();
  await expect(phone.status).toContainText('Status unknown', { timeout: 40_000 });
  await expect.poll(async () => (await heard(phone.page)).said.slice(before)).toHaveLength(1);
  phone.network.restore();
  await phone.seeStatus('awaiting_review');
  await expect.poll(async () => (await heard(phone.page)).said.slice(before)).toHaveLength(2);
});

test('a page without a status says it as well', async ({ phone }) => {
  await phone.context.addInitScript(listen);
  await phone.open('/library');
  await expect(phone.heading('Library')).toBeVisible();
  await expect(phone.page.getByRole('banner')).toContainText('Up to date');
  const before = (await heard(phone.page)).said.length;
  await phone.loseNetwork();
  await expect(phone.page.getByRole('banner')).toContainText('No answer', { timeout: 60_000 });
  await expect.poll(async () => (await heard(phone.page)).said.slice(before)).toEqual([expect.stringMatching(/^No answer/)]);
  phone.network.restore();
  await expect(phone.page.getByRole('banner')).toContainText('Up to date', { timeout: 60_000 });
  await expect.poll(async () => (await heard(phone.page)).said.slice(before + 1)).toEqual(['Up to date']);
});

test('nothing is said while a version waits and nothing changes', async ({ harbour }) => {
  const phone = await reviewed(harbour);
  await phone.context.addInitScript(listen);
  await phone.reload();
  await phone.seeStatus('awaiting_review');
  await isQuiet(phone.page);
});

test('nothing is said while a draft is written and its time runs', async ({ harbour }) => {
  const phone = await harbour.device(await harbour.mooring({ faults: 'draft.before_call=delay:600000' }));
  await phone.context.addInitScript(listen);
  await phone.signUp();
  await phone.start(RECORD, QUESTION);
  await phone.seeStatus('evidence_saved', 'Generating the draft');
  await isQuiet(phone.page);
});
