// Study: lock a hand with sliders, sort tables by their heads, and search the list of spots.

// The frequencies that the sliders of a hand ask for: they need not add up to 100.
function shares(locker) {
  const sliders = [...locker.querySelectorAll("[data-action]")];
  const total = sliders.reduce((sum, slider) => sum + Number(slider.value), 0) || 1;
  return sliders.map((slider) => [slider, Math.round((100 * Number(slider.value)) / total)]);
}

function show(locker) {
  for (const [slider, share] of shares(locker)) slider.nextElementSibling.textContent = `${share} %`;
}

document.addEventListener("toggle", (event) => { if (event.target.matches?.("[data-lock][open]")) show(event.target); }, true);
document.addEventListener("input", (event) => {
  const locker = event.target.closest?.("[data-lock]");
  if (locker) show(locker);
});

document.addEventListener("click", (event) => {
  const locker = event.target.closest?.("[data-add]")?.closest("[data-lock]");
  if (!locker) return;
  const { lock: line, hand } = locker.dataset;
  const taken = shares(locker).filter(([, share]) => share > 0);
  const mix = taken.map(([slider, share], at) => (at === taken.length - 1 ? slider.dataset.action : `${slider.dataset.action} ${share}%`));
  const start = `${line ? `${line} | ` : ""}${hand}: `;
  const field = document.getElementById("locks");
  const rows = field.value.split("\n").filter((row) => row.trim() && !row.startsWith(start));
  field.value = [...rows, start + mix.join(", ")].join("\n");
  event.target.textContent = "Added";
  setTimeout(() => { event.target.textContent = "Add this lock"; }, 1500);
});

// A head of a table sorts its rows by that column: the greatest first, then the least.
document.addEventListener("click", (event) => {
  const head = event.target.closest?.("[data-sortable] th button")?.parentElement;
  if (!head) return;
  const up = head.getAttribute("aria-sort") === "descending";
  for (const other of head.parentElement.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", up ? "ascending" : "descending");
  const body = head.closest("table").tBodies[0];
  const value = (row) => { const { dataset, textContent } = row.children[head.cellIndex]; return dataset.value ?? textContent; };
  const order = (a, b) => { const gap = Number(value(a)) - Number(value(b)); return Number.isNaN(gap) ? value(a).localeCompare(value(b)) : gap; };
  body.append(...[...body.rows].sort((a, b) => (up ? order(a, b) : order(b, a))));
});

const search = document.getElementById("find");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/);
  for (const row of document.querySelectorAll("#spots tbody tr")) {
    const text = `${row.textContent} ${row.dataset.words}`.toLowerCase();
    row.hidden = !words.every((word) => text.includes(word));
  }
});
