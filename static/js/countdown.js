// Counts down to the deadline of a prompt. The server decides when time is up; this only shows what is left.
(() => {
  "use strict";

  const LATE = 10; // seconds left from which it looks urgent

  let skew = 0; // this device's clock skew, in milliseconds
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
