// Reveals held dice to the whole table once they have landed. If the roller's page is gone, the Storyteller's page does
// it a little later, and the next command does it in any case.
(() => {
  "use strict";

  const A_DIE = 140; // milliseconds; they land one after another (components.css)
  const TO_READ = 1600;
  const IN_THEIR_PLACE = 7000;
  const waiting = new Map();

  const look = () => {
    for (const button of document.querySelectorAll("[data-let-go]")) {
      const entry = button.value;
      if (waiting.has(entry)) continue;
      const dice = button.closest(".own-dice")?.querySelectorAll(".die").length ?? 0;
      const wait = button.dataset.letGo === "own" ? dice * A_DIE + TO_READ : IN_THEIR_PLACE;
      waiting.set(entry, setTimeout(() => document.querySelector(`[data-let-go][value="${CSS.escape(entry)}"]`)?.click(), wait));
    }
  };

  document.addEventListener("DOMContentLoaded", look);
  document.addEventListener("htmx:oobAfterSwap", look);
  look();
})();
