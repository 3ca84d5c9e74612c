// Dark, light or as the system has it; before the first paint, so that nothing flashes.
(() => {
  const order = ["auto", "dark", "light"];
  const read = () => { try { return localStorage.getItem("theme") || "auto"; } catch { return "auto"; } };
  const apply = (theme) => { document.documentElement.dataset.theme = theme; };
  apply(read());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => { button.textContent = `Theme: ${document.documentElement.dataset.theme}`; };
    name();
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(read()) + 1) % order.length];
      try { localStorage.setItem("theme", next); } catch { /* private windows may refuse */ }
      apply(next);
      name();
    });
  });
})();
