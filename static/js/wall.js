// The screen on the wall: it stays awake, lets what changed light up once, lays the last exchange's dice open, and
// comes to the next fight by itself. Nobody touches it.
(() => {
  "use strict";

  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];

  // ── Awake, where the browser can; it lets go of that whenever the page is hidden. ──
  const stayAwake = () => {
    if (!document.hidden) navigator.wakeLock?.request("screen").catch(() => { /* it may say no */ });
  };
  document.addEventListener("visibilitychange", stayAwake);
  stayAwake();

  // ── Before the first fight: look whether there is one. A server that is away for a moment is no matter. ──
  const LOOK = 10000;
  if ($(".wall-waits[data-look]")) {
    setInterval(async () => {
      try {
        const response = await fetch(location.href, { cache: "no-store", signal: AbortSignal.timeout(LOOK / 2) });
        if (response.status === 404 || (response.ok && !(await response.text()).includes("data-look"))) location.reload();
      } catch { /* later */ }
    }, LOOK);
    return;
  }

  // ── The last exchange: how long it is, so that it can be as large as it has room; its dice laid open. ──
  const LONG = [90, 190, 360]; // letters, up to which a size holds
  const layOut = () => {
    // What was taken back has its new class a moment after its new content.
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

  // ── What changed lights up once: a row, the newest entry. ──
  const rows = () => new Map($$("#pane-order .order-row").map((row) => [row.id, row.innerHTML]));
  const newest = () => $("#pane-log .entry")?.id;
  let before = rows();
  let last = newest();
  const lightUp = (element) => {
    delete element.dataset.changed;
    element.getBoundingClientRect(); // or the same element would not light up a second time
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
