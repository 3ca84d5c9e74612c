// Views of a solution or a chart. A view never changes, because its address has the stamp of the solution: views are cached here, and
// the next ones are prefetched. Actions one after the other while the page is idle, other links and
// fields when the pointer or the focus comes to them, hands when a finger goes down. A click that finds its view here waits for
// the drawing alone. Without this file links and fields load the whole page.
import { GONE, reveal, stale } from "./grid.js";
import { renew } from "./renew.js";

// The line is a step of the browser's history, so Back undoes an action; what else is chosen changes the step.
const WORDS = ["stack", "line", "by", "hand", "reply", "panel", "only", "find", "order", "stamp"];
const MOST = 200;  // views that are kept
const PATIENCE = 150;  // milliseconds until a view that has not come is said to be on its way
const form = document.getElementById("ask");
const view = document.getElementById("view");
const busy = document.getElementById("busy");
const mistake = document.getElementById("mistake");
const later = (act) => {  // a browser in which nothing moves may have no idle time at all, so not for ever
  if (window.requestIdleCallback) requestIdleCallback(act, { timeout: 200 });
  else setTimeout(act, 50);
};
const kept = new Map();
let asked = "";  // what the last click asked for

// The address of the view that a link leads to, or that a cell or another field makes of this one. What a link does not name
// stays as it is: the table of next cards has neither the view nor the player of the best response.
function wanted(element, value = element.value) {
  const given = new FormData(form);
  if (element.href) {
    given.set("line", "");  // the first decision has no name
    given.set("only", "");  // a category is of one decision
    for (const [name, word] of new URL(element.href).searchParams) given.set(name, word);
  }
  if (element.name === "pick") given.set("hand", value.split(":")[1]);
  else if (element.name) given.set(element.name, value);
  return addressed(given);
}

function addressed(given) {
  given.set("stamp", form.elements.stamp.value);
  const words = WORDS.filter((name) => given.get(name)).map((name) => [name, given.get(name)]);
  return `${form.getAttribute("action")}?${new URLSearchParams(words)}`;
}

function get(address, priority = "high") {
  if (!kept.has(address)) {
    const answer = ask(address, priority);
    kept.set(address, answer);
    answer.then(({ final }) => { if (!final) kept.delete(address); });
    if (kept.size > MOST) kept.delete(kept.keys().next().value);
  }
  return kept.get(address);
}

async function ask(address, priority) {
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, priority });
    const final = answer.headers.get("cache-control")?.includes("immutable");
    return { text: await answer.text(), ok: answer.ok, final };
  } catch {
    return { text: `<p class="mistake" role="alert">${GONE}</p>` };
  }
}

// `step`: whether the view becomes a step of the browser's history, which a step back already is.
async function show(address, { picked = false, step = true } = {}) {
  asked = address;
  const waiting = setTimeout(() => busy.classList.add("htmx-request"), PATIENCE);
  const { text, ok } = await get(address);
  clearTimeout(waiting);
  if (address !== asked) return;
  busy.classList.remove("htmx-request");
  const fresh = document.createElement("template");
  fresh.innerHTML = text;
  stale(!ok);
  if (!ok) {
    mistake.replaceChildren(fresh.content);
    return;
  }
  mistake.replaceChildren();
  renew(view, fresh.content);
  if (picked) reveal();
  requestAnimationFrame(() => setTimeout(() => shown(address, step)));
}

// What can wait until the view has been drawn.
function shown(address, step) {
  const url = new URL(address, location);
  url.searchParams.delete("stamp");
  if (step && address === asked) {  // nobody has gone elsewhere in the meantime
    if (url.searchParams.get("line") === new URLSearchParams(location.search).get("line")) history.replaceState(history.state, "", url);
    else history.pushState(null, "", url);
  }
  const here = document.getElementById("locks-here");
  document.getElementById("locks")?.setAttribute("placeholder", here.dataset.locks);
  document.getElementById("locks-about")?.replaceChildren(here.textContent);
  for (const part of view.querySelectorAll("[hx-get]")) htmx.process(part);
  later(actions);
}

// The views that actions lead to, then the tables of next cards that those will ask for: the browser keeps them.
async function actions() {
  const here = asked;
  const tables = [];
  for (const link of view.querySelectorAll(".act")) {
    if (here !== asked) return;
    const { text } = await get(wanted(link), "low");
    if (text.includes("hx-get")) {
      const fresh = document.createElement("template");
      fresh.innerHTML = text;
      for (const part of fresh.content.querySelectorAll("[hx-get]")) tables.push(part.getAttribute("hx-get"));
    }
  }
  for (const address of tables) {
    if (here !== asked) return;
    await ask(address, "low");
  }
}

function ahead({ target, type }) {
  if (target.closest("[data-lock]")) return;
  const field = target.closest("a[data-view], button[name=pick], select") ?? target.closest("label.tick")?.control;
  if (!field || (field.name === "pick" && type !== "pointerdown")) return;
  for (const { value } of field.options ?? [field]) get(wanted(field, value), "low");
}

for (const type of ["pointerover", "focusin", "pointerdown"]) view.addEventListener(type, ahead);
view.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-view]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  show(wanted(link));
});
const asks = ({ target }, range) => (target.type === "range") === range && !target.closest("[data-lock]");
view.addEventListener("change", (event) => { if (asks(event, false)) show(wanted(event.target)); });
view.addEventListener("input", (event) => { if (asks(event, true)) show(wanted(event.target)); });
form.addEventListener("submit", (event) => {
  event.preventDefault();
  show(wanted(event.submitter ?? form.elements.by), { picked: event.submitter?.name === "pick" });
});
addEventListener("popstate", () => show(addressed(new URLSearchParams(location.search)), { step: false }));
later(actions);

// Compare two solutions: prefetched when the form is used.
const pair = document.getElementById("pair");
const known = { address: "", answer: null };
function compare() {
  const address = `${pair.getAttribute("action")}?${new URLSearchParams(new FormData(pair))}`;
  if (address !== known.address) Object.assign(known, { address, answer: ask(address, "low") });
  return known.answer;
}
for (const type of ["pointerover", "focusin", "change"]) pair?.addEventListener(type, compare);
pair?.addEventListener("submit", async (event) => {
  event.preventDefault();
  const { text } = await compare();
  known.address = "";  // the other may be solved on
  document.getElementById("compare").innerHTML = text;
});
