// Cards by clicking: a deck of buttons and the text that it fills, the board or what was chosen beside the deck. The text is the
// truth; typing presses the buttons.
import { stale } from "./grid.js";

const CARD = /(10|[2-9TJQKA])([cdhs])/gi;

const read = (text) => [...text.matchAll(CARD)].map(([, rank, suit]) => (rank === "10" ? "T" : rank.toUpperCase()) + suit.toLowerCase());

function setUp(deck) {
  const choice = document.querySelector("[data-into]");
  const dead = document.getElementById("dead");
  const buttons = [...deck.querySelectorAll("[data-card]")];
  const into = () => choice?.querySelector(":checked");
  const filled = () => document.getElementById(into()?.value ?? deck.dataset.deck);
  const show = () => {
    const held = new Set(read(filled().value));
    const out = new Set(dead && filled() !== dead ? read(dead.value) : []);
    for (const one of buttons) {
      one.setAttribute("aria-pressed", held.has(one.dataset.card) ? "true" : "false");
      one.classList.toggle("out", out.has(one.dataset.card));
    }
  };
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("[data-card]");
    if (!button) return;
    const field = filled();
    const [least, most] = (into()?.dataset.count ?? deck.dataset.count ?? "3 5").split(" ").map(Number);
    const whole = read(field.value);
    const hand = field.tagName === "TEXTAREA";
    const cards = hand && (whole.length >= most || whole.join("").length !== field.value.trim().length) ? [] : whole;  // a new hand
    const at = cards.indexOf(button.dataset.card);
    if (at >= 0) cards.splice(at, 1);
    else if (cards.length < most) cards.push(button.dataset.card);
    field.value = cards.join("");
    show();
    const begun = cards.length > 0 && cards.length < least;  // a mistake only where a card was taken away
    if (at >= 0 || !begun) field.dispatchEvent(new Event("input", { bubbles: true }));
    else if (field.form?.id === "ask") stale();  // the result answers what is in that form
  });
  choice?.addEventListener("input", (event) => {
    event.stopPropagation();  // nothing to ask for
    show();
  });
  document.addEventListener("input", show);
  show();
}

for (const deck of document.querySelectorAll("[data-deck]")) setUp(deck);
