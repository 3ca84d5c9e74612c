// Charts and decks by keyboard: one stop for Tab in each, arrow keys within. Sliders drive their numbers. A typed hand is picked. Errors
// of every page.
const buttons = (chart) => [...chart.querySelectorAll("button")];

let focused = null;  // the cell that had the focus before a part was exchanged

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.("[data-grid] button");
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
  if (!cell || step === undefined) return;
  const all = buttons(cell.closest("[data-grid]"));
  const next = all[all.indexOf(cell) + step];
  if (next) {
    for (const stop of all) if (stop.tabIndex === 0) stop.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  event.preventDefault();
});

// On a phone: the menu of pages, and the sheet at the bottom that answers a tap.
const menu = document.getElementById("menu");
menu?.addEventListener("click", () => {
  const open = menu.closest(".top").classList.toggle("open");
  menu.setAttribute("aria-expanded", open ? "true" : "false");
});
document.addEventListener("click", (event) => event.target.closest?.("[data-close]")?.closest(".sheet").classList.remove("sheet"));

document.addEventListener("input", (event) => {
  const field = event.target;
  if (field.dataset.drives) document.getElementById(field.dataset.drives).value = field.value;
  const slider = document.querySelector(`[data-drives="${CSS.escape(field.id || "-")}"]`);
  if (slider) slider.value = field.value;
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-print]")) print();
});

document.addEventListener("htmx:configRequest", (event) => {
  const given = event.detail.parameters;
  if (given.typed) given.pick = `${given.seat || "sb"}:${given.typed}`;
  delete given.typed;
});

document.addEventListener("htmx:beforeSwap", () => {
  const cell = document.activeElement?.closest?.("[data-grid] button");
  focused = cell ? cell.value : null;
});

document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.requestConfig.parameters.pick && event.detail.target.id !== "mistake") reveal();
  if (!focused || document.activeElement?.closest("[data-grid]")) return;  // focus() lays the whole page out
  document.querySelector(`[data-grid] button[value="${CSS.escape(focused)}"]`)?.focus();
});

document.addEventListener("htmx:afterRequest", (event) => {
  const { successful, requestConfig: { target } } = event.detail;
  if (!successful) return;
  if (target.id !== "plan") document.getElementById("mistake").replaceChildren();  // the size of a spot is no answer to what was sent
  if (target.matches("[data-result]")) stale(false);
});

// The answer to a hand that was picked may lie outside the window, as on a phone: then the window goes there.
export function reveal() {
  const answer = document.querySelector("[data-answer]");
  if (!answer || answer.contains(document.activeElement)) return;  // it is being typed there
  const { top, bottom } = answer.getBoundingClientRect();
  if (bottom < 0.2 * innerHeight || top > 0.8 * innerHeight) answer.scrollIntoView({ block: "start" });
}

// A result that does not answer what stands in the fields is pale until one comes that does.
export function stale(is = true) {
  for (const result of document.querySelectorAll("[data-result]")) result.classList.toggle("stale", is);
}

for (const type of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(type, ({ detail }) => { if (detail.requestConfig.target.matches("[data-result]")) stale(); });
}

export const GONE = "The server does not answer: is headsup serve still running?";

document.addEventListener("htmx:sendError", () => {
  const told = document.createElement("p");
  told.className = "mistake";
  told.setAttribute("role", "alert");
  told.textContent = GONE;
  document.getElementById("mistake").replaceChildren(told);
});

// Errors appear at the top of the page: scroll there if it is out of view.
document.addEventListener("htmx:afterSwap", ({ detail: { target } }) => {
  if (target.id === "mistake" && target.getBoundingClientRect().top < 0) target.scrollIntoView({ block: "center" });
});

document.addEventListener("submit", (event) => {
  const sure = event.target.dataset?.sure;
  if (sure && !confirm(sure)) event.preventDefault();
});
