// A player's page: alerts by the tab's title and, if enabled, by sound and vibration; keeps the screen on; shows one of
// several characters at a time; and points to prompts that are out of sight.
(() => {
  "use strict";

  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const seat = $("#seat");
  if (!seat) return;

  const name = $("h1").textContent;
  const questions = () => $$("#pane-asks .ask[id]:not(.waiting)");
  const messages = () => $$("#pane-private details");
  const turn = () => $("#pane-bar .turn-banner.yours");

  // ── Alerts of this device. Stored only here, and off by default. ──
  const KEPT = "vesper:signals";
  const read = () => { try { return JSON.parse(localStorage.getItem(KEPT)) || {}; } catch { return {}; } };
  const wants = read();
  const keep = () => { try { localStorage.setItem(KEPT, JSON.stringify(wants)); } catch { /* a private window stores nothing */ } };
  const can = {
    sound: "AudioContext" in window,
    vibration: "vibrate" in navigator,
    awake: "wakeLock" in navigator,
  };

  let audio = null;
  // Two bell notes. Not through <audio>, so that phones set to silent stay silent.
  const chime = () => {
    if (!audio || audio.state !== "running") return;
    [[660, 0], [880, 0.18]].forEach(([pitch, later]) => {
      const [note, loudness, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + later];
      note.frequency.value = pitch;
      loudness.gain.setValueAtTime(0.0001, at);
      loudness.gain.exponentialRampToValueAtTime(0.25, at + 0.02);
      loudness.gain.exponentialRampToValueAtTime(0.0001, at + 0.5);
      note.connect(loudness).connect(audio.destination);
      note.start(at);
      note.stop(at + 0.5);
    });
  };
  // Browsers allow sound only after the page was touched.
  const touched = async () => {
    if (!wants.sound || !can.sound) return;
    if (navigator.audioSession) navigator.audioSession.type = "ambient";
    audio ||= new AudioContext();
    if (audio.state === "suspended") await audio.resume();
    explain();
  };
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, touched);

  const signal = () => {
    if (wants.sound) chime();
    if (wants.vibration && can.vibration) navigator.vibrate([120, 80, 120]);
  };

  let lock = null;
  const stayAwake = async () => {
    const wanted = can.awake && wants.awake && !document.hidden && $("#pane-bar")?.dataset.status === "running";
    if (!wanted) {
      lock?.release();
      lock = null;
    } else if (!lock || lock.released) {
      try { lock = await navigator.wakeLock.request("screen"); } catch { lock = null; } // such as a low battery
    }
  };
  document.addEventListener("visibilitychange", stayAwake);

  // ── The switches. ──
  const menu = $("#signals");
  const explain = () => {
    if (!menu) return;
    $("[data-when=tap]", menu).hidden = !wants.sound || audio?.state === "running";
    $("[data-when=insecure]", menu).hidden = can.awake || isSecureContext;
    menu.classList.toggle("on", Boolean(wants.sound || wants.vibration));
  };
  if (menu) {
    menu.hidden = false;
    $$("[data-signal]", menu).forEach((box) => {
      box.closest("label").hidden = !can[box.dataset.signal];
      box.checked = Boolean(wants[box.dataset.signal]);
      box.addEventListener("change", async () => {
        wants[box.dataset.signal] = box.checked;
        keep();
        await touched();
        if (box.checked && box.dataset.signal === "sound") chime(); // a sample
        if (box.checked && box.dataset.signal === "vibration") navigator.vibrate(120);
        explain();
        stayAwake();
      });
    });
    explain();
  }

  // ── Alerting: about what is new since the page was loaded. ──
  const calls = () => new Set([
    ...[...questions(), ...messages()].map((each) => each.id),
    ...(turn() ? [`${$("#pane-bar").dataset.turn} ${$("#pane-bar").dataset.news}`] : []),
  ]);
  let called = calls();
  const entitle = () => {
    const why = questions().length ? seat.dataset.asked : turn() && $("b", turn()).textContent;
    const title = why ? `${why} · ${name}` : name;
    if (document.title !== title) document.title = title;
  };

  // ── One of several characters at a time, on a phone. ──
  // In a style sheet, so that redrawn characters never flash.
  const only = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, only];
  const chosen = `vesper:whose:${location.pathname}`;
  let whose = sessionStorage.getItem(chosen);
  let now = null;
  const show = () => {
    const tabs = $$("[data-whose]");
    if (!tabs.length) { only.replaceSync(""); return; }
    const theirs = tabs.find((tab) => tab.classList.contains("now"))?.dataset.whose || null;
    // A character moves to the front when their turn begins. Otherwise, the reader's choice stays.
    if (theirs && theirs !== now) whose = theirs;
    now = theirs;
    if (!tabs.some((tab) => tab.dataset.whose === whose)) whose = tabs[0].dataset.whose;
    sessionStorage.setItem(chosen, whose);
    only.replaceSync(`@media (max-width: 56.1875em) { [data-mine]:not([data-mine="${CSS.escape(whose)}"]) { display: none; } }`);
    tabs.forEach((tab) => {
      if (tab.dataset.whose === whose) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    });
  };
  document.addEventListener("click", (event) => {
    const tab = event.target.closest("[data-whose]");
    if (!tab) return;
    event.preventDefault();
    whose = tab.dataset.whose;
    show();
  });

  // ── The newest entries on the fight's tab: a tap opens the whole log. ──
  document.addEventListener("click", (event) => {
    if (document.body.dataset.tab !== "fight" || !event.target.closest("#pane-log")) return;
    if (getComputedStyle($(".seat-tabs")).display !== "none") $("[data-tab-link=log]").click();
  });

  // ── Points to a prompt or an unread message that is out of sight or behind a dialog, unless the drawer is answering it. ──
  const call = $("#call");
  const drawer = $("#drawer");
  const answered = () => {
    const fields = drawer.open ? $("form", drawer)?.elements : null;
    return fields?.exchange && fields.target ? `ask-${fields.exchange.value}-${fields.target.value}` : null;
  };
  const openDialog = () => $$("dialog[open]").at(-1); // a rule opens over the drawer
  let met = new Set(); // messages that have been in sight
  const isInSight = (each) => {
    const box = each.getBoundingClientRect();
    return box.height && box.bottom > 120 && box.top < innerHeight - 80 && !openDialog();
  };
  const open = () => questions().find((ask) => ask.id !== answered()) || messages().find((each) => !met.has(each.id));
  const point = () => {
    const now = new Set(messages().map((each) => each.id));
    met = new Set([...met, ...messages().filter(isInSight).map((each) => each.id)].filter((id) => now.has(id)));
    const first = open();
    const dialog = openDialog();
    call.hidden = !first || Boolean(isInSight(first));
    if (first) {
      const isMessage = first.matches("details");
      $("b", call).textContent = isMessage ? seat.dataset.private : seat.dataset.asked;
      $("span", call).textContent = $(isMessage ? "summary" : "h2, h3", first)?.textContent || "";
    }
    (dialog || document.body).append(call);
  };
  call.addEventListener("click", (event) => {
    event.preventDefault();
    const first = open();
    $$("dialog[open]").forEach((dialog) => dialog.close());
    $("[data-tab-link=fight]")?.click();
    first?.scrollIntoView({ block: "center" });
    if (first) $("button, a, summary", first)?.focus({ preventScroll: true });
    point();
  });
  for (const [kind, target] of [["scroll", window], ["resize", window]]) target.addEventListener(kind, () => requestAnimationFrame(point), { passive: true });
  $$("dialog").forEach((dialog) => {
    dialog.addEventListener("close", () => requestAnimationFrame(point));
    new MutationObserver(point).observe(dialog, { attributeFilter: ["open"] });
  });
  new MutationObserver(point).observe(document.body, { attributeFilter: ["data-tab"] });

  const look = () => {
    const before = called;
    called = calls();
    if ([...called].some((each) => !before.has(each))) signal();
    entitle();
    point();
    stayAwake();
  };
  let waiting = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    show();
    clearTimeout(waiting);
    waiting = setTimeout(look, 30);
  });
  show();
  look();
})();
