// What a learner's phone feels. It prints nothing: `cargo xtask bench client` reads the figures from
// the file that `MOORING_BENCH_OUT` names, and sets them beside the goals.

import { appendFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { App } from '../fixtures/app';
import { expect, test as story } from '../fixtures/story';
import { install, read, slowDown } from './probe';

const rounds = Number(process.env.MOORING_BENCH_ROUNDS ?? 20);
const QUESTION = 'What should I bring, and when does it begin?';

/** Nothing of the stories' watch runs in the pages that are measured. */
const test = story.extend({
  phone: async ({ harbour }, use) => {
    const phone = await harbour.unwatched();
    await phone.signUp();
    await use(phone);
  },
});

/** One figure more of its kind. */
function note(what: string, value: number): void {
  const out = process.env.MOORING_BENCH_OUT;
  if (out === undefined) {
    throw new Error('MOORING_BENCH_OUT names no file');
  }
  appendFileSync(out, `${JSON.stringify({ what, value })}\n`);
}

/** A new tab of the device, slow, with the probe in it. */
async function openSlow(phone: App, path: string): Promise<Page> {
  await phone.closeTab();
  phone.page = await phone.context.newPage();
  await slowDown(phone.page);
  await phone.open(path);
  return phone.page;
}

async function withTask(phone: App): Promise<string> {
  await phone.context.addInitScript(install);
  const task = await phone.start('Wheel throwing for beginners', QUESTION);
  await phone.seeStatus('awaiting_review', 'version 1');
  return task;
}

/** The browser can open the page without a network. */
async function keptForLater(phone: App): Promise<void> {
  await phone.page.evaluate(async () => {
    await navigator.serviceWorker.ready;
  });
}

test('the first screen of a first visit', async ({ harbour }) => {
  for (let round = 0; round < rounds; round += 1) {
    // A device of its own each time: nothing is cached.
    const phone = await harbour.unwatched();
    await phone.context.addInitScript(install);
    const page = await openSlow(phone, '/sign-in');
    await expect(phone.heading('Sign in')).toBeVisible();
    await expect.poll(async () => (await read(page)).painted).toBeGreaterThan(0);
    note('first visit: largest paint', (await read(page)).painted ?? Number.NaN);
    await phone.context.close();
  }
});

test('the last known task with a dead network, and the way back', async ({ phone }) => {
  const task = await withTask(phone);
  await keptForLater(phone);
  for (const [how, event] of [
    ['with the online event', true],
    ['without any event', false],
  ] as const) {
    for (let round = 0; round < rounds; round += 1) {
      phone.network.cut();
      const page = await openSlow(phone, `/tasks/${task}`);
      await expect(phone.status).toHaveAttribute('data-state', 'awaiting_review');
      await expect.poll(async () => (await read(page)).known).toBeGreaterThan(0);
      note('dead network: last known task', (await read(page)).known ?? Number.NaN);
      note('dead network: largest paint', (await read(page)).painted ?? Number.NaN);
      // Long enough away for the pauses between tries to have grown, and never in step with them.
      await pause(2_000 + 8_000 * Math.random());

      const confirmed = page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            const status = document.querySelector<HTMLElement>('[role="status"]');
            new MutationObserver(() => {
              if (status?.dataset.freshness === 'confirmed') {
                resolve(Date.now());
              }
            }).observe(document, { subtree: true, attributes: true });
          }),
      );
      const back = Date.now();
      phone.network.restore();
      if (event) {
        await page.evaluate(() => dispatchEvent(new Event('online')));
      }
      note(`network back, ${how}: confirmed`, (await confirmed) - back);
    }
  }
});

test('typing while the server tells something every second', async ({ phone }) => {
  const task = await withTask(phone);
  const page = await openSlow(phone, `/tasks/${task}`);
  await phone.seeStatus('awaiting_review', 'version 1');
  await phone.draft.focus();

  let typing = true;
  const pushes = (async () => {
    for (let version = 1; typing; version += 1) {
      const op_id = crypto.randomUUID();
      const text = `Version ${version} of another device.`;
      const answer = await phone.ask('tasks/edit', { op_id, task_id: task, base_version: version, text });
      expect(answer.status).toBe(200);
      await pause(1_000);
    }
  })();
  const text = `${QUESTION} `.repeat(Math.ceil(rounds / 4));
  await page.keyboard.type(text, { delay: 90 });
  typing = false;
  await pushes;
  const interactions = Object.values((await read(page)).interactions);
  for (const duration of interactions) {
    note('typing: input to next frame', duration);
  }
  // The browser reports none that is over within 16 ms: how long those took is not known.
  note('typing: inputs too quick to be reported', text.length - interactions.length);
});

test('a minute in which nothing happens', async ({ phone }) => {
  const task = await withTask(phone);
  const page = await openSlow(phone, `/tasks/${task}`);
  await phone.seeStatus('awaiting_review', 'version 1');
  const before = (await read(page)).writes;
  await pause(60_000);
  note('idle minute: storage writes', (await read(page)).writes - before);

  // No driver can put a tab behind another one: what the page is told of it is made up here.
  await page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    Object.defineProperty(document, 'hidden', { get: () => true });
    document.dispatchEvent(new Event('visibilitychange'));
  });
  // What was under way when the tab was hidden may still arrive.
  await pause(1_000);
  let requests = 0;
  page.on('request', () => (requests += 1));
  await pause(60_000);
  note('hidden minute: requests', requests);
});
