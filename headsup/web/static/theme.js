// Dark, light or as the system has it; before the first paint, so that nothing flashes. On a phone the menu shows where one is.
(() => {
  const order = ["auto", "dark", "light"];
  const read = () => { try { return localStorage.getItem("theme") || "auto"; } catch { return "auto"; } };
  const apply = (theme) => { document.documentElement.dataset.theme = theme; };
  apply(read());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => { button.textContent = `Theme: ${document.documentElement.dataset.theme}`; };
    name();
    const [menu, here] = [document.querySelector(".top nav"), document.querySelector(".top nav [aria-current]")];
    if (here) requestAnimationFrame(() => { menu.scrollLeft = here.offsetLeft - menu.offsetLeft - menu.clientWidth / 3; });
    button.addEventListener("click", () => {
      const next = order[(order.indexOf(read()) + 1) % order.length];
      try { localStorage.setItem("theme", next); } catch { /* private windows may refuse */ }
      apply(next);
      name();
    });
  });
})();
