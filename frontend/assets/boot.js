// Loads the program, and is there when that fails.
//
// A module of its own rather than an inline script, so that the page's policy can forbid those.
// `data-js` and `data-wasm` on its tag name the two halves of the program, the others hold what it
// says. Until the program runs, the page is the shell with "Status unknown" in it, and a download that
// breaks off leaves that as it is. The page comes in English; a template beside it has it in each other
// language, and the program gets that language's sentences through `mooringWords`.

/** No byte for so long (ms): the download is taken for broken off. */
const QUIET = 15_000;

/** A quick start shows no progress (ms): a flash of it would only be noise. */
const PATIENCE = 600;

/** Sentences that take longer (ms) are done without, and English is spoken. */
const SPEECHLESS = 10_000;

/** The server no longer has this build's files: only a new page names the right ones. */
class Gone extends Error {}

const tag = document.querySelector("script[data-wasm]");
const other = translate();
const words = { ...tag.dataset, ...other?.dataset };
let tries = 0;

/** The template of the language that was chosen on this device, or else of the first that the browser asks
    for and the page has; none for English. */
function translate() {
  const templates = [...document.querySelectorAll("template[lang]")];
  for (const asked of [chosen(), ...navigator.languages]) {
    const [language] = asked.split("-");
    if (language === "en") return undefined;
    const found = templates.find((template) => template.lang.split("-")[0] === language);
    if (found) {
      document.documentElement.lang = found.lang;
      document.querySelector("[data-mooring-shell]")?.replaceChildren(found.content.cloneNode(true));
      return found;
    }
  }
}

/** Storage may be shut. */
function chosen() {
  try {
    const language = JSON.parse(localStorage.getItem("mooring.v1.language"));
    return typeof language === "string" ? language : "";
  } catch {
    return "";
  }
}

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
  globalThis.mooringWords = loaded.words;
  if (other && !loaded.words) speakEnglish();
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

/** A new page, of the newest build that this device or the server has; whether or not what keeps it is there. */
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
    const parts = [glue(download.signal), wasm(download.signal, heard, stage), sentences()];
    const outcomes = await Promise.allSettled(parts);
    const reasons = outcomes.filter((o) => o.status === "rejected").map((o) => o.reason);
    if (reasons.length > 0) throw reasons.find((reason) => reason instanceof Gone) ?? reasons[0];
    const [glueLoaded, wasmLoaded, spoken] = outcomes.map((outcome) => outcome.value);
    return { glue: glueLoaded, wasm: wasmLoaded, words: spoken };
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

/** A language that cannot be had keeps nobody from their task. */
async function sentences() {
  if (!other) return "";
  try {
    const response = await fetch(other.dataset.words, { signal: AbortSignal.timeout(SPEECHLESS) });
    const text = response.ok ? await response.text() : "";
    return text.startsWith(`mooring.catalogue.1 ${other.lang}\n`) ? text : "";
  } catch (error) {
    console.info(error);
    return "";
  }
}

/** Says so quietly, in the language that could not be had. */
function speakEnglish() {
  document.documentElement.lang = "en";
  document.querySelector(".unspoken")?.remove();
  const note = element("p", "unspoken", words.unspoken);
  note.lang = other.lang;
  document.body.prepend(note);
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
  told.append(element("h1", "notice__title", words.failed), element("p", "", words[why]));
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

addEventListener("mooring-renew", renew);
start();
