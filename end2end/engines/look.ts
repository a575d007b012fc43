// What is read from a page, as expressions that any engine can evaluate.

export type Status = { state: string; freshness: string; version: string; words: string };

/** The status element; empty where there is none. */
export const STATUS = `(() => {
  const status = document.querySelector('[role="status"]');
  const { state = '', freshness = '', version = '' } = status?.dataset ?? {};
  return { state, freshness, version, words: status?.innerText ?? '' };
})()`;

/** All that can be read on the page, folded parts aside. */
export const TEXT = `document.body.innerText`;

/** Everything that the browser keeps for this address and that a page can reach. */
export const KEPT = `(async () => {
  const kept = [document.cookie, JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const name of (await globalThis.caches?.keys()) ?? []) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      kept.push(request.url, await (await cache.match(request)).text());
    }
  }
  for (const { name } of (await indexedDB.databases?.()) ?? []) {
    kept.push('database ' + name);
  }
  return kept.join('\\n');
})()`;
