// Hands the focus on when what had it is taken away: by what it set off itself, by an answer, or by a menu
// that closes. A browser lets go of it then, and whoever goes by keyboard or by ear begins at the top again.
//
// Invariant: only a focus that was lost is handed on. A field is never chosen: on a phone its keyboard
// would jump up unasked.

const STOPS = "a[href], button:not([disabled]), summary";

const root = document.getElementById("root");

/** What has the focus and what that lies in, from the inside out; none when it was put down on purpose. */
let held = [];

/** The stops that come after it, then those before it, nearest first. */
let around = [];

addEventListener("focusin", ({ target }) => {
  closeMenu(target);
  held = [];
  for (let at = target; at && at !== root; at = at.parentElement) held.push(at);
  const stops = [...root.querySelectorAll(STOPS)].filter((stop) => stop !== target);
  const follows = (stop) => target.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING;
  around = [...stops.filter(follows), ...stops.filter((stop) => !follows(stop)).reverse()];
});

// A tap beside everything puts it down; one on something else moves it, and is heard of above.
addEventListener("pointerdown", ({ target }) => {
  closeMenu(target);
  if (!held[0]?.contains(target)) held = [];
});

new MutationObserver(() => {
  if (held.length === 0 || isThere(held[0])) return;
  const next = place();
  held = [];
  if (!next) return;
  if (!next.matches(STOPS)) next.tabIndex = -1;
  next.focus({ preventScroll: true });
  // Only who sees a ring looks for it.
  if (next.matches(":focus-visible")) next.scrollIntoView({ block: "nearest" });
}).observe(root, { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "hidden"] });

/** A menu that is left closes, as it does by this key. */
function closeMenu(target) {
  const menu = root.querySelector("details.account[open]");
  if (menu && !menu.contains(target)) menu.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
}

function isThere(element) {
  return element.isConnected && (element.checkVisibility?.() ?? true);
}

/** What closed over it; else what came in the place of what it lay in; else the nearest that is still there. */
function place() {
  const folded = held.find((at) => at.matches("details:not([open])") && at.isConnected);
  if (folded) return folded.querySelector("summary");
  for (const at of held.slice(1)) {
    if (at.isConnected) break;
    const name = [...at.classList].at(-1);
    const twin = name && root.querySelector(`.${CSS.escape(name)}`);
    const stop = twin && [...twin.querySelectorAll(STOPS)].find(isThere);
    if (stop) return stop;
  }
  // The header stands on every page: it is no neighbour of what was in the page.
  return around.find((stop) => isThere(stop) && !stop.closest("header, .skip")) ?? root.querySelector("h1, main");
}
