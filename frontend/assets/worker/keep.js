// The service worker: keeps the page and the static files of one build on this device, so that
// Mooring opens without a connection. It never sees, let alone keeps, an answer to anybody's question.
//
// Our own rather than Workbox: its precache throws away the files of the build before while pages still
// run it (GoogleChrome/workbox#3126), and keeps redirects and portals' pages as long as they say 200.
//
// The server writes `MOORING` above: the build's name, its files, and the addresses of pages. A build
// has a cache of its own. The page comes into it last: where it is, all else is.

const OURS = "mooring-";
const CACHE = OURS + MOORING.build;
const SHELL = "/";

/** What operators and scripts ask for is never answered with a page. */
const OPERATORS = /^\/(?:api\/|healthz$|readyz$|metrics$)/;

/** A download that takes longer (ms) is given up; what has come already is not asked for again. */
const PATIENCE = 120_000;

addEventListener("install", (event) => {
  event.waitUntil(keep());
  event.waitUntil(passBy(event));
});

// What could not be cleared away is no reason to leave the open pages without what is kept.
addEventListener("activate", (event) => event.waitUntil(tidy().catch(tell).then(() => clients.claim())));

addEventListener("message", (event) => {
  if (event.data?.ask === "stand") event.waitUntil(stand(event));
  if (event.data?.ask === "take") event.waitUntil(skipWaiting());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && isPage(pathname)) {
    event.respondWith(kept(SHELL).then((shell) => shell ?? fetch(request)));
  } else if (pathname.startsWith("/assets/")) {
    event.respondWith(file(pathname).then((kept) => kept ?? fetch(request)));
  } else if (request.mode === "navigate" && !OPERATORS.test(pathname)) {
    event.respondWith(elsewhere(request));
  }
});

/** An address that no page has is the server's to answer. Where it is out of reach, our page says that it
    leads nowhere, rather than the browser that there is no network. */
async function elsewhere(request) {
  try {
    return await fetch(request);
  } catch (error) {
    return (await kept(SHELL)) ?? Promise.reject(error);
  }
}

/** Where the browser can be told so, a question to the server does not wait for this script to start.
    It is only quicker: where that is refused, everything else is kept all the same. */
async function passBy(event) {
  try {
    await event.addRoutes?.({ condition: { urlPattern: new URLPattern({ pathname: "/api/*" }) }, source: "network" });
  } catch (error) {
    tell(error);
  }
}

/** Fetches what is not there yet. Fails as a whole: the browser tries again at its next look. */
async function keep() {
  const cache = await caches.open(CACHE);
  await Promise.all(MOORING.files.map((path) => keepFile(cache, path)));
  await cache.put(SHELL, await shell());
}

async function keepFile(cache, path) {
  if (await cache.match(path)) return;
  // A file that has not changed since the build before is here already, under the same name.
  const response = (await caches.match(path)) ?? (await download(path, "default").catch(() => download(path, "reload")));
  await cache.put(path, response);
}

/** A static file carries the beginning of its hash in its name: nothing else can be taken for it. */
async function download(path, cache) {
  const response = await fetch(path, { cache, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
  const named = /-([0-9a-f]{12})(?:\.\w+)?$/.exec(path)?.[1];
  const digest = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
  const hash = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (response.status !== 200 || !named || !hash.startsWith(named)) throw new Error(`${path} is not what it is called`);
  return response;
}

/** The page is recognised by its mark, and must be of this build: a portal's page is not, and while
    servers of two builds stand side by side, neither is every page of ours. */
async function shell() {
  const response = await fetch(SHELL, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
  const html = await response.clone().text();
  const marked = html.includes("data-mooring-shell") && html.includes(`data-build="${MOORING.build}"`);
  if (response.status !== 200 || !marked) throw new Error("the page is not of this build");
  return response;
}

function kept(path) {
  return found(path, { cacheName: CACHE, ignoreVary: true });
}

/** Storage that is damaged or shut has nothing: what is asked for then comes over the network. */
function found(path, where) {
  return caches.match(path, where).catch(tell);
}

function tell(error) {
  console.info(error);
}

/** Also of the build before: a page that still runs it asks for what it has not needed until now. */
async function file(path) {
  return (await kept(path)) ?? found(path, { ignoreVary: true });
}

/** `/tasks/{task_id}` is every address of that form. */
function isPage(path) {
  const parts = path.split("/");
  return MOORING.pages.some((page) => {
    const wanted = page.split("/");
    return wanted.length === parts.length && wanted.every((part, n) => part === parts[n] || (part.startsWith("{") && parts[n]));
  });
}

/** Tells a page which build this is and whether all of it is here; mends what the browser threw away. */
async function stand(event) {
  const whole = (await isWhole().catch(tell)) || (await mend());
  event.ports[0]?.postMessage({ build: MOORING.build, kept: whole });
  // A page of another build may need that one's files as long as it is open.
  if (event.data.build === MOORING.build) await tidy(event.source?.id);
}

/** Never by a worker that was replaced meanwhile: its cache was taken away on purpose. */
async function mend() {
  const isReplaced = () => self.serviceWorker?.state === "redundant";
  const mended = !isReplaced() && (await keep().then(() => true, () => false));
  if (isReplaced()) await caches.delete(CACHE);
  return mended && !isReplaced();
}

async function isWhole() {
  if (!(await caches.has(CACHE))) return false;
  const there = await (await caches.open(CACHE)).keys();
  const paths = new Set(there.map((request) => new URL(request.url).pathname));
  return [SHELL, ...MOORING.files].every((path) => paths.has(path));
}

/** Older builds go once no page can still need them: when none is open, or only the one that asks,
    which was given this build. A build that is just arriving is left alone. */
async function tidy(asking) {
  const names = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== CACHE);
  if (registration.installing || registration.waiting) return;
  const open = await clients.matchAll({ type: "window", includeUncontrolled: true });
  if (open.every((page) => page.id === asking)) {
    await Promise.all(names.map((name) => caches.delete(name)));
  }
}
