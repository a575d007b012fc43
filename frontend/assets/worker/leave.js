// Served as the service worker where devices are to keep nothing: takes away what was kept, and itself.
// Pages go on, from the network.

addEventListener("install", (event) => event.waitUntil(skipWaiting()));

addEventListener("activate", (event) => event.waitUntil(leave()));

addEventListener("message", (event) => event.ports[0]?.postMessage({ build: "", kept: false }));

async function leave() {
  const ours = (await caches.keys()).filter((name) => name.startsWith("mooring-"));
  await Promise.all(ours.map((name) => caches.delete(name)));
  await registration.unregister();
}
