// Clickable dots next to a number field. The field stays the labelled control for keyboards and screen readers, and
// half-typed text in it is left alone.
(() => {
  "use strict";

  const build = (box) => {
    if (box.querySelector(".dots-row")) return;
    const input = box.querySelector("input");
    const most = Number(box.dataset.max || input.max || 5);
    const least = Number(box.dataset.min || input.min || 0);
    const row = document.createElement("span");
    row.className = "dots-row";
    row.setAttribute("aria-hidden", "true");
    const dots = Array.from({ length: most }, () => row.appendChild(document.createElement("span")));

    const typed = () => (/^\d+$/.test(input.value.trim()) ? Number(input.value) : null);
    const draw = () => {
      const value = typed();
      row.classList.toggle("unknown", value === null || value > most);
      dots.forEach((dot, index) => dot.classList.toggle("on", value !== null && index < value));
    };
    const show = (until) => dots.forEach((dot, index) => dot.classList.toggle("ghost", index <= until));

    row.addEventListener("click", (event) => {
      const index = dots.indexOf(event.target);
      if (index < 0 || input.disabled || input.readOnly) return;
      const pressed = index + 1;
      input.value = String(Math.max(least, pressed === typed() ? pressed - 1 : pressed));
      input.dispatchEvent(new Event("input", { bubbles: true }));
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    row.addEventListener("pointerover", (event) => show(event.pointerType === "mouse" ? dots.indexOf(event.target) : -1));
    row.addEventListener("pointerleave", () => show(-1));
    input.addEventListener("input", draw);
    input.form?.addEventListener("reset", () => setTimeout(draw));
    box.append(row);
    draw();
  };

  const wake = (scope) => {
    if (scope.matches?.(".dots-input")) build(scope);
    scope.querySelectorAll(".dots-input").forEach(build);
  };
  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));
  wake(document);
})();
