// The service worker when something about it is out of order.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '../fixtures/story';
import { anotherBuild } from '../fixtures/builds';
import { change, lookForBuild, offer, ready, seeNewer } from '../fixtures/newer';
import { until } from '../fixtures/until';

// Servers are stopped and started, and whole builds are fetched.
test.describe.configure({ timeout: 240_000 });

test('the storage of what is kept is damaged: with a network every page opens all the same', async ({ phone }) => {
  await ready(phone);
  const [worker] = phone.context.serviceWorkers();
  if (worker === undefined) {
    throw new Error('nobody keeps anything');
  }
  await worker.evaluate(() => {
    CacheStorage.prototype.match = async () => Promise.reject(new DOMException('damaged', 'UnknownError'));
  });
  await phone.open('/about');
  await expect(phone.heading('How Mooring works')).toBeVisible();
  await phone.open('/');
  await expect(phone.heading('Start a task')).toBeVisible();
  // The browser may have started the worker anew meanwhile, and then with storage that is whole.
  const match = async (): Promise<string> =>
    worker.evaluate(async () =>
      caches.match('/').then(
        () => 'whole',
        () => 'damaged',
      ),
    );
  expect(await match()).toBe('damaged');
});

test('a newer build that has to wait for the older worker is waited for: the page is opened anew once, and in it', async ({
  harbour,
}) => {
  const mooring = await harbour.mooring({});
  const phone = await harbour.device(mooring);
  await phone.signUp();
  await ready(phone);
  const build = async (): Promise<string | undefined> => phone.page.evaluate(() => document.documentElement.dataset.build);
  const before = await build();

  // The older worker finds that a file is missing, and asks for it when it is asked how it stands.
  const missing = await phone.page.evaluate(async () => {
    const [name = ''] = await caches.keys();
    const cache = await caches.open(name);
    const path = (await cache.keys()).map(({ url }) => new URL(url).pathname).find((path) => path.includes('/icon-512')) ?? '';
    await cache.delete(path);
    return path;
  });
  expect(missing).not.toBe('');
  const devtools = await phone.context.newCDPSession(phone.page);
  await devtools.send('Network.clearBrowserCache');
  await change(mooring, anotherBuild('h'));
  const gate = phone.network.hold({ only: missing });
  await lookForBuild(phone);
  await until('the older worker is busy', async () => gate.waiting > 0);
  await seeNewer(phone.page);

  const builds: (string | undefined)[] = [];
  phone.page.on('domcontentloaded', async (page) => {
    builds.push(await page.evaluate(() => document.documentElement.dataset.build));
  });
  await phone.press('Use it now');
  // Longer than a page waits for an answer of a worker, shorter than it waits for its turn.
  await pause(5_000);
  gate.open();
  await until('the page was opened anew', async () => builds.length > 0);
  expect(builds).not.toContain(before);
  await expect(offer(phone.page)).toHaveCount(0);
  expect(await build()).not.toBe(before);
  expect(builds).toHaveLength(1);
});
