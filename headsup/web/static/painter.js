// A range as text and as a chart to paint. The text is authoritative: after painting the server returns the text, after typing
// the chart, so they always agree; only the last response is shown.
import { GONE, stale } from "./grid.js";

const RANKS = "AKQJT98765432";
const FOREIGN = /\n|\{|\[[0-9/]|^\s*[0-9.]+%[,;: ]|[0-9]\s+[0-9]/;  // what other programs write and range text does not

function names() {
  const all = [];
  for (let row = 0; row < 13; row += 1) {
    for (let column = 0; column < 13; column += 1) {
      const [high, low] = [RANKS[Math.min(row, column)], RANKS[Math.max(row, column)]];
      all.push(high + low + (row === column ? "" : row < column ? "s" : "o"));
    }
  }
  return all;
}

// Ranges that the visitor saved stay in the browser; those of Omaha are others.
const game = () => document.querySelector("input[name=game]:checked, input[name=game][type=hidden]")?.value || "holdem";
const shelf = () => (game() === "holdem" ? "ranges" : "ranges-omaha");
const own = () => { try { return JSON.parse(localStorage.getItem(shelf())) ?? {}; } catch { return {}; } };
function keepOwn(all) {
  try { localStorage.setItem(shelf(), JSON.stringify(all)); } catch { /* private windows may refuse */ }
  listOwn();
}
function listOwn() {
  for (const group of document.querySelectorAll("[data-own]")) {
    group.replaceChildren(...Object.keys(own()).sort().map((name) => new Option(name, name)));
    group.hidden = !group.children.length;
  }
}

class Painter {
  constructor(root) {
    this.root = root;
    this.text = root.querySelector("textarea");
    this.told = root.querySelector("[data-told]");
    this.table = root.querySelector("[data-cells]");
    this.top = root.querySelector("[data-top]");
    this.weight = root.querySelector("[data-weight]");
    this.asked = 0;
    this.changes = {};
    this.known = { classes: {}, combos: 0, share: 0 };  // what the server understood last
    this.cells = new Map();
    this.build();
    this.listen();
    this.read(false);
  }

  get game() {
    return game();
  }

  build() {
    this.bars = this.table.querySelector("path");
    for (const name of names()) {
      const button = document.createElement("button");
      button.type = "button";
      button.dataset.hand = name;
      button.setAttribute("aria-pressed", "false");
      button.tabIndex = this.cells.size ? -1 : 0;
      button.textContent = name;
      this.cells.set(name, { button, weight: 0 });
    }
    this.table.append(...[...this.cells.values()].map((cell) => cell.button));
  }

  listen() {
    let stroke = null;  // the weight that the hand paints with while it is down
    const paint = (button) => {
      const cell = button && this.cells.get(button.dataset.hand);
      if (cell && cell.weight !== stroke) this.set(button.dataset.hand, stroke);
    };
    this.table.addEventListener("pointerdown", (event) => {
      const button = event.target.closest("button");
      if (!button || event.button) return;
      const weight = Number(this.weight.value) / 100;
      stroke = this.cells.get(button.dataset.hand).weight === weight ? 0 : weight;
      button.releasePointerCapture?.(event.pointerId);
      paint(button);
    });
    this.table.addEventListener("pointermove", (event) => {
      if (stroke === null || !event.buttons) return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      paint(under?.closest?.("[data-cells] button"));
    });
    for (const end of ["pointerup", "pointercancel"]) {  // a phone may take the finger away
      addEventListener(end, () => { if (stroke !== null) { stroke = null; this.write(); } });
    }
    this.table.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button || event.detail) return;  // a mouse has painted already; this is Enter or the space bar
      const weight = Number(this.weight.value) / 100;
      this.set(button.dataset.hand, this.cells.get(button.dataset.hand).weight === weight ? 0 : weight);
      this.write();
    });
    this.text.addEventListener("paste", (event) => {
      const text = event.clipboardData?.getData("text") ?? "";
      if (this.game !== "holdem" || !FOREIGN.test(text)) return;
      event.preventDefault();
      this.paste(text);
    });
    this.text.addEventListener("input", (event) => {
      if (event.detail === "painted") return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.read(true), 150);
      event.stopPropagation();  // the page asks when the text has been understood
    });
    this.top.addEventListener("input", (event) => {
      event.stopPropagation();
      this.root.querySelector("[data-top-shown]").textContent = this.top.value;
      this.text.value = Number(this.top.value) ? `${this.top.value}%` : "";
      this.read(true);
    });
    this.weight.addEventListener("input", (event) => {
      event.stopPropagation();
      this.root.querySelector("[data-weight-shown]").textContent = this.weight.value;
    });
    this.root.querySelector("[data-clear]").addEventListener("click", () => {
      this.text.value = "";
      this.read(true);
    });
    document.addEventListener("input", (event) => { if (event.target.name === "game") this.read(false); });
    this.presets = this.root.querySelector("[data-presets]");
    this.presets.addEventListener("input", (event) => event.stopPropagation());
    this.presets.addEventListener("change", (event) => {
      event.stopPropagation();
      this.choose(this.presets.selectedOptions[0]);
    });
    this.root.querySelector("[data-save]").addEventListener("click", () => {
      const text = this.text.value.trim();
      const name = text && prompt("Name of this range (leave it empty to delete the chosen preset)", this.presets.selectedOptions[0].value);
      if (!text || name === null) return;
      const all = own();
      if (name.trim()) all[name.trim().slice(0, 60)] = text;
      else delete all[this.presets.value];
      keepOwn(all);
    });
  }

  // A preset replaces the text; long ones come from the server.
  async choose(option) {
    if (!option.value) return;
    const { group } = option.dataset;
    const answer = group ? await this.ask(`/api/range/preset?${new URLSearchParams({ group, name: option.value })}`) : { text: own()[option.value] };
    if (!answer) return;
    this.text.value = answer.text;
    this.read(true);
  }

  set(hand, weight) {
    this.changes[hand] = weight;
    this.show(hand, weight);
    this.draw();
  }

  show(hand, weight) {
    const cell = this.cells.get(hand);
    cell.weight = weight;
    cell.button.setAttribute("aria-pressed", weight > 0 ? "true" : "false");
    cell.button.title = `${hand}: ${Math.round(1000 * weight) / 10} %`;
  }

  draw() {
    const bars = [...this.cells.values()].map(({ weight }, at) => (
      weight > 0 ? `M${100 * (at % 13)} ${100 * Math.floor(at / 13) + 100}v${-100 * weight}h100v${100 * weight}z` : ""));
    this.bars.setAttribute("d", bars.join(""));
  }

  // The chart of the text, and what was painted since.
  chart() {
    for (const name of this.cells.keys()) this.show(name, this.changes[name] ?? (this.known.classes?.[name] || 0));
    this.draw();
  }

  async write() {
    clearTimeout(this.timer);  // what was typed just now is sent with it
    const number = (this.asked += 1);
    const sent = { ...this.changes };
    const body = JSON.stringify({ text: this.text.value, set: sent });
    const answer = await this.ask("/api/range/paint", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (number !== this.asked) return;
    for (const [hand, weight] of Object.entries(sent)) {
      if (!answer || this.changes[hand] === weight) delete this.changes[hand];
    }
    if (answer) {
      this.text.value = answer.combos ? answer.text : "";
      this.understood(answer, true);
    } else {
      this.chart();  // nothing was painted: the chart goes back
    }
  }

  // A range of another program; the text becomes headsup's own.
  async paste(text) {
    clearTimeout(this.timer);
    const number = (this.asked += 1);
    const body = JSON.stringify({ text, player: this.root.dataset.name });
    const answer = await this.ask("/api/range/read", { method: "POST", headers: { "content-type": "application/json" }, body });
    if (number !== this.asked || !answer) return;
    this.changes = {};
    this.text.value = answer.combos ? answer.text : "";
    this.understood(answer, true);
  }

  async read(changed) {
    const number = (this.asked += 1);
    const holdem = this.game === "holdem";
    this.changes = {};
    for (const one of this.root.querySelectorAll("[data-holdem-only]")) one.hidden = !holdem;
    const text = this.text.value.trim();
    if (!text) {
      this.understood({ classes: {}, combos: 0, share: 0 }, changed);
      return;
    }
    const words = new URLSearchParams({ text, game: this.game });
    const answer = await this.ask(`/api/range?${words}`);
    if (number === this.asked && answer) this.understood(answer, changed);
  }

  async ask(address, options) {
    try {
      const response = await fetch(address, options);
      const answer = await response.json();
      if (response.ok) return answer;
      this.told.textContent = answer.error;
    } catch {
      this.told.textContent = GONE;
    }
    this.told.classList.add("wrong");
    stale();
    document.getElementById("mistake").replaceChildren();  // that was about the text before
    return null;
  }

  understood(answer, changed) {
    this.told.classList.remove("wrong");
    const share = (100 * answer.share).toFixed(2);
    this.told.textContent = answer.combos ? `${answer.combos.toLocaleString("en")} ${answer.combos === 1 ? "combo" : "combos"}, ${share} % of all hands` : "no hands";
    this.known = answer;
    this.chart();
    if (changed) this.text.dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "painted" }));
  }
}

listOwn();
for (const root of document.querySelectorAll("[data-painter]")) root.painter = new Painter(root);
