// Keeps a fight's page in sync: its socket brings the changed panes, and without a socket it polls.
// The page needs #socket (see templates/combat/live/_socket.html) and #version.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const LONGEST_PRESS = 2000;
  const LONGEST_CHOICE = 8000;
  const GLANCE = 30; // between checks whether a button is still pressed

  const mark = () => document.getElementById("version").dataset;
  const language = document.documentElement.lang; // frames use the page's language, even if another was chosen since
  const asks = () => ({ audience: mark().audience, language });
  // The page's name. Sent with commands (outbox.js), whose responses contain the panes, so the socket can skip them.
  place.dataset.page = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // ── The badge. ──
  const show = (state) => {
    const badge = document.getElementById("live");
    if (!badge || badge.dataset.state === state) return;
    badge.dataset.state = state;
    if (state === "live") document.querySelector("#messages [data-complaint=unreachable]")?.remove();
  };

  // ── Frames that arrive during a press wait, or the button could be gone before its release. ──
  // Touch sets no :active before the release, and the click follows a moment later on what is there by then.
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
  // An open list in a pane, in browsers with :open (:is ignores it in others).
  const choosing = () => document.querySelector("[data-version] select:is(:open)");
  // A frame may build on the response to a press and arrive before it. Then it waits for the response, or for a
  // heartbeat to tell the page's version.
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

  // The response to another press waits, too.
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.requestConfig?.press || detail.xhr.status !== 200 || !(held.length || pressed())) return;
    hold(detail.serverResponse);
    detail.serverResponse = "";
  });

  // ── Swaps: the newest version wins, from socket or response. morph.js preserves focus and input. ──
  const versioned = (element) => (element && element.dataset && element.dataset.version ? Number(element.dataset.version) : null);

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const coming = versioned(fragment.firstElementChild);
    const standing = versioned(target);
    if (coming === null || standing === null) return;
    // A version that builds on a missing one would hide that it is missing.
    if (coming <= standing || standing < Number(fragment.firstElementChild.dataset.since || 0)) event.detail.shouldSwap = false;
  });

  // ── Receiving and polling. ──
  const hear = (message) => {
    document.dispatchEvent(new CustomEvent("vesper:message", { detail: message }));
    if (message.startsWith("{")) return; // the answer to a heartbeat: up to date
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
    whileHidden: true, // it alerts its player
    hear,
    look,
    every: 3000,
    show,
    gone: () => document.dispatchEvent(new CustomEvent("vesper:gone")), // another role, or no longer a member
  });

  // The socket skips what a response contains. If that response is lost, ask for it.
  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
    if (requestConfig?.press && (xhr.status === 0 || xhr.status >= 500)) socket.ask();
  });
})();
