// Keeps pages outside fights in sync: a socket says that the page is out of date, and the page fetches itself and morphs.
// A form being filled in is never touched; its page shows a note.
// The page needs #page-live (see templates/components/_page_live.html).
(() => {
  "use strict";

  const place = document.getElementById("page-live");
  if (!place) return;

  const PATIENCE = 4000;
  const OWN = 700; // for the response to this page's own writing

  const note = document.getElementById("page-changed");
  let fetching = false;
  let again = false;

  const { part } = place.dataset; // the page is live by itself, except for this part
  const have = () => place.dataset.token;

  // ── Morphing: unchanged nodes stay, so focus, scroll position and open details survive. ──
  const isFilledIn = (form) => [...form.elements].some(morph.isTyped);
  // Fetched content is newer than the page; a different version of it has a different id.
  const isLeft = (element) => (element.localName === "form" && isFilledIn(element)) || element.hasAttribute("data-fetched");

  const news = () => [...document.querySelectorAll("#main [data-news]")].map((each) => each.dataset.news);

  const takeOver = async () => {
    if (fetching) {
      again = true;
      return true;
    }
    fetching = true;
    try {
      const address = location.href;
      // Told from a visit, which moves the mark of what the reader has seen.
      const headers = { "Vesper-Update": "1" };
      const answer = await fetch(address, { headers, cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      if (answer.status === 403 || answer.status === 404) return false;
      if (!answer.ok) return true;
      const text = await answer.text();
      if (location.href !== address) {
        again = true; // meanwhile the page shows something else, which this would take away
        return true;
      }
      const fresh = new DOMParser().parseFromString(text, "text/html");
      const main = fresh.getElementById("main");
      const mark = fresh.getElementById("page-live");
      if (!main || !mark || mark.dataset.socket !== place.dataset.socket) return false;
      if (part) {
        place.dataset.token = mark.dataset.token;
        document.dispatchEvent(new CustomEvent("vesper:part", { detail: fresh.getElementById(part) }));
        return true;
      }
      const before = news();
      const shown = document.getElementById("main");
      morph.morphed(shown, main, isLeft);
      htmx.process(shown);
      htmx.trigger(shown, "htmx:load", { elt: shown });
      shown.querySelectorAll("details[open] [data-fetched]:empty").forEach((text) => htmx.trigger(text.closest("details"), "toggle"));
      document.title = fresh.title;
      place.dataset.token = mark.dataset.token;
      news().filter((words) => !before.includes(words)).forEach((words) => document.dispatchEvent(new CustomEvent("vesper:announce", { detail: words })));
      return true;
    } finally {
      fetching = false;
      if (again) {
        again = false;
        update();
      }
    }
  };

  const gone = () => document.dispatchEvent(new CustomEvent("vesper:gone"));
  // Offline or signed out: the next hint or poll will tell.
  const update = () => takeOver().then((is) => { if (!is) gone(); }, () => {});

  const hear = (message) => {
    const token = JSON.parse(message).version;
    if (token === have()) return;
    // The hint may be about this page's own writing, and arrive before the response.
    if (part) setTimeout(() => { if (token !== have()) update(); }, OWN);
    else if (note) note.hidden = false;
    else update();
  };

  // A link to a note from before notes were pages.
  const wanted = location.hash.match(/^#note-(\w+)$/);
  if (wanted && !document.getElementById(`note-${wanted[1]}`)) location.replace(`notes/${wanted[1]}/`);

  // After an action of this page's own, at once and without a socket.
  if (!note && !part) document.addEventListener("vesper:done", update);

  new LiveSocket({
    path: place.dataset.socket,
    asks: () => ({ have: have(), language: place.dataset.language }),
    have,
    heartbeat: 10000,
    hear,
    look: async () => Boolean(note) || takeOver(),
    every: 10000,
    gone: () => { if (!note) gone(); },
  });
})();
