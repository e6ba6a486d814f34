// Enhancements of the sheet: a new layout when the kind changes, boxes to press. Everything works without.
(() => {
  "use strict";

  const ORDER = ["", "bashing", "lethal", "aggravated"];

  const pressable = (place) => {
    if (place.querySelector(".box-press")) return;
    const select = place.querySelector("select");
    const press = document.createElement("span");
    press.className = "box-press";
    press.setAttribute("aria-hidden", "true"); // the select next to it is the accessible control
    const box = press.appendChild(document.createElement("i"));
    const draw = () => { box.className = `box ${select.value}`.trim(); };
    press.addEventListener("click", () => {
      select.value = ORDER[(ORDER.indexOf(select.value) + 1) % ORDER.length];
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
    select.addEventListener("change", draw);
    place.append(press);
    draw();
  };

  const wake = (scope) => {
    scope.querySelectorAll(".box-input").forEach(pressable);
    scope.querySelectorAll("[data-lay]").forEach((button) => { button.classList.add("resting"); });
  };

  document.addEventListener("change", (event) => {
    if (event.target.name === "kind") document.querySelector("[data-lay]")?.click();
  });
  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));
  wake(document);
})();
