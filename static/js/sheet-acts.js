// Picks Traits on a sheet to roll them: one or two taps, then the bar below shows the pool. Without it, the sheet links to
// the roll builder. Also brings the sheet up to date after its own actions, which needs no socket.
(() => {
  "use strict";

  const MOST = 2;
  const acts = () => document.querySelector(".sheet-acts");
  const bar = () => document.getElementById("sheet-roll");
  let picked = [];

  const traits = () => (acts() ? document.querySelectorAll(".sheet [data-trait]") : []);
  const draw = () => {
    for (const each of traits()) {
      each.setAttribute("role", "button");
      each.tabIndex = 0;
      each.setAttribute("aria-pressed", String(picked.includes(each.dataset.trait)));
    }
  };
  const ask = () => {
    if (!picked.length) {
      bar().replaceChildren();
      return;
    }
    const url = new URL(acts().dataset.log, location.href);
    for (const each of picked) url.searchParams.append("traits", each);
    url.searchParams.set("picked", "1");
    htmx.trigger(bar(), "htmx:abort"); // the last tap counts
    htmx.ajax("GET", url.pathname + url.search, { source: bar(), target: bar(), swap: "innerHTML" }).catch(() => {});
  };
  const pick = (key) => {
    picked = picked.includes(key) ? picked.filter((each) => each !== key) : [...picked, key].slice(-MOST);
    draw();
    ask();
  };
  const clear = () => {
    picked = [];
    draw();
    ask();
  };

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close-told]")) document.getElementById("sheet-told").replaceChildren();
    if (event.target.closest("[data-unpick]")) clear();
    const trait = event.target.closest(".sheet [data-trait]");
    if (trait && acts() && !event.target.closest("a, button")) pick(trait.dataset.trait);
  });
  document.addEventListener("keydown", (event) => {
    if (!["Enter", " "].includes(event.key) || event.repeat || !event.target.matches?.(".sheet [data-trait]")) return;
    event.preventDefault();
    pick(event.target.dataset.trait);
  });
  // The response empties the bar itself: without its form, htmx would not find where the rest of it goes.
  document.addEventListener("vesper:done", (event) => {
    if (!bar()?.contains(event.target)) return;
    picked = [];
    draw();
  });
  document.addEventListener("htmx:load", draw); // the page replaces itself when its sheet changes
  draw();
})();
