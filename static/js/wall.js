// The wall screen, which nobody touches: it stays awake, highlights changes once, opens the last exchange's dice, and
// moves on to the next fight by itself.
(() => {
  "use strict";

  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];

  // ── Wake lock, if supported. Browsers release it when the page is hidden. ──
  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => { /* it may be denied */ });
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  // ── A passage over the screen, until the Storyteller takes it off. ──
  const SHOWN_EVERY = 3000;
  const sheet = $("#wall-shown");
  let drawn = "";
  const lookForShown = async () => {
    try {
      const answer = await fetch(sheet.dataset.shown, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(SHOWN_EVERY) });
      const text = answer.ok ? await answer.text() : "";
      if (text === drawn || answer.status >= 500) return;
      drawn = text;
      const article = new DOMParser().parseFromString(text, "text/html").querySelector("article");
      sheet.replaceChildren(...(article ? [article] : []));
      sheet.hidden = !article;
      if (!article) return;
      fit(article);
      article.querySelector("img")?.addEventListener("load", () => fit(article));
    } catch { /* try later */ }
  };
  // The largest letters with which all of it fits.
  const fit = (article) => {
    const room = getComputedStyle(sheet);
    const height = sheet.clientHeight - parseFloat(room.paddingTop) - parseFloat(room.paddingBottom);
    sheet.dataset.size = "0";
    for (let size = 1; size < 7 && article.offsetHeight > height; size += 1) sheet.dataset.size = String(size);
  };
  if (sheet) {
    document.addEventListener("vesper:shown", lookForShown);
    addEventListener("resize", () => { if (sheet.firstElementChild) fit(sheet.firstElementChild); });
    setInterval(lookForShown, SHOWN_EVERY);
    lookForShown();
  }

  // ── Before the first fight: poll for one. A server that is down for a moment does not matter. ──
  const LOOK = 10000;
  if ($(".wall-waits[data-look]")) {
    setInterval(async () => {
      try {
        const response = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(LOOK / 2) });
        if (response.status === 404 || (response.ok && !(await response.text()).includes("data-look"))) location.reload();
      } catch { /* try later */ }
    }, LOOK);
    return;
  }

  // ── The last exchange: its length chooses the font size, and its dice are opened. ──
  const LONG = [90, 190, 360]; // the longest text for each size
  const layOut = () => {
    // An undone entry gets its class a moment after its content.
    const entry = $$("#pane-log .entry").find((each) => !each.matches(".turn, :has(> .taken-back)"));
    if (entry) {
      const letters = $$("p", entry).filter((each) => !each.closest(".rolls")).map((each) => each.textContent).join(" ").length;
      const size = LONG.findIndex((most) => letters <= most);
      entry.dataset.size = String(size < 0 ? LONG.length : size);
      $$("details.rolls", entry).forEach((each) => { each.open = true; });
    }
    const scene = $("#pane-scene");
    if (scene) scene.toggleAttribute("data-more", scene.scrollHeight > scene.clientHeight + 2);
  };

  // ── Changes are highlighted once: rows, the newest entry. ──
  const rows = () => new Map($$("#pane-order .order-row").map((row) => [row.id, row.innerHTML]));
  const newest = () => $("#pane-log .entry")?.id;
  let before = rows();
  let last = newest();
  const lightUp = (element) => {
    delete element.dataset.changed;
    element.getBoundingClientRect(); // restarts the animation
    element.dataset.changed = "";
  };
  const light = () => {
    const now = rows();
    for (const [id, content] of now) if (before.has(id) && before.get(id) !== content) lightUp(document.getElementById(id));
    if (newest() !== last) lightUp($("#pane-log .entry"));
    before = now;
    last = newest();
  };

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const id = event.detail.target?.id;
    if (id === "pane-order" || id === "pane-log") light();
    layOut();
  });
  addEventListener("resize", layOut);
  layOut();
})();
