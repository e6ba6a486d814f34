// Keeps a fight's page live: one socket that brings what changed, a poll while it is not open, and commands that are
// sent once however often they have to be sent. The page needs #socket (see templates/combat/_socket.html) and #version.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const HEARTBEAT = 5000; // also the longest that a lost hint goes unnoticed
  const PATIENCE = 4000; // for the answer to a heartbeat
  const IMPATIENCE = 2000; // the same, when the page has just come back to the front
  const POLL = 3000;
  const OURS = [4401, 4403, 4404]; // not for this page any more: no use in coming again
  const RETRIED_BY_HTMX = [1006, 1011, 1012, 1013];

  let socket = null;
  let answered = true;
  let deadline = 0;
  let polling = false;
  let ended = false;

  const mark = () => document.getElementById("version");
  const have = () => Number(mark().dataset.version);
  const audience = () => mark().dataset.audience;
  const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;
  const announce = (words) => document.dispatchEvent(new CustomEvent("vesper:announce", { detail: words }));

  // ── The badge. ──
  const show = (state) => {
    const badge = document.getElementById("live");
    if (badge && badge.dataset.state !== state) badge.dataset.state = state;
  };

  // ── The socket. htmx opens it and comes again by itself; what it is asked for is settled here. ──
  htmx.config.wsReconnectDelay = (tries) => 300 + Math.random() * Math.min(4700, 500 * 2 ** tries);
  htmx.createWebSocket = (address) => {
    const url = new URL(address);
    url.searchParams.set("have", have());
    url.searchParams.set("audience", audience());
    socket = new WebSocket(url);
    return socket;
  };

  // Leaves a socket that looks open and is not: its end may be told minutes later, and must not close the next one.
  const abandon = (wrapper) => {
    clearTimeout(deadline);
    const old = socket;
    if (old) {
      old.onclose = null;
      old.onerror = null;
      old.close();
    }
    show("catching-up");
    wrapper.reconnect();
  };

  let wrapper = null;
  const beat = (patience) => {
    if (!isOpen()) return;
    answered = false;
    socket.send(JSON.stringify({ have: have() }));
    clearTimeout(deadline);
    deadline = setTimeout(() => {
      if (!answered && wrapper && !ended) abandon(wrapper);
    }, patience);
  };

  place.addEventListener("htmx:wsOpen", (event) => {
    wrapper = event.detail.socketWrapper;
    // Open is a promise; the answer to the first heartbeat keeps it.
    show("catching-up");
    beat(PATIENCE);
  });

  place.addEventListener("htmx:wsClose", (event) => {
    const { event: close, socketWrapper } = event.detail;
    if (close.target !== socket) return;
    clearTimeout(deadline);
    show("catching-up");
    if (OURS.includes(close.code)) leave();
    else if (!RETRIED_BY_HTMX.includes(close.code)) setTimeout(() => !ended && !isOpen() && socketWrapper.reconnect(), 1000 + Math.random() * 2000);
    poll();
  });

  place.addEventListener("htmx:wsError", (event) => event.stopPropagation());

  place.addEventListener("htmx:wsBeforeMessage", (event) => {
    answered = true;
    clearTimeout(deadline);
    show("live");
    if (event.detail.message.startsWith("{")) event.preventDefault(); // the answer to a heartbeat: nothing is lacking
  });

  // Another role, or no place at the table any more: the server draws what there is now. Once, not for ever.
  const leave = () => {
    ended = true;
    show("offline");
    const last = Number(sessionStorage.getItem("vesper:left"));
    if (Date.now() - last < 10000) return;
    sessionStorage.setItem("vesper:left", String(Date.now()));
    location.reload();
  };

  setInterval(() => beat(PATIENCE), HEARTBEAT);

  // ── While the socket is not open: ask. ──
  const poll = async () => {
    if (polling || ended || isOpen()) return;
    polling = true;
    try {
      const address = place.dataset.since.replace(/\/0$/, `/${have()}`) + `?audience=${audience()}`;
      const response = await fetch(address, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      if (response.status === 404 || response.status === 403 || response.headers.get("HX-Refresh")) {
        leave();
        return;
      }
      if (!response.ok) throw new Error(String(response.status));
      if (response.status === 200) htmx.swap(place, await response.text(), { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
      if (!isOpen()) show("catching-up");
    } catch {
      if (!isOpen()) show("offline");
    } finally {
      polling = false;
    }
  };
  setInterval(poll, POLL);

  const probe = () => {
    if (document.hidden || ended) return;
    if (isOpen()) beat(IMPATIENCE);
    else poll();
  };
  document.addEventListener("visibilitychange", probe);
  window.addEventListener("online", probe);
  window.addEventListener("pageshow", probe);
  window.addEventListener("offline", () => show("offline"));

  // ── Swaps: the newest wins, whichever way it came; what somebody is in the midst of stays. ──
  const pieces = new Map();

  const remember = (pane) => {
    const active = document.activeElement;
    const inside = active && active.id && pane.contains(active) ? active : null;
    const typed = inside && "value" in inside && inside.value !== inside.defaultValue ? inside.value : null;
    pieces.set(pane.id, {
      focus: inside && inside.id,
      typed,
      selection: inside && "selectionStart" in inside ? [inside.selectionStart, inside.selectionEnd] : null,
      opened: [...pane.querySelectorAll("details[open][id]")].map((each) => each.id),
      popovers: [...pane.querySelectorAll("[popover][id]")].filter((each) => each.matches(":popover-open")).map((each) => each.id),
      scrolled: [pane, ...pane.querySelectorAll("[id]")].filter((each) => each.scrollTop > 0).map((each) => [each.id, each.scrollTop]),
      news: pane.dataset.news || "",
    });
  };

  const restore = (pane) => {
    const before = pieces.get(pane.id);
    if (!before) return;
    pieces.delete(pane.id);
    const find = (id) => document.getElementById(id);
    before.opened.forEach((id) => { const each = find(id); if (each) each.open = true; });
    before.popovers.forEach((id) => find(id)?.showPopover?.());
    before.scrolled.forEach(([id, top]) => { const each = find(id); if (each) each.scrollTop = top; });
    const focus = before.focus && find(before.focus);
    if (focus) {
      focus.focus({ preventScroll: true });
      if (before.typed !== null && "value" in focus) focus.value = before.typed;
      if (before.selection && before.selection[0] !== null && focus.setSelectionRange) focus.setSelectionRange(...before.selection);
    }
    if (pane.dataset.news && pane.dataset.news !== before.news) tell(pane.dataset.news);
  };

  let said = [];
  let speaking = 0;
  const tell = (words) => {
    said.push(words);
    clearTimeout(speaking);
    speaking = setTimeout(() => {
      announce(said.join(" "));
      said = [];
    }, 150);
  };

  const versioned = (element) => (element && element.dataset && element.dataset.version ? Number(element.dataset.version) : null);

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const coming = versioned(fragment.firstElementChild);
    const standing = versioned(target);
    if (coming === null || standing === null) return;
    if (coming <= standing) event.detail.shouldSwap = false;
    else remember(target);
  });

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const pane = document.getElementById(event.detail.target.id);
    if (pane) restore(pane);
  });

  // ── Commands: each press has a key of its own; one whose answer never came is sent again under the same. ──
  const unsure = new Map(); // what was sent -> its key, and the version that it was pressed at
  const isCommand = (config) => config.verb === "post" && /\/do\/[\w-]+$/.test(config.path);
  const freshKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const MEANS_NOTHING = ["key", "version", "csrfmiddlewaretoken"];
  const signature = (path, data) => JSON.stringify([path, [...data.entries()].filter(([name]) => !MEANS_NOTHING.includes(name))]);

  document.addEventListener("htmx:configRequest", (event) => {
    const config = event.detail;
    if (!isCommand(config)) return;
    const sign = signature(config.path, config.formData);
    const press = unsure.get(sign) || { key: freshKey(), version: have(), tries: 0 };
    unsure.set(sign, press);
    config.parameters.key = press.key;
    // What the page shows now is what was pressed at, unless the form says that it shows something older.
    if (!config.elt.closest("[data-own-version]")) config.parameters.version = String(press.version);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, xhr } = event.detail;
    if (!requestConfig || !isCommand(requestConfig)) return;
    const sign = signature(requestConfig.path, requestConfig.formData);
    const press = unsure.get(sign);
    if (!press) return;
    if (xhr.status !== 0 && xhr.status < 500) {
      unsure.delete(sign);
      if (press.tries) document.getElementById("messages")?.replaceChildren();
      return;
    }
    if (press.tries >= 6) {
      unsure.delete(sign);
      return;
    }
    press.tries += 1;
    setTimeout(() => again(requestConfig), Math.min(8000, 500 * 2 ** press.tries));
  });

  const again = (config) => {
    const values = {};
    for (const [name, value] of config.formData.entries()) {
      values[name] = name in values ? [].concat(values[name], value) : value;
    }
    const source = config.elt.isConnected ? config.elt : place;
    htmx.ajax("POST", config.path, { source, target: config.target?.isConnected ? config.target : place, swap: config.target?.isConnected ? undefined : "none", values });
  };

  show(navigator.onLine === false ? "offline" : "catching-up");
})();
