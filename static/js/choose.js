// Buttons that check all boxes of their list, or none. Without scripts they stay hidden.
for (const buttons of document.querySelectorAll(".time-all")) {
  buttons.hidden = false;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-choose-all], [data-choose-none]");
  if (!button) return;
  const list = button.parentElement.nextElementSibling;
  const boxes = [...list.querySelectorAll("input[type=checkbox]:not(:disabled)")];
  for (const box of boxes) box.checked = button.hasAttribute("data-choose-all");
  boxes[0]?.dispatchEvent(new Event("change", { bubbles: true }));
});
