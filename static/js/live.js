// Keeps a fight's page live: one socket that brings what changed, a poll while it is not open, and commands that are
// sent once however often they have to be sent. The page needs #socket (see templates/combat/live/_socket.html) and #version.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const HEARTBEAT = 5000; // also the longest that a lost hint goes unnoticed
  const PATIENCE = 4000; // for the answer to a heartbeat
  const IMPATIENCE = 2000; // the same, when the page has just come back to the front
  const FOR_A_PRESS = 8000; // for the answer to a command, before it is sent again
  const INSISTENCE = 120000; // how long one is sent again whose answer never came
  const POLL = 3000;
  const LONGEST_PRESS = 2000;
  const LONGEST_CHOICE = 8000;
  const GLANCE = 30; // between two looks whether a button is still down
  const OURS = [4401, 4403, 4404]; // not for this page any more: no use in coming again
  const CROWDED = 4408; // another page of ours took the place: this one asks every few seconds instead
  const RETRIED_BY_HTMX = [1006, 1011, 1012, 1013];

  let socket = null;
  let begun = 0; // when it was asked for
  let answered = true;
  let deadline = 0;
  let polling = false;
  let ended = false;

  const mark = () => document.getElementById("version");
  const have = () => Number(mark().dataset.version);
  const audience = () => mark().dataset.audience;
  const language = document.documentElement.lang; // frames come in the page's own, whatever was chosen since
  const isOpen = () => socket !== null && socket.readyState === WebSocket.OPEN;

  // ── The badge. ──
  const show = (state) => {
    const badge = document.getElementById("live");
    if (!badge || badge.dataset.state === state) return;
    badge.dataset.state = state;
    if (state === "live") document.querySelector("#messages [data-complaint=unreachable]")?.remove();
  };

  // ── The socket. htmx opens it and comes again by itself; what it is asked for is settled here. ──
  // A server that was restarted is back within seconds, and a page within one of that; one that stays away is asked less.
  htmx.config.wsReconnectDelay = (tries) => 200 + Math.random() * (tries < 50 ? 800 : 4800);
  htmx.createWebSocket = (address) => {
    const url = new URL(address);
    url.searchParams.set("have", have());
    url.searchParams.set("audience", audience());
    url.searchParams.set("language", language);
    socket = new WebSocket(url);
    begun = Date.now();
    return socket;
  };

  // Leaves a socket that looks open and is not, or never opens: its end may be told minutes later, and must not close the
  // next one.
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
    else if (close.code !== CROWDED && !RETRIED_BY_HTMX.includes(close.code)) setTimeout(() => !ended && !isOpen() && socketWrapper.reconnect(), 1000 + Math.random() * 2000);
    poll();
  });

  place.addEventListener("htmx:wsError", (event) => event.stopPropagation());

  place.addEventListener("htmx:wsBeforeMessage", (event) => {
    answered = true;
    clearTimeout(deadline);
    show("live");
    const { message } = event.detail;
    if (message.startsWith("{")) event.preventDefault(); // the answer to a heartbeat: nothing is lacking
    else if (held.length || pressed()) {
      event.preventDefault();
      hold(message);
    }
  });

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
  const bring = (frames) => htmx.swap(place, frames, { swapStyle: "none", swapDelay: 0, settleDelay: 0 });
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
    if (!isCommand(detail.requestConfig) || detail.xhr.status !== 200 || !(held.length || pressed())) return;
    hold(detail.serverResponse);
    detail.serverResponse = "";
  });

  // Another role, or no place at the table any more.
  const leave = () => {
    ended = true;
    show("offline");
    document.dispatchEvent(new CustomEvent("vesper:gone"));
  };

  setInterval(() => beat(PATIENCE), HEARTBEAT);

  // ── While the socket is not open: ask. ──
  const poll = async () => {
    if (polling || ended || isOpen()) return;
    polling = true;
    try {
      const address = place.dataset.since.replace(/\/0$/, `/${have()}`) + `?audience=${audience()}&language=${language}`;
      const response = await fetch(address, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
      if (response.status === 404 || response.status === 403 || response.headers.get("HX-Refresh")) {
        leave();
        return;
      }
      if (!response.ok) throw new Error(String(response.status));
      if (response.status === 200) hold(await response.text());
      if (!isOpen()) show("catching-up");
      // The way is free again, and a socket that was asked for while it was not may wait for minutes.
      if (wrapper && socket.readyState === WebSocket.CONNECTING && Date.now() - begun > PATIENCE) abandon(wrapper);
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

  // ── Swaps: the newest wins, whichever way it came. What somebody is in the midst of stays by keeping.js. ──
  const versioned = (element) => (element && element.dataset && element.dataset.version ? Number(element.dataset.version) : null);

  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, fragment } = event.detail;
    const coming = versioned(fragment.firstElementChild);
    const standing = versioned(target);
    if (coming !== null && standing !== null && coming <= standing) event.detail.shouldSwap = false;
  });

  // ── Commands: each press has a key of its own; one whose answer never came is sent again under the same. ──
  const unsure = new Map(); // what was sent -> its press
  const errands = new WeakMap(); // an element that sends what was pressed before -> what that was
  const isCommand = (config) => config.verb === "post" && /\/do\/[\w-]+$/.test(config.path);
  const freshKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const MEANS_NOTHING = ["key", "version", "csrfmiddlewaretoken"];
  const signature = (path, data) => JSON.stringify([path, [...data.entries()].filter(([name]) => !MEANS_NOTHING.includes(name))]);
  const newPress = (sign, drawn) => ({ sign, drawn, key: freshKey(), version: have(), tries: 0, since: Date.now() });
  // A button that was drawn anew since is another one: of the one before, what came of it is seen, or it is pressed again.
  const drawnAt = (event) => event?.submitter?.closest("[data-version]")?.dataset.version;
  const pressOf = (sign, drawn) => {
    const before = unsure.get(sign);
    if (before && before.drawn === drawn) return before;
    if (before) before.over = true;
    return newPress(sign, drawn);
  };

  document.addEventListener("htmx:configRequest", (event) => {
    const config = event.detail;
    if (!isCommand(config)) return;
    const errand = errands.get(config.elt);
    if (errand) {
      config.again = true;
      for (const name of new Set(config.formData.keys())) config.formData.delete(name);
      for (const [name, value] of errand.said) config.formData.append(name, value);
    }
    const press = errand ? errand.press : pressOf(signature(config.path, config.formData), drawnAt(config.triggeringEvent));
    unsure.set(press.sign, press);
    config.press = press;
    config.timeout = FOR_A_PRESS;
    config.insists = Date.now() - press.since < INSISTENCE; // for the words that say so
    config.parameters.key = press.key;
    // What the page shows now is what was pressed at; a form that shows something older sends along what that was.
    config.parameters.version = String(press.version);
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, xhr } = event.detail;
    const press = requestConfig?.press;
    if (!press) return;
    requestConfig.press = null; // where its element is gone by now, htmx says so twice
    const home = requestConfig.elt.closest("form") || place;
    if (errands.has(requestConfig.elt)) setTimeout(() => requestConfig.elt.remove());
    const isAnswered = xhr.status !== 0 && xhr.status < 500;
    if (isAnswered && press.tries) document.getElementById("messages")?.replaceChildren();
    if (isAnswered || press.over || !requestConfig.insists) {
      settle(press, xhr.status === 200);
      return;
    }
    press.tries += 1;
    const errand = { press, home, path: requestConfig.path, said: requestConfig.formData };
    setTimeout(() => (press.over ? settle(press) : send(errand)), Math.min(8000, 500 * 2 ** press.tries));
    goOn();
  });

  // In the form where it was, if that still stands, so that whatever its answer means to it happens there. By an element
  // of its own: of the form htmx would ask the button that was pressed last where to, and it may lead elsewhere by now. And
  // with what was said then, whatever the fields say since.
  const send = (errand) => {
    const { path, home } = errand;
    const source = document.createElement("span");
    source.hidden = true;
    (home.isConnected ? home : place).append(source);
    errands.set(source, errand);
    htmx.ajax("POST", path, home.isConnected && home !== place ? { source } : { source, target: source, swap: "none" }).catch(() => {});
  };

  // ── What is pressed while something is on its way waits in line for its answer: htmx would keep the last one alone. ──
  // That is a button that came with a frame before the answer, or what has none (`vesper:press`: {path, values}).
  const line = [];
  const goOn = () => {
    if (!line.length || line[0].isSent || isBusy(document.getElementById("command"))) return;
    line[0].isSent = true;
    send(line[0]);
  };
  const isBusy = (form) => form?.classList.contains("htmx-request");
  const settle = (press, isDone) => {
    press.over = true; // what of it waits to be sent again is not
    if (unsure.get(press.sign) === press) unsure.delete(press.sign);
    if (line[0]?.press === press) line.shift();
    // What was pressed before it was done, and waited for it, knows of it and of nothing else.
    if (isDone) line.filter((each) => each.press.version === press.version).forEach((each) => { each.press.version += 1; });
    goOn();
  };
  const wait = (errand) => {
    line.push(errand);
    goOn();
  };
  document.addEventListener("htmx:confirm", (event) => {
    const { elt, path, verb, triggeringEvent } = event.detail;
    if (!isCommand({ path, verb }) || !isBusy(elt)) return;
    event.preventDefault();
    const said = new FormData(elt, triggeringEvent.submitter);
    const [sign, drawn] = [signature(path, said), drawnAt(triggeringEvent)];
    if (line.some(({ press }) => press.sign === sign && press.drawn === drawn)) return;
    const press = pressOf(sign, drawn);
    if (unsure.get(sign) !== press) wait({ press, path, said, home: elt });
  });
  document.addEventListener("vesper:press", ({ detail: { path, values } }) => {
    const said = new FormData();
    for (const [name, value] of Object.entries(values)) said.append(name, value);
    wait({ press: newPress(signature(path, said)), path, said, home: place });
  });

  show(navigator.onLine === false ? "offline" : "catching-up");
})();
