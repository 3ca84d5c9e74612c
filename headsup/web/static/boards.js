// Cards by clicking: a deck of buttons and the text field that it fills. The text is the truth; typing presses the buttons.
const CARD = /(10|[2-9TJQKA])([cdhs])/gi;

const read = (text) => [...text.matchAll(CARD)].map(([, rank, suit]) => (rank === "10" ? "T" : rank.toUpperCase()) + suit.toLowerCase());

function setUp(deck) {
  const field = document.getElementById(deck.dataset.deck);
  const dead = document.getElementById("dead");
  const buttons = [...deck.querySelectorAll("[data-card]")];
  const show = () => {
    const held = new Set(read(field.value));
    const out = new Set(dead ? read(dead.value) : []);
    for (const one of buttons) {
      one.setAttribute("aria-pressed", held.has(one.dataset.card) ? "true" : "false");
      one.classList.toggle("out", out.has(one.dataset.card));
    }
  };
  deck.addEventListener("click", (event) => {
    const button = event.target.closest("[data-card]");
    if (!button) return;
    const cards = read(field.value);
    const at = cards.indexOf(button.dataset.card);
    if (at >= 0) cards.splice(at, 1);
    else if (cards.length < 5) cards.push(button.dataset.card);
    field.value = cards.join("");
    show();
    if (at >= 0 || ![1, 2].includes(cards.length)) field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  for (const one of [field, dead]) one?.addEventListener("input", show);
  show();
}

for (const deck of document.querySelectorAll("[data-deck]")) setUp(deck);
