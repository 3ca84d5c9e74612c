// Enter opens the next question, unless the focus is on a control.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target.closest?.("a, button, input, select, textarea, summary")) return;
  const next = document.querySelector("#view [data-key=n]");
  if (next) {
    next.click();
    event.preventDefault();
  }
});

// The fields above ask for another deck; what is there of it comes with the answer.
document.addEventListener("htmx:afterSwap", (event) => {
  if (event.detail.target.id === "view") event.detail.target.querySelector("[autofocus]")?.focus();
});
