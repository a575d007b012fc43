// What is left in a browser when a learner has gone.

import { expect, test } from '../fixtures/story';
import type { App } from '../fixtures/app';

/** All that this browser keeps for Mooring, wherever a page could put it. */
async function everythingKept(phone: App): Promise<string> {
  return phone.page.evaluate(async () => {
    const found: string[] = [location.href, document.title, JSON.stringify(history.state)];
    for (const storage of [localStorage, sessionStorage]) {
      found.push(JSON.stringify(storage));
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        found.push(`cache ${request.url}`, (await (await cache.match(request))?.text()) ?? '');
      }
    }
    for (const { name = '' } of await indexedDB.databases()) {
      found.push(`database ${name}`);
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error ?? new Error('refused'));
      });
      for (const store of database.objectStoreNames) {
        const all = await new Promise<unknown[]>((resolve, reject) => {
          const reading = database.transaction(store).objectStore(store).getAll();
          reading.onsuccess = () => resolve(reading.result as unknown[]);
          reading.onerror = () => reject(reading.error ?? new Error('refused'));
        });
        found.push(JSON.stringify(all));
      }
    }
    return found.join('\n');
  });
}

async function keptAnswers(phone: App): Promise<string[]> {
  const kept = await everythingKept(phone);
  return [...kept.matchAll(/^cache (\S+)$/gm)].map(([, url]) => new URL(url ?? '').pathname).filter((path) => path !== '/' && !path.startsWith('/assets/'));
}

test('C36: a record was viewed, then its learner signed out: no word of it is left in the browser', async ({ harbour }) => {
  const phone = await harbour.device();
  const learner = await phone.signUp();
  await phone.open('/');
  await expect(phone.page.getByText('Ready without a connection')).toBeVisible();
  const question = `Where is it, and who is ${learner.name}?`;
  const task = await phone.start('Wheel throwing for beginners', question);
  await phone.seeStatus('awaiting_review');
  await phone.page.reload();
  await phone.seeStatus('awaiting_review');
  const draft = await phone.draftText();
  const { body } = await phone.ask('tasks/read', { task_id: task });
  const evidence = (body as { evidence: { content: string }[] }).evidence[0]?.content ?? '';
  expect(evidence).not.toBe('');

  const before = await everythingKept(phone);
  expect(before.includes(question), 'the look finds what is there').toBe(true);
  expect(await keptAnswers(phone), 'only the page and its files are in caches').toEqual([]);

  await phone.page.getByLabel(/^Account/).click();
  await phone.press('Sign out');
  await expect(phone.button('Sign in')).toBeVisible();
  await phone.page.reload();
  await expect(phone.button('Sign in')).toBeVisible();
  const after = await everythingKept(phone);
  const words = [question, learner.name, task, 'Wheel throwing', draft.slice(0, 40), ...evidence.split('\n').filter((line) => line.trim().length > 5)];
  expect(words.filter((word) => after.includes(word))).toEqual([]);
  expect(await keptAnswers(phone)).toEqual([]);

  await harbour.ends(phone, { task, state: 'awaiting_review', version: 1 });
});
