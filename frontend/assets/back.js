// Back where a page was left. A list comes when its answer does, by which time the browser has given up
// looking for the place; so the place is kept with the history's entry and taken up when there is room for it.

/** So long (ms) the page may take to become long enough; then, or once somebody scrolls, it stays as it is. */
const PATIENCE = 5_000;

/** A place is written when scrolling rests (ms): browsers allow only so many changes of an entry. */
const REST = 150;

let timer;
let returning;

function keep() {
  clearTimeout(timer);
  if (!returning && (history.state?.place ?? 0) !== Math.round(scrollY)) {
    history.replaceState({ ...history.state, place: Math.round(scrollY) }, "");
  }
}

/** The page is of another entry by now: what scrolls it is not the learner. */
function goBack({ place } = {}) {
  returning?.abort();
  clearTimeout(timer);
  if (!place) return;
  const trip = new AbortController();
  returning = trip;
  const { signal } = trip;
  const end = () => trip.abort();
  const look = new ResizeObserver(() => {
    if (document.documentElement.scrollHeight - innerHeight < place) return;
    scrollTo({ top: place, behavior: "instant" });
    end();
  });
  signal.addEventListener("abort", () => {
    look.disconnect();
    if (returning === trip) returning = undefined;
  });
  for (const touched of ["wheel", "touchmove", "keydown", "pointerdown"]) addEventListener(touched, end, { signal, passive: true });
  setTimeout(end, PATIENCE);
  look.observe(document.body);
}

addEventListener("scroll", () => {
  clearTimeout(timer);
  if (!returning) timer = setTimeout(keep, REST);
}, { passive: true });
// Before a link is followed: the entry that is left is still the one at hand.
addEventListener("click", keep, { capture: true });
addEventListener("popstate", ({ state }) => goBack(state ?? {}));

const [{ type } = {}] = performance.getEntriesByType("navigation");
if (type === "reload" || type === "back_forward") goBack(history.state ?? {});
