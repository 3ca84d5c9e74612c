// The table: keys, the slider with its marks, what happened shown step by step, and dealing on by itself.
const SETTINGS = ["speed", "on", "keys"];
const read = (name) => { try { return localStorage.getItem(`play-${name}`); } catch { return null; } };
const write = (name, value) => { try { localStorage.setItem(`play-${name}`, value); } catch { /* private windows may refuse */ } };
const setting = (name) => document.getElementById(name);
let timers = [];

for (const name of SETTINGS) {
  const field = setting(name), kept = read(name);
  if (!field) continue;
  if (kept !== null) {
    if (field.type === "checkbox") field.checked = kept === "true";
    else field.value = kept;
  }
  field.addEventListener("change", () => write(name, field.type === "checkbox" ? field.checked : field.value));
}

setting("on")?.addEventListener("change", () => { if (!unseen()) dealOn(); });

function later(run, wait) { timers.push(setTimeout(run, wait)); }

function stopWaiting() {
  for (const one of timers) clearTimeout(one);
  timers = [];
}

// Deal the next hand by itself, if the visitor wants that and the hand is over.
function dealOn() {
  const form = document.getElementById("moves");
  if (!form || !("over" in form.dataset) || !setting("on")?.checked) return;
  later(() => { if (setting("on").checked) form.requestSubmit(); }, 1200 + 2 * Number(setting("speed")?.value || 0));
}

// Show what came since the last move, one thing after the other; a key or a click shows the rest at once.
function stage(view) {
  stopWaiting();
  const pause = Number(setting("speed")?.value ?? 0);
  const all = [...view.querySelectorAll("[data-stage]")];
  const last = Math.max(0, ...all.map((one) => Number(one.dataset.stage)));
  if (!pause || !last) {
    view.classList.remove("staging");
    dealOn();
    return;
  }
  view.classList.add("staging");
  const show = (now) => {
    for (const one of all) if (Number(one.dataset.stage) <= now) one.classList.add("shown");
    if (now < last) later(() => show(now + 1), pause);
    else dealOn();
  };
  later(() => show(1), pause / 3);
}

// Whether something of the last moves is still to be shown.
function unseen() {
  return document.querySelector("#view.staging [data-stage]:not(.shown)") !== null;
}

function rush() {
  const view = document.getElementById("view");
  if (!unseen()) return false;
  stopWaiting();
  view.classList.remove("staging");
  for (const one of view.querySelectorAll("[data-stage]")) one.classList.add("shown");
  dealOn();
  return true;
}

// --- how much to bet: slider, number and marks are one ---

function sized(total, from) {
  const slider = document.getElementById("size"), field = document.getElementById("amount");
  if (!slider) return;
  const value = Math.round(Math.min(Number(slider.max), Math.max(Number(slider.min), total || 0)));
  if (from !== slider) slider.value = value;
  if (from !== field) field.value = value;
  document.getElementById("how").textContent = value.toLocaleString("en");
  for (const mark of document.querySelectorAll(".mark")) mark.setAttribute("aria-pressed", Number(mark.dataset.total) === value ? "true" : "false");
}

document.addEventListener("input", (event) => {
  if (["size", "amount"].includes(event.target.id)) sized(Number(event.target.value), event.target);
});

document.addEventListener("change", (event) => {
  if (event.target.id === "amount") sized(Number(event.target.value));
});

document.addEventListener("click", (event) => {
  const mark = event.target.closest?.(".mark");
  if (mark) sized(Number(mark.dataset.total));
  else if (event.target.closest?.(".felt")) rush();
});

// --- keys ---

function press(button) {
  if (!button || button.disabled) return false;
  button.click();
  return true;
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || (setting("keys") && !setting("keys").checked)) return;
  const field = event.target.closest?.("input, select, textarea, summary");
  if (field && field.type !== "range" && field.type !== "checkbox") return;
  const key = { b: "r", k: "c", " ": "n" }[event.key.toLowerCase()] ?? event.key.toLowerCase();
  if (key === "n" && event.target.closest?.("button, a")) return;  // the space bar presses what has the focus
  const view = document.getElementById("view");
  if (!view) return;
  const slider = document.getElementById("size");
  if (slider && (key === "arrowup" || key === "arrowdown") && field !== slider) {
    sized(Number(slider.value) + (key === "arrowup" ? 1 : -1) * Number(slider.dataset.step));
    event.preventDefault();
    return;
  }
  if (rush()) return;
  if (key === "a" && press(view.querySelector("[data-most]"))) {
    event.preventDefault();
    return;
  }
  if (field && key.startsWith("arrow")) return;
  if (/^[a-z0-9]+$/.test(key) && press(view.querySelector(`[data-key="${key}"]`))) event.preventDefault();
});

// --- the page ---

// Only a request for a new table ends what is shown now: the review of the hand loads while its last cards are still to come.
document.addEventListener("htmx:beforeRequest", (event) => { if (event.detail.target.id === "view") stopWaiting(); });
// abort requests about the previous hand: a browser has few connections
document.addEventListener("htmx:beforeCleanupElement", (event) => {
  if (event.target.matches?.(".review, .review .later")) htmx.trigger(event.target, "htmx:abort");
});
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id !== "view") return;
  if ("live" in event.detail.target.dataset) stage(event.detail.target);
  sized(Number(document.getElementById("size")?.value));
});
sized(Number(document.getElementById("size")?.value));
dealOn();
