// The page's side of what is kept on this device: registers the service worker, finds out how the
// program's files stand, and lets a newer build take over when it is told to.
//
// What is known stands on the document's element, `data-kept` and `data-newer`, and is told by an event;
// what to make of it is the program's business. Where there are no service workers, or they are
// refused, nothing is ever claimed.

import "/assets/back.js";

/** A worker that says nothing for so long (ms) is taken for one that keeps nothing. */
const PATIENCE = 3_000;

/** A newer worker takes over once the older one has answered what it was asked; not waited for longer (ms). */
const TURN = 10_000;

const root = document.documentElement;
const workers = navigator.serviceWorker;
const address = document.querySelector("script[data-wasm]").dataset.worker;
let renewing = false;
let looks = 0;

async function begin() {
  workers.addEventListener("controllerchange", lookAgain);
  try {
    const registration = await workers.register(address, { scope: "/", updateViaCache: "none" });
    watch(registration.installing);
    registration.addEventListener("updatefound", () => watch(registration.installing));
  } catch (error) {
    // Refused, out of reach, or cut short by a worker that ends itself: how things stand is looked at all the same.
    console.info(error);
  }
  await look();
  await update();
}

function watch(arriving) {
  arriving?.addEventListener("statechange", lookAgain);
}

function lookAgain() {
  look().catch((error) => console.info(error));
}

/** Asks for a newer build. What comes of it is told by the worker that arrives. */
async function update() {
  const registration = await workers.getRegistration();
  // Without a network there is nothing to be found out, and nothing to be said.
  await registration?.update().catch(() => undefined);
  await look();
}

async function look() {
  looks += 1;
  const mine = looks;
  const registration = await workers.getRegistration();
  if (!registration) await clearAway();
  const [active, next] = await Promise.all([stand(registration?.active), stand(registration?.waiting)]);
  // A later look knows better.
  if (mine !== looks) return;
  if (active?.build === "" || next?.build === "") {
    // The worker that takes everything away ends itself. But this page's own registering may have called it
    // back, and its turn may be long in coming: a browser lets the worker before it go when it sees fit.
    await registration.unregister();
    await clearAway();
    return tell(false, "");
  }
  const own = root.dataset.build;
  if (next?.kept && next.build === own && active?.build !== own) {
    // This page came from the network and runs the newer build already.
    registration.waiting?.postMessage({ ask: "take" });
    return;
  }
  const overtaken = Boolean(workers.controller && active?.build && active.build !== own);
  tell(Boolean(active?.kept && active.build === own), overtaken ? "taken" : next?.kept && next.build !== own ? "waits" : "");
}

/** With no worker registered nobody else takes away what one of them may have put back as it ended. */
async function clearAway() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("mooring-"));
  await Promise.all(ours.map((name) => caches.delete(name)));
}

function tell(kept, newer) {
  root.dataset.kept = kept ? "yes" : "no";
  root.dataset.newer = newer;
  dispatchEvent(new Event("mooring-program"));
}

/** Which build a worker keeps, and whether all of it is there. */
function stand(worker) {
  if (!worker) return undefined;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    setTimeout(() => resolve(undefined), PATIENCE);
    worker.postMessage({ ask: "stand", build: root.dataset.build }, [port2]);
  });
}

/** Lets the newer build take over, and opens this page anew: once, however often it is asked to. */
export async function renew() {
  if (renewing) return;
  renewing = true;
  const registration = await workers?.getRegistration().catch(() => undefined);
  if (registration?.waiting) await takeOver(registration.waiting);
  location.reload();
}

/** A page that is opened anew before the worker has taken over would be of the older build again. */
function takeOver(worker) {
  return new Promise((resolve) => {
    worker.addEventListener("statechange", () => ["activated", "redundant"].includes(worker.state) && resolve());
    setTimeout(resolve, TURN);
    worker.postMessage({ ask: "take" });
  });
}

if (address && workers) {
  addEventListener("mooring-look", () => update().catch((error) => console.info(error)));
  // Where nothing can be kept, Mooring needs a connection to open, as ever.
  begin().catch((error) => console.info(error));
}
