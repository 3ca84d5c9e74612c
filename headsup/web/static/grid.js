// Charts by keyboard: one stop for Tab in each, arrow keys within. Sliders drive their numbers. A typed hand is picked.
const buttons = (chart) => [...chart.querySelectorAll("button")];

let focused = null;  // the cell that had the focus before a part was exchanged

document.addEventListener("keydown", (event) => {
  const cell = event.target.closest?.("[data-grid] button");
  const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -13, ArrowDown: 13 }[event.key];
  if (!cell || step === undefined) return;
  const all = buttons(cell.closest("[data-grid]"));
  const next = all[all.indexOf(cell) + step];
  if (next) {
    cell.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
  event.preventDefault();
});

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
  if (!focused || document.activeElement?.closest("[data-grid]")) return;  // focus() lays the whole page out
  document.querySelector(`[data-grid] button[value="${CSS.escape(focused)}"]`)?.focus();
});

document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) document.getElementById("mistake").replaceChildren();
});
