// A new build of the client arrives while pages of the old one are open.

import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';
import { anotherBuild, buildOf } from '../fixtures/builds';
import { change, countLoads, lookForBuild, offer, ready, seeNewer, takeUp } from '../fixtures/newer';
import type { Settings } from '../fixtures/program';
import { rounds } from '../fixtures/rounds';
import { until } from '../fixtures/until';

// Servers are stopped and started several times, and whole builds are fetched.
test.describe.configure({ timeout: 240_000 });

/** What the browser keeps of the program, who would keep it, and what the page knows of that: one that came
    from a server which has nothing kept is told no worker, and has nothing to find out. */
async function keeping(phone: App): Promise<unknown> {
  return phone.page.evaluate(async () => ({
    kept: document.querySelector('script[data-worker]') ? document.documentElement.dataset.kept : 'no',
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).map(({ installing, waiting, active }) => [installing?.state, waiting?.state, active?.state]),
  }));
}

const keptNowhere = { kept: 'no', caches: [], workers: [] };

async function buildShown(phone: App): Promise<string> {
  await phone.open('/about');
  await expect(phone.page.getByText(/^Build [0-9a-f]{8}$/)).toBeVisible();
  return buildOf(phone);
}

test('a new build is offered in every tab, taken up when it is told to, and each tab is opened anew once', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const task = await phone.start('Wheel throwing for beginners', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const before = await buildShown(phone);
  await ready(phone);
  await phone.open(`/tasks/${task}`);
  const text = `${await phone.draftText()}\n\nHalf a sente`;
  await phone.draft.fill(text);

  await change(mooring, anotherBuild('b'));
  // A second tab, opened on what is kept, finds it out for both.
  const first = phone.page;
  await phone.openTab('/');
  const second = phone.page;
  await phone.page.getByLabel('Question').fill('Not yet asked');
  for (const page of [first, second]) {
    await seeNewer(page);
  }
  await expect(first.getByRole('textbox', { name: 'Draft' })).toHaveValue(text);

  phone.page = first;
  const loads = countLoads(phone);
  await phone.press('Use it now');
  await until('the tab was opened anew', async () => loads() > 0);
  await phone.seeStatus('awaiting_review', 'version 1');
  await expect(phone.draft).toHaveValue(text);
  await expect(offer(phone.page)).toHaveCount(0);
  // The other tab is somebody's: it stays as it is until it is told to.
  await expect(offer(second)).toBeVisible();
  await expect(second.getByLabel('Question')).toHaveValue('Not yet asked');
  await offer(second).click();
  await expect(offer(second)).toHaveCount(0);
  await expect(second.getByLabel('Question')).toHaveValue('Not yet asked');
  expect(loads()).toBe(1);

  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  const after = await buildShown(phone);
  expect(after).not.toBe(before);
  await ready(phone);
  phone.network.cut();
  await phone.page.reload();
  await expect(phone.status).toContainText('Status unknown');
  phone.network.restore();

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('C33: the files of an open page are gone from the server: the next action works and the draft is kept', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  const before = await buildShown(phone);
  await ready(phone);
  const task = await phone.start('Bookbinding: your first sewn book', 'What should I bring?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nWritten before the change.`;
  await phone.draft.fill(text);

  await change(mooring, anotherBuild('c'));
  await phone.page.reload();
  await expect(phone.draft).toHaveValue(text);
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.page.getByLabel(/^Account/).click();
  await phone.link('How it works').click();
  await expect(phone.heading('How Mooring works')).toBeVisible();
  await lookForBuild(phone);
  await seeNewer(phone.page);
  expect(await buildOf(phone)).toBe(before);
  await takeUp(phone);
  await expect(phone.page.getByText(before)).toHaveCount(0);
  await expect(phone.heading('How Mooring works')).toBeVisible();

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('C33: the same on a device that keeps nothing: no blank page, and the draft is kept', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.context.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'serviceWorker');
  });
  await phone.signUp();
  const task = await phone.start('Bookbinding: your first sewn book', 'What does it cost?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nWritten before the change.`;
  await phone.draft.fill(text);

  await change(mooring, anotherBuild('d'));
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.page.reload();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  expect(await phone.draftText()).toBe(text);

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

// That a hidden tab follows another one to a newer build, and does so once, is proved natively
// (app/tests/it/build.rs): no driver can hide a tab, and one that is seen is never opened anew by itself.
test('C34: the server changes between two builds and back: no page is opened anew by itself more than once', async ({ harbour }) => {
  const builds: Settings[] = [{}, anotherBuild('e')];
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await ready(phone);
  const task = await phone.start('Wheel throwing for beginners', 'When is it?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nStill writing`;
  await phone.draft.fill(text);

  const loads = countLoads(phone);
  const end = Date.now() + rounds(20_000, 60_000);
  for (let turn = 1; Date.now() < end || turn < 4; turn += 1) {
    await change(mooring, builds[turn % 2] ?? {});
    await lookForBuild(phone);
    await phone.seeStatus('awaiting_review', 'version 1');
  }
  expect(loads()).toBeLessThanOrEqual(1);
  await expect(phone.draft).toHaveValue(text);
  await phone.page.reload();
  await expect(phone.draft).toHaveValue(text);

  await change(mooring, builds[1] ?? {});
  await lookForBuild(phone);
  await seeNewer(phone.page);
  await takeUp(phone);
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});

test('a file of a new build does not arrive: the build that is kept stays whole, and the new one comes later', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await ready(phone);
  const names = async (): Promise<string[]> => phone.page.evaluate(async () => (await caches.keys()).sort());
  const before = await names();
  expect(before).toHaveLength(1);

  await change(mooring, anotherBuild('f'));
  phone.network.fail({ kind: 'refuse', only: '.wasm' });
  await lookForBuild(phone);
  await until('the files of the new build were asked for', async () => (await names()).length === 2);
  await phone.page.reload();
  await expect(phone.heading('Start a task')).toBeVisible();
  await expect(phone.page.getByText('Ready without a connection')).toBeVisible();
  await expect(offer(phone.page)).toHaveCount(0);

  phone.network.restore();
  await lookForBuild(phone);
  await seeNewer(phone.page);
  await takeUp(phone);
  await ready(phone);
  // Nobody can need the old build's files any more.
  await phone.page.reload();
  await until('the old build is gone', async () => {
    const now = await names();
    return now.length === 1 && now[0] !== before[0];
  });
});

test('two servers of different builds answer in turn: a device keeps one build whole, or none', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await ready(phone);
  const before = await buildShown(phone);
  const page = await (await fetch(mooring.url)).text();
  expect(page).toContain(`data-build="${before.replace('Build ', '')}"`);

  // The script and all files are the new build's; the page comes from a server of the old one.
  await change(mooring, anotherBuild('g'));
  const since = phone.network.log.mark();
  phone.network.fail({ kind: 'answer', status: 200, body: page, at: '/' });
  await lookForBuild(phone);
  await until('the page was asked for', async () => phone.network.log.since(since).some(({ path }) => path === '/'));
  const arriving = async (): Promise<boolean> =>
    phone.page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration();
      return Boolean(registration?.installing ?? registration?.waiting);
    });
  await until('the new worker was given up', async () => !(await arriving()));
  const pages = await phone.page.evaluate(async () => {
    const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).match('/')));
    return Promise.all(kept.filter((page) => page !== undefined).map((page) => page.text()));
  });
  expect(pages).toEqual([page]);
  await phone.page.reload();
  expect(await buildShown(phone)).toBe(before);
  await expect(offer(phone.page)).toHaveCount(0);
  await ready(phone);

  // Next time all answers are of one build.
  phone.network.restore();
  await lookForBuild(phone);
  await seeNewer(phone.page);
  await takeUp(phone);
  await ready(phone);
  const after = await buildShown(phone);
  expect(after).not.toBe(before);
  phone.network.cut();
  await phone.page.reload();
  await expect(phone.page.getByText(after)).toBeVisible();
});

test('the kill switch: devices give up what they kept, and go on from the network', async ({ harbour }) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await ready(phone);
  const task = await phone.start('Sourdough: from starter to loaf', 'When is it?');
  await phone.seeStatus('awaiting_review', 'version 1');
  const text = `${await phone.draftText()}\n\nBefore the switch.`;
  await phone.draft.fill(text);

  await change(mooring, { env: { MOORING_SERVICE_WORKER: 'off' } });
  await phone.page.reload();
  // A page that came out of what was kept has registered once more before it knows.
  await expect.poll(() => keeping(phone), { timeout: 30_000 }).toEqual(keptNowhere);
  await expect(phone.draft).toHaveValue(text);
  await phone.press('Save edit');
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  await phone.page.reload();
  await phone.seeStatus('awaiting_review', 'Awaiting review (version 2)');
  expect(await phone.page.evaluate(() => navigator.serviceWorker.controller)).toBeNull();
  await phone.open('/');
  await expect(phone.heading('Start a task')).toBeVisible();
  await expect(phone.page.getByText('Ready without a connection')).toHaveCount(0);
  expect(await keeping(phone)).toEqual(keptNowhere);

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 2, text });
});
