// Keeps a fight's page as the server has it: its socket brings the panes that changed, and while there is none it asks.
// The page needs #socket (see templates/combat/live/_socket.html) and #version.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const LONGEST_PRESS = 2000;
  const LONGEST_CHOICE = 8000;
  const GLANCE = 30; // between two looks whether a button is still down

  const mark = () => document.getElementById("version").dataset;
  const language = document.documentElement.lang; // frames come in the page's own, whatever was chosen since
  const asks = () => ({ audience: mark().audience, language });
  // What is pressed here is answered with the panes (outbox.js sends this along): the socket need not bring them too.
  place.dataset.page = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ── The badge. ──
  const show = (state) => {
    const badge = document.getElementById("live");
    if (!badge || badge.dataset.state === state) return;
    badge.dataset.state = state;
    if (state === "live") document.querySelector("#messages [data-complaint=unreachable]")?.remove();
  };

  // ── A press takes a moment. What comes between its down and its up waits, or the button would be gone at its up. ──
  // A finger makes nothing :active before its up, and its click comes a moment later, on whatever stands there by then.
  const TO_CLICK = 100;
  const PRESSED = "a, button, summary, label";
  document.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "touch") event.target.closest(PRESSED)?.setAttribute("data-down", "");
  });
  for (const [kind, later] of [["pointerup", TO_CLICK], ["pointercancel", 0], ["click", 0]]) {
    document.addEventListener(kind, () => {
      const down = document.querySelectorAll("[data-down]");
      setTimeout(() => down.forEach((each) => each.removeAttribute("data-down")), later);
    });
  }
  const pressed = () => document.querySelector(`:is(${PRESSED}):is(:active, [data-down])`) || choosing();
  // A pane's list that is open, where the browser tells (:is forgives those that do not).
  const choosing = () => document.querySelector("[data-version] select:is(:open)");
  // A frame may go on from what the answer to a press brings, and come before it: then it waits for that, or for a
  // heartbeat that says what the page has.
  const goesOnFrom = (frames) => Number(/ data-since="(\d+)"/.exec(frames)?.[1] || 0);
  const early = [];
  const bring = (frames) => {
    if (goesOnFrom(frames) > Number(mark().version)) early.push(frames);
    else htmx.swap(place, frames, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
  };
  document.addEventListener("htmx:oobAfterSwap", ({ detail }) => {
    if (detail.target?.id === "version" && early.length) setTimeout(() => early.splice(0).forEach(bring));
  });
  const held = [];
  const hold = (message) => {
    if (held.push(message) === 1) release(Date.now() + (choosing() ? LONGEST_CHOICE : LONGEST_PRESS));
  };
  const release = (latest) => setTimeout(() => {
    if (pressed() && Date.now() < latest) release(latest);
    else held.splice(0).forEach(bring);
  }, GLANCE);

  // What the answer to another press brings waits, too.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.requestConfig?.press || detail.xhr.status !== 200 || !(held.length || pressed())) return;
    hold(detail.serverResponse);
    detail.serverResponse = "";
  });

  // ── Swaps: the newest wins, whichever way it came. What somebody is in the midst of stays by morph.js. ──
  const versioned = (element) => (element && element.dataset && element.dataset.version ? Number(element.dataset.version) : null);

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const coming = versioned(fragment.firstElementChild);
    const standing = versioned(target);
    if (coming === null || standing === null) return;
    // A mark that goes on from what is lacking here would say that it is not.
    if (coming <= standing || standing < Number(fragment.firstElementChild.dataset.since || 0)) event.detail.shouldSwap = false;
  });

  // ── What comes, and how to ask for it. ──
  const hear = (message) => {
    document.dispatchEvent(new CustomEvent("vesper:message", { detail: message }));
    if (message.startsWith("{")) return; // the answer to a heartbeat: nothing is lacking
    if (held.length || pressed()) hold(message);
    else bring(message);
  };
  const look = async (patience) => {
    const address = `${place.dataset.since.replace(/\/0$/, `/${mark().version}`)}?${new URLSearchParams(asks())}`;
    const response = await fetch(address, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(patience) });
    if (response.status === 404 || response.status === 403 || response.headers.get("HX-Refresh")) return false;
    if (!response.ok) throw new Error(String(response.status));
    if (response.status === 200) hold(await response.text());
    return true;
  };

  const socket = new LiveSocket({
    path: place.dataset.socket,
    asks: () => ({ have: mark().version, page: place.dataset.page, ...asks() }),
    have: () => Number(mark().version),
    heartbeat: 5000,
    whileHidden: true, // it calls its player
    hear,
    look,
    every: 3000,
    show,
    gone: () => document.dispatchEvent(new CustomEvent("vesper:gone")), // another role, or no place at the table any more
  });

  // Nor does the socket bring what an answer had that was lost on its way: it is asked.
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
    if (requestConfig?.press && (xhr.status === 0 || xhr.status >= 500)) socket.ask();
  });
})();
