// Enter goes on to the next question, wherever the focus is not on something that Enter presses itself.
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
