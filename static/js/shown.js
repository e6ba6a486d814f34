// A passage that the Storyteller shows lies over the page as a sheet until its reader closes it. The focus stays where
// it is, because they may be typing. The page needs #shown (see templates/base.html).
(() => {
  "use strict";

  const sheet = document.getElementById("shown");
  if (!sheet?.showPopover) return;

  const SEEN = "vesper-shown";
  const MOST_SEEN = 50;
  const PATIENCE = 8000;
  const passages = sheet.querySelector("[data-passages]");

  // What was shown in this tab, by the id of the showing: a page opened within the next minute is told again.
  const seen = () => {
    try { return JSON.parse(sessionStorage.getItem(SEEN)) ?? []; } catch { return []; }
  };
  const see = (reveal) => {
    try { sessionStorage.setItem(SEEN, JSON.stringify([...seen(), reveal].slice(-MOST_SEEN))); } catch { /* no storage */ }
  };
  let last = "";

  // Above an open dialog, outside of which nothing can be pressed.
  const lift = () => {
    const place = document.querySelector("dialog:modal") ?? document.body;
    if (sheet.matches(":popover-open") && sheet.parentElement === place) return;
    if (sheet.parentElement !== place) place.append(sheet);
    if (!sheet.matches(":popover-open")) sheet.showPopover();
  };
  const close = () => {
    if (sheet.matches(":popover-open")) sheet.hidePopover();
    passages.replaceChildren();
  };

  document.addEventListener("vesper:shown", async ({ detail: { reveal, passage, url } }) => {
    if (!url || reveal === last || seen().includes(reveal)) return;
    last = reveal;
    try {
      const answer = await fetch(url, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      if (!answer.ok) return;
      const article = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("article");
      if (!article) return;
      // The same passage takes its own place.
      [...passages.children].find((each) => each.dataset.passage === passage)?.remove();
      passages.prepend(article);
      see(reveal);
      lift();
      sheet.scrollTop = 0;
      document.dispatchEvent(new CustomEvent("vesper:announce", { detail: `${sheet.dataset.words} ${article.querySelector("h2").textContent}` }));
    } catch {
      last = ""; // the next heartbeat or page tells again
    }
  });

  sheet.querySelector("[data-close]").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !sheet.matches(":popover-open") || sheet.parentElement !== document.body) return;
    event.preventDefault();
    close();
  });
  // A closed dialog takes what is inside with it.
  document.addEventListener("close", () => { if (passages.childElementCount) lift(); }, true);
})();
