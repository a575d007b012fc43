// Loads the program, and is there when that fails.
//
// A module of its own rather than an inline script, so that the page's policy can forbid those.
// `data-js` and `data-wasm` on its tag name the two halves of the program, the others hold what it
// says. Until the program runs, the page is the shell with "Status unknown" in it, and a download that
// breaks off leaves that as it is.

/** No byte for so long (ms): the download is taken for broken off. */
const QUIET = 15_000;

/** A quick start shows no progress (ms): a flash of it would only be noise. */
const PATIENCE = 600;

/** The server no longer has this build's files: only a new page names the right ones. */
class Gone extends Error {}

const tag = document.querySelector("script[data-wasm]");
const words = tag.dataset;
let tries = 0;

async function start() {
  tries += 1;
  const stage = showProgress();
  let loaded;
  try {
    loaded = await load(stage);
  } catch (error) {
    // Networks break; that is no error of the program's.
    console.info(error);
    return showFailure(stage, error instanceof Gone ? "gone" : "lost");
  }
  try {
    await loaded.glue.default({ module_or_path: loaded.wasm });
    stage.remove();
    keep();
  } catch (error) {
    console.error(error);
    showFailure(stage, "broken");
  }
}

/** What hands on the focus, and what keeps the program on this device, come last of all: nobody waits for them. */
function keep() {
  if (document.readyState !== "complete") return addEventListener("load", keep, { once: true });
  import("/assets/focus.js").catch((error) => console.info(error));
  import("/assets/program.js").catch((error) => console.info(error));
}

/** A new page, of the newest build that this device or the server has. */
async function renew() {
  const kept = await import("/assets/program.js").catch(() => undefined);
  return kept ? kept.renew() : location.reload();
}

/** Both halves at once; `Gone` wins over other reasons, because it calls for another way on. */
async function load(stage) {
  const download = new AbortController();
  let timer;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => download.abort(new Error("no answer")), QUIET);
  };
  heard();
  try {
    const halves = [glue(download.signal), wasm(download.signal, heard, stage)];
    const outcomes = await Promise.allSettled(halves);
    const reasons = outcomes.filter((o) => o.status === "rejected").map((o) => o.reason);
    if (reasons.length > 0) throw reasons.find((reason) => reason instanceof Gone) ?? reasons[0];
    return { glue: outcomes[0].value, wasm: outcomes[1].value };
  } finally {
    clearTimeout(timer);
  }
}

/** An import cannot be cut short, only no longer waited for. */
function glue(signal) {
  // Some browsers remember that a module failed; another address makes them ask again.
  const address = tries === 1 ? tag.dataset.js : `${tag.dataset.js}?try=${tries}`;
  const cut = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  return Promise.race([import(new URL(address, document.baseURI)), cut]);
}

/** Compiles while it downloads. A portal's page in its place is no program and is refused. */
async function wasm(signal, heard, stage) {
  const response = await fetch(tag.dataset.wasm, { signal });
  if (response.status === 404 || response.status === 410) throw new Gone(response.url);
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  count(response.clone(), heard, stage).catch(() => {
    // The other reader of the same bytes reports it.
  });
  return WebAssembly.compileStreaming(response);
}

async function count(response, heard, stage) {
  const reader = response.body.getReader();
  let bytes = 0;
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    bytes += piece.value.byteLength;
    heard();
    stage.querySelector(".boot__words").textContent = words.loaded.replace("{}", Math.round(bytes / 1000));
  }
}

function showProgress() {
  const stage = element("div", "boot");
  const bar = element("progress", "boot__bar");
  bar.setAttribute("aria-label", words.loading);
  stage.append(element("p", "boot__words", words.loading), bar);
  stage.hidden = true;
  setTimeout(() => (stage.hidden = false), PATIENCE);
  (document.querySelector("#main, #root") ?? document.body).append(stage);
  return stage;
}

function showFailure(stage, why) {
  const alert = element("div", "notice notice--bad");
  alert.setAttribute("role", "alert");
  const told = element("div", "notice__words");
  told.append(element("p", "notice__title", words.failed), element("p", "", words[why]));
  const actions = element("div", "notice__actions");
  const button = element("button", "button button--primary", words.again);
  button.type = "button";
  actions.append(button);
  alert.append(told, actions);
  stage.replaceWith(alert);
  // Meanwhile a build that was mended may arrive.
  if (why !== "lost") keep();
  // Who pressed the button before finds it again under the same finger and the same key.
  if (tries > 1) button.focus();

  const again = () => {
    removeEventListener("online", again);
    if (why === "lost") {
      alert.remove();
      start();
    } else {
      renew();
    }
  };
  button.addEventListener("click", again);
  // The browser's word for it is not believed, but it is a good moment to try.
  if (why === "lost") addEventListener("online", again);
}

function element(name, classes, text = "") {
  const made = document.createElement(name);
  made.className = classes;
  made.textContent = text;
  return made;
}

start();
