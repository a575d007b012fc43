// Hands the focus on when what had it is taken away: by what it set off itself, by an answer, or by a menu
// that closes. A browser lets go of it then, and whoever goes by keyboard or by ear begins at the top again.
//
// Invariants: only a focus that was lost is handed on; and never to a button or a field. A key that is held
// down a moment too long would press the one, and a phone's keyboard would jump up for the other.

const HEADINGS = "h1, h2, h3";

const root = document.getElementById("root");

/** What has the focus and what that lies in, from the inside out; none when it was put down on purpose. */
let held = [];

/** The headings above it, nearest first, and then those below. */
let headings = [];

/** What stands in for a step of the bar, until there is a bar again. */
let stood;

addEventListener("focusin", ({ target }) => {
  held = [];
  for (let at = target; at && at !== root; at = at.parentElement) held.push(at);
  const all = [...root.querySelectorAll(HEADINGS)];
  const below = (heading) => target.compareDocumentPosition(heading) & Node.DOCUMENT_POSITION_FOLLOWING;
  headings = [...all.filter((heading) => !below(heading)).reverse(), ...all.filter(below)];
});

// A tap beside everything puts it down; one on something else moves it, and is heard of above.
addEventListener("pointerdown", ({ target }) => {
  if (!held[0]?.contains(target)) held = [];
});

new MutationObserver(() => {
  if (held.length > 0 && !isThere(held[0])) return handOn();
  const step = stood && document.activeElement === stood && root.querySelector(".bar a[href]");
  if (step) give(step);
}).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "hidden"] });

/** To what closed over it, or to the heading that it stood under. */
function handOn() {
  const folded = held.find((at) => at.isConnected && at.matches("details:not([open])"));
  if (folded) return give(folded.querySelector("summary"));
  const inBar = held.some((at) => at.matches(".bar"));
  const next = (!inBar && headings.find(isThere)) || root.querySelector("h1") || root.querySelector("main");
  give(next);
  stood = inBar ? next : undefined;
}

function give(element) {
  held = [];
  stood = undefined;
  if (!element) return;
  if (!element.matches("a, summary")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
  // Who goes by keyboard is taken along.
  if (element.matches(":focus-visible")) element.scrollIntoView({ block: "nearest" });
}

function isThere(element) {
  return element.isConnected && (element.checkVisibility?.() ?? true);
}
