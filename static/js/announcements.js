// Announces a fight to screen readers: prompts (assertively), results, whose turn it is. Each only once, when it is new:
// not what was there on page load, or arrives again with a full frame.
(() => {
  "use strict";

  const MOST = 5; // per pane at a time: nobody wants an hour's log read aloud after a break
  const PATIENCE = 120; // debounce: a frame's panes are swapped one by one

  const text = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");

  // A pane's news as {key, words}. It is new if the pane did not have its key before.
  const asked = (pane) => [...pane.querySelectorAll(".ask:not(.waiting)")].map((ask) => {
    const words = text(ask.querySelector("h2, h3"));
    return { key: `${ask.id} ${words}`, words };
  });
  const entries = (pane) => [...pane.querySelectorAll(".entry")].reverse().flatMap((entry) => {
    // Undone entries say so in their words. The class would be wrong for some milliseconds after a swap.
    const { news = "" } = entry.dataset;
    const found = [{ key: `${entry.id} ${news}`, words: news }];
    const undone = entry.querySelector(":scope > .taken-back");
    const narration = undone ? null : entry.querySelector(":scope > .say");
    if (narration) found.push({ key: `${entry.id} ${text(narration)}`, words: text(narration) });
    return found;
  });
  const told = (pane) => [...pane.querySelectorAll("details")].map((each) => ({ key: each.id, words: text(each) }));
  const turn = ({ dataset }) => [{ key: `${dataset.turn} ${dataset.news}`, words: dataset.news }];
  // In announcing order.
  const READ = { "pane-asks": asked, "pane-private": told, "pane-log": entries, "pane-bar": turn };

  const known = new Map();
  const news = new Map();
  let waiting = 0;

  const look = (id) => {
    const pane = document.getElementById(id);
    if (!pane) return [];
    const before = known.get(id) || new Set();
    const now = READ[id](pane);
    known.set(id, new Set(now.map((each) => each.key)));
    return now.filter((each) => each.words && !before.has(each.key)).map((each) => each.words);
  };

  // A page about to be reloaded, such as a draft whose fight begins, hands its pending announcements to the next page.
  const LEFT = `vesper:untold ${location.pathname} ${document.getElementById("version")?.dataset.audience}`;
  document.addEventListener("vesper:leaving", () => {
    clearTimeout(waiting);
    if (news.size) sessionStorage.setItem(LEFT, JSON.stringify([...news]));
  });
  const resume = () => {
    const left = JSON.parse(sessionStorage.getItem(LEFT) || "[]");
    sessionStorage.removeItem(LEFT);
    for (const [id, words] of left) news.set(id, words);
    if (left.length) waiting = setTimeout(tell, PATIENCE);
  };

  const tell = () => {
    for (const id of Object.keys(READ)) {
      for (const words of new Set((news.get(id) || []).slice(-MOST))) {
        document.dispatchEvent(new CustomEvent("vesper:announce", { detail: { words, now: id === "pane-asks" || id === "pane-private" } }));
      }
    }
    news.clear();
  };

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const id = event.detail.target?.id;
    if (!READ[id]) return;
    // Of several turns, only the last matters; prompts and results all do.
    const fresh = look(id);
    if (!fresh.length) return;
    news.set(id, id === "pane-bar" ? fresh : [...(news.get(id) || []), ...fresh]);
    clearTimeout(waiting);
    waiting = setTimeout(tell, PATIENCE);
  });

  Object.keys(READ).forEach(look);
  resume();
})();
