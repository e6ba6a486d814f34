// Reads a fight out to screen readers: what is asked (at once), what came of it, whose turn it is. Each thing once,
// when it comes: what stood there when the page was loaded, or comes again with a whole frame, is not news.
(() => {
  "use strict";

  const MOST = 5; // of one pane at a time: whoever comes back to an hour's log reads it, and is not read to
  const PATIENCE = 120; // a frame's panes are swapped one by one

  const text = (element) => (element ? element.textContent.replace(/\s+/g, " ").trim() : "");

  // A pane's news as {key, words}: what has a key that the pane did not have before is new.
  const asked = (pane) => [...pane.querySelectorAll(".ask:not(.waiting)")].map((ask) => {
    const words = text(ask.querySelector("h2, h3"));
    return { key: `${ask.id} ${words}`, words };
  });
  const entries = (pane) => [...pane.querySelectorAll(".entry")].reverse().flatMap((entry) => {
    // What is taken back says so in its words. Not by its class: for some milliseconds that is the one from before.
    const { news = "" } = entry.dataset;
    const found = [{ key: `${entry.id} ${news}`, words: news }];
    const undone = entry.querySelector(":scope > .taken-back");
    const narration = undone ? null : entry.querySelector(":scope > .say");
    if (narration) found.push({ key: `${entry.id} ${text(narration)}`, words: text(narration) });
    return found;
  });
  const turn = ({ dataset }) => [{ key: `${dataset.turn} ${dataset.news}`, words: dataset.news }];
  // In the order in which they are read.
  const READ = { "pane-asks": asked, "pane-log": entries, "pane-bar": turn };

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

  // A page that is about to be loaded anew, as a draft is when its fight begins, leaves what it has to tell to the next.
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
        document.dispatchEvent(new CustomEvent("vesper:announce", { detail: { words, now: id === "pane-asks" } }));
      }
    }
    news.clear();
  };

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const id = event.detail.target?.id;
    if (!READ[id]) return;
    // Whose turn it is only matters as it is in the end; what is asked and what came of it all does.
    const fresh = look(id);
    if (!fresh.length) return;
    news.set(id, id === "pane-bar" ? fresh : [...(news.get(id) || []), ...fresh]);
    clearTimeout(waiting);
    waiting = setTimeout(tell, PATIENCE);
  });

  Object.keys(READ).forEach(look);
  resume();
})();
