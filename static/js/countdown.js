// Counts down what waits for an answer. The server says when it is over; here is only shown what is left.
(() => {
  "use strict";

  const LATE = 10; // seconds from which on it presses

  let skew = 0; // of this device's clock, in milliseconds
  const mark = () => document.getElementById("version");
  const listen = () => {
    const now = Number(mark()?.dataset.now);
    if (now) skew = now - Date.now();
  };

  const show = () => {
    for (const clock of document.querySelectorAll(".clock-left[data-due]")) {
      const left = Math.ceil((Number(clock.dataset.due) - Date.now() - skew) / 1000);
      const words = left > 0 ? clock.dataset.seconds.replace("%s", left) : clock.dataset.over;
      if (clock.textContent !== words) clock.textContent = words;
      clock.classList.toggle("late", left <= LATE);
    }
  };

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target?.id === "version") listen();
    show();
  });
  listen();
  show();
  setInterval(show, 250);
})();
