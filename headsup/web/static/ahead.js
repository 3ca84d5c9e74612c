// What the next click would ask for is asked for while nobody clicks: the actions of a decision one after the other, any
// other link of the view when the pointer or the focus comes to it. The browser keeps the answers, whose addresses have the
// stamp of their solution, and htmx finds them there.
const AHEAD = "[data-ahead][hx-get]";
const asked = new Set();
let going = null;  // what is under way: its address, and how to give it up

async function ask(address) {
  if (asked.has(address)) return;
  asked.add(address);
  const stop = new AbortController();
  going = { address, stop };
  try {
    const answer = await fetch(address, { headers: { "HX-Request": "true" }, priority: "low", signal: stop.signal });
    await answer.arrayBuffer();
  } catch {
    asked.delete(address);
  }
  if (going?.address === address) going = null;
}

async function actions() {
  for (const link of document.querySelectorAll(`#view .act${AHEAD}`)) {
    if (going || document.querySelector(".htmx-request")) return;
    await ask(link.getAttribute("hx-get"));
  }
}

const later = window.requestIdleCallback ?? ((act) => setTimeout(act, 50));

for (const event of ["pointerover", "focusin"]) {
  document.addEventListener(event, ({ target }) => {
    const link = target.closest?.(AHEAD);
    if (link) ask(link.getAttribute("hx-get"));
  });
}

// A click comes first: only what it asks for itself goes on.
document.addEventListener("htmx:beforeRequest", ({ detail }) => {
  if (going && going.address !== detail.pathInfo.finalRequestPath) going.stop.abort();
});
document.addEventListener("htmx:afterSettle", () => later(actions));
later(actions);
