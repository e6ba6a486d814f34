// The Storyteller's dashboard: keyboard shortcuts, the selected row, reordering, quick add and notes.
// Progressive enhancement: each shortcut presses something that works without it.
(() => {
  "use strict";

  const place = document.getElementById("desk-keys");
  if (!place) return;
  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const FIELDS = "input, textarea, select, label";
  const isCovered = () => Boolean($("dialog[open]"));

  // ── “Next” asks before it leaves somebody out: the first press asks, and a later one on the same screen goes on. ──
  const TO_READ = 600; // a press sooner than this after the last one is part of it
  let asked = null; // the question: what it was about, and when it was last pressed
  const version = () => document.getElementById("version").dataset.version;
  const isAsked = (next) => asked?.about === `${next?.dataset.asks} ${version()}`;
  const showAsked = () => {
    const next = document.getElementById("do-next");
    if (!isAsked(next)) asked = null;
    next?.toggleAttribute("data-asked", Boolean(asked));
  };
  document.addEventListener("click", (event) => {
    const next = event.target.closest?.("#do-next[data-asks]");
    if (!next) return;
    const [now, isFirst] = [performance.now(), !isAsked(next)];
    if (!isFirst && now > asked.at + TO_READ) {
      [next.name, next.value] = ["skip", next.dataset.asks];
      return;
    }
    event.preventDefault();
    event.stopPropagation();
    next.removeAttribute("name");
    asked = { about: `${next.dataset.asks} ${version()}`, at: now };
    showAsked();
    const words = `${document.querySelector(".next-reminder").textContent} ${next.querySelector(".next-anyway").textContent}?`;
    if (isFirst) document.dispatchEvent(new CustomEvent("vesper:announce", { detail: { words, now: true } }));
  }, true);

  // ── The second press of a double press must not land on the suggestion that took the place of the first. ──
  let replaced = -TO_READ;
  document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
    if (target.id === "suggestions" && target.childElementCount) replaced = performance.now();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest?.(".suggestion") || performance.now() > replaced + TO_READ) return;
    event.preventDefault();
    event.stopPropagation();
  }, true);

  // ── Keys: the bindings are the account's; buttons name their action in data-do. ──
  const keys = () => {
    const { on, keys: of } = document.getElementById("desk-keys").dataset;
    return on === "true" ? JSON.parse(of) : {};
  };
  const spoken = (key) => (key.toLowerCase() !== key ? `Shift+${key}` : key);
  const label = () => {
    const of = keys();
    for (const shown of $$("kbd[data-key-of]")) shown.textContent = of[shown.dataset.keyOf] || "";
    for (const each of $$("[data-do]")) {
      const key = of[each.dataset.do];
      const control = each.control || each;
      if (key) control.setAttribute("aria-keyshortcuts", spoken(key));
      else control.removeAttribute("aria-keyshortcuts");
    }
  };

  // ── The selected row: shortcuts apply to it, or else to the acting one. ──
  let picked = "";
  const rows = () => $$("#pane-order .order-row");
  const mark = () => rows().forEach((row) => row.classList.toggle("picked", row.dataset.who === picked));
  const owing = () => document.getElementById(`row-${bar().owing.split(" ")[0]}`); // the first who has yet to act
  const current = () => (picked && document.getElementById(`row-${picked}`)) || owing() || $(".order-row.now") || $(".order-row.speaks") || $(".order-row");
  const pick = (row) => {
    picked = row?.dataset.who || "";
    mark();
  };
  const step = (by) => {
    const all = rows().filter((row) => row.checkVisibility());
    const now = all.indexOf(current());
    const next = all[picked ? Math.min(all.length - 1, Math.max(0, now + by)) : now];
    if (!next) return;
    pick(next);
    $(".name", next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("focusin", (event) => {
    const row = event.target.closest?.(".order-row");
    if (row) pick(row);
  });

  // ── What has the keys: the first prompt that waits for the Storyteller, or else the attack being planned. ──
  // The plan is folded under a prompt, unless somebody is filling it in, opened it, or is changing a player's attack.
  const card = () => $(".attack-card");
  let unfolded = ""; // the prompt under which the plan was opened
  const owner = () => {
    const first = $("#pane-asks [data-waits]");
    const isUsed = $("#attack-form [name=exchange]") || (card()?.contains(document.activeElement) && document.activeElement.matches(FIELDS));
    return first && first.dataset.waits !== unfolded && !isUsed ? first : card();
  };
  const give = () => {
    const has = owner();
    const isLost = has !== card() && card()?.contains(document.activeElement);
    card()?.classList.toggle("folded", has !== card());
    for (const each of $$("#pane-asks .ask, .attack-card")) each.classList.toggle("has-keys", each === has);
    if (!isLost) return;
    has.tabIndex = -1;
    has.focus({ preventScroll: true });
  };
  const unfold = () => {
    unfolded = $("#pane-asks [data-waits]")?.dataset.waits || "";
    give();
  };
  document.addEventListener("click", (event) => {
    if (event.target.closest(".unfold, a[data-attack]")) unfold();
    if (event.target.closest(".unfold")) $("#attack").focus({ preventScroll: true });
  }, true);
  for (const kind of ["focusin", "focusout"]) {
    document.addEventListener(kind, (event) => { if (event.target.matches?.(".attack-card *")) setTimeout(give); });
  }

  // ── A shortcut presses the element with its action. ──
  const OF_ROWS = ".order-row [data-do]";
  const found = (name) => {
    const own = current() && $(`[data-do="${name}"]`, current());
    const isGiven = (each) => [null, owner()].includes(each.closest("#pane-asks .ask, .attack-card"));
    return own || $$(`[data-do="${name}"]`).find((each) => !each.matches(OF_ROWS) && !each.disabled && isGiven(each));
  };
  // Keys typed while the field was on its way are replayed in it: an option's first letter, Enter, or text.
  const arrive = (target, typed) => {
    const field = target.control || target;
    field.focus();
    field.select?.();
    for (const [place, key] of typed.entries()) {
      if (key === "Escape") {
        field.blur();
        typed.slice(place + 1).forEach((each) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: each, bubbles: true, cancelable: true })));
        return;
      }
      if (key === "Enter" && field.matches("input")) field.form.requestSubmit();
      else if (key === "Enter") field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
      else if (key.length === 1 && field.matches("select")) first(field, key.toLowerCase());
      else if (key.length === 1) {
        field.setRangeText(key, field.selectionStart, field.selectionEnd, "end");
        field.dispatchEvent(new Event("input", { bubbles: true }));
      }
    }
  };
  const first = (select, letter) => {
    const option = [...select.options].find((each) => each.text.trim().toLowerCase().startsWith(letter));
    if (!option) return;
    select.value = option.value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    select.dispatchEvent(new Event("change", { bubbles: true }));
  };
  // What a press did not do is said, by the words in the page's HTML.
  let silence = 0;
  const SAID = 6000;
  const say = (what, key = "") => {
    const place = $("#keys-said");
    place.textContent = what && place.dataset[what].replace("{key}", key);
    clearTimeout(silence);
    if (what) silence = setTimeout(say, SAID, "");
  };
  const act = ({ name, key, typed, who, step: by }) => {
    say("");
    if (name === "move") {
      move(who, { step: by });
      return;
    }
    if (name === "down" || name === "up") {
      step(name === "down" ? 1 : -1);
      return;
    }
    const at = $("#attack_at:not([type=hidden])");
    if (name === "attack" && !picked && at) {
      unfold();
      arrive(at, typed);
      return;
    }
    const target = found(name);
    if (!target) say("nothing", key);
    else if (target.matches(FIELDS)) arrive(target, typed);
    else target.click();
  };

  // Keys are often faster than the response to the previous one. They wait for it, so that “next, roll” never rolls for
  // the previous combatant, but not for long. Only what replaces what a key presses is waited for: not a preview.
  const CALM = 50;
  const PATIENCE = 2500;
  const flying = new Set();
  let stirred = -CALM;
  const stir = () => { stirred = performance.now(); };
  const isCommand = ({ verb, path }) => verb !== "get" && /\/do\/[\w-]+$/.test(path);
  document.addEventListener("htmx:beforeSend", ({ detail: { xhr, target, requestConfig } }) => {
    if (!isCommand(requestConfig) && !target.matches("[data-form], #desk-doing")) return;
    const flight = { isCommand: isCommand(requestConfig) };
    flying.add(flight);
    stir();
    // By the request itself: htmx's events don't arrive from an element that was replaced. And htmx only handles new
    // content once it has settled. A press before that would navigate away.
    xhr.addEventListener("loadend", () => setTimeout(() => {
      flying.delete(flight);
      stir();
    }, htmx.config.defaultSettleDelay + 5));
  });

  // What a press is meant for. One that waits is dropped if that has changed, except by the press before it.
  const PROMPTS = new Set(["roll-attack", "type-dice", "approve", "send-back", "answer"]);
  const bar = () => $("#pane-bar").dataset;
  const meant = (name) => {
    if (PROMPTS.has(name)) return owner()?.dataset.waits || "";
    if (name === "next") return [bar().status, bar().turn, bar().acting, $("#do-next")?.innerText].join();
    return "";
  };
  const waiting = [];
  const AT_ONCE = new Set(["move", "next", "undo", "redo", "down", "up", "hide", "target", "answer", "roll-attack", "approve", "show-roll"]);
  const go = () => {
    if (!waiting.length) return;
    const calm = stirred + CALM - performance.now();
    const isLate = performance.now() > waiting[0].since + PATIENCE;
    if (!isLate && (flying.size || calm > 0)) {
      setTimeout(go, flying.size ? 20 : calm);
      return;
    }
    const pressed = waiting.shift();
    if (isLate) say("late", pressed.key);
    else if (isCovered() || pressed.meant !== meant(pressed.name)) say("changed", pressed.key);
    else {
      act(pressed);
      stir();
    }
    go();
  };

  const enqueue = (pressed) => {
    if (waiting.length > 3) {
      say("late", pressed.key);
      return;
    }
    waiting.push({ ...pressed, typed: [], meant: meant(pressed.name), since: performance.now() });
    if (waiting.length === 1) go();
  };

  const typing = (element) => element?.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || isCovered()) return;
    if (event.key === "Escape" && typing(event.target)) {
      event.target.blur();
      return;
    }
    if ((event.ctrlKey || event.altKey || event.metaKey) && !event.getModifierState("AltGraph")) return;
    if (typing(event.target)) return;
    const last = waiting.at(-1);
    if (last && !AT_ONCE.has(last.name)) {
      last.typed.push(event.key);
      event.preventDefault();
      return;
    }
    if (event.key === "Escape" && !$(":popover-open")) pick(null);
    const of = keys();
    const name = Object.keys(of).find((each) => of[each] === event.key);
    if (!name || (event.repeat && name !== "down" && name !== "up")) return;
    event.preventDefault();
    enqueue({ name, key: event.key });
  });

  // ── The list of shortcuts: pressing a key in a field assigns it. ──
  document.addEventListener("keydown", (event) => {
    if (!event.target.matches?.(".key-field") || event.ctrlKey || event.metaKey || event.isComposing) return;
    if (event.key.length !== 1 || event.key === " ") return;
    event.preventDefault();
    event.target.value = event.key;
  });

  // ── Reordering: by drag and drop, or with Alt and an arrow key. ──
  const move = (who, where) => {
    const path = document.getElementById("command").action.replace(/\/do\/[\w-]+$/, "/do/move");
    document.dispatchEvent(new CustomEvent("vesper:press", { detail: { path, values: { who, ...where } } }));
  };
  document.addEventListener("keydown", (event) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || !["ArrowUp", "ArrowDown"].includes(event.key)) return;
    const row = event.target.closest?.(".order-row[draggable]");
    if (!row) return;
    event.preventDefault();
    enqueue({ name: "move", who: row.dataset.who, step: event.key === "ArrowUp" ? "up" : "down" });
  });
  let dragged = "";
  const clear = () => $$(".order-row.drop-before, .order-row.drop-after, .order-row.dragged").forEach((row) => row.classList.remove("drop-before", "drop-after", "dragged"));
  const under = (event) => {
    const row = event.target.closest?.("#pane-order .order-row[draggable]");
    if (!dragged || !row) return null;
    const box = row.getBoundingClientRect();
    return { row, after: event.clientY > box.top + box.height / 2 };
  };
  document.addEventListener("dragstart", (event) => {
    const row = event.target.matches?.(".order-row[draggable]") && event.target;
    if (!row) return;
    dragged = row.dataset.who;
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", $(".name", row).textContent.trim());
    // A group moves as a whole.
    const { band } = row.dataset;
    for (const each of band ? rows().filter((other) => other.dataset.band === band) : [row]) each.classList.add("dragged");
  });
  document.addEventListener("dragover", (event) => {
    const at = under(event);
    if (!at) return;
    event.preventDefault();
    $$(".order-row.drop-before, .order-row.drop-after").forEach((row) => row.classList.remove("drop-before", "drop-after"));
    if (at.row.dataset.who !== dragged) at.row.classList.add(at.after ? "drop-after" : "drop-before");
  });
  document.addEventListener("drop", (event) => {
    const at = under(event);
    if (!at) return;
    event.preventDefault();
    const next = at.after ? rows()[rows().indexOf(at.row) + 1]?.closest("[draggable]") : at.row;
    if (at.row.dataset.who !== dragged && next?.dataset.who !== dragged) move(dragged, { before: next?.dataset.who || "" });
    dragged = "";
    clear();
  });
  document.addEventListener("dragend", () => {
    dragged = "";
    clear();
  });

  // ── Folded groups and sides stay folded for this visit. ──
  const FOLDED = `folded ${location.pathname}`;
  const folded = new Set(JSON.parse(sessionStorage.getItem(FOLDED) || "[]"));
  const fold = () => $$(".order-fold > details").forEach((each) => { each.open = !folded.has(each.id); });
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches?.(".order-fold > details")) return;
    if (target.open) folded.delete(target.id);
    else folded.add(target.id);
    sessionStorage.setItem(FOLDED, JSON.stringify([...folded]));
  }, true);

  // ── Quick add: clear the field for the next. ──
  document.addEventListener("vesper:done", (event) => {
    const form = event.target.closest?.("#quick-add");
    if (!form) return;
    $("#id_words").value = "";
    $("[name=plain]", form)?.remove();
    $("#quick-add-said").replaceChildren();
  });
  // Suggested names keep the number that is typed before them; after a comma there are none.
  const suggested = $$("#quick-add-names option").map((each) => each.value);
  document.addEventListener("input", (event) => {
    if (event.target.id !== "id_words") return;
    const [number] = /^\s*\??\s*(\d+\s*[x×]?\s+)?/.exec(event.target.value);
    const offered = event.target.value.includes(",") ? [] : suggested.map((name) => number + name);
    $("#quick-add-names").replaceChildren(...offered.map((name) => new Option(name, name)));
  });
  // The offer to create a combatant is void once the name is edited.
  document.addEventListener("input", (event) => {
    if (event.target.id === "id_words") $("#quick-add [name=plain]")?.remove();
  });

  // ── Notes: the last words are saved even if the page is closed right after. ──
  let unkept = false;
  let kept = $("#notes_text")?.value; // as the server has them
  let last = null; // what was sent when the page was hidden, in case it is restored
  document.addEventListener("input", (event) => { if (event.target.closest("#desk-notes")) unkept = true; });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.id === "desk-notes" && event.detail.successful) {
      unkept = false;
      kept = event.detail.requestConfig.formData.get("text");
      $("#page-live").dataset.token = $("#notes-version").dataset.token;
    }
  });
  // Notes from another screen replace these, unless somebody is typing here: the conflict shows when saving.
  document.addEventListener("vesper:part", (event) => {
    const [text, theirs] = [$("#notes_text"), $("#notes_text", event.detail)];
    if (!theirs || (text.value !== kept && theirs.value !== last?.trim())) return;
    const [start, end] = [text.selectionStart, text.selectionEnd];
    const isTyped = text.value !== kept;
    kept = theirs.value;
    if (!isTyped && text.value !== kept) text.value = kept;
    text.setSelectionRange(start, end);
    $("#notes-version").replaceWith(document.importNode($("#notes-version", event.detail), true));
  });
  addEventListener("pagehide", () => {
    const notes = $("#desk-notes");
    if (!unkept || !notes) return;
    last = $("#notes_text").value;
    navigator.sendBeacon(notes.action, new FormData(notes));
  });

  // ── After a swap: label the shortcuts again, and return the focus to the attack. ──
  // To the form and not its button, so that pressing Enter twice does not attack twice.
  let inAttack = false;
  document.addEventListener("htmx:beforeRequest", () => {
    const active = document.activeElement;
    if (active !== document.body) inAttack = Boolean(active?.closest("#attack"));
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    label();
    give();
    if (event.detail.target?.id === "attack" && inAttack && document.activeElement === document.body) event.detail.target.focus({ preventScroll: true });
  });
  document.addEventListener("htmx:oobAfterSwap", () => {
    label();
    mark();
    fold();
    give();
    showAsked();
  });

  label();
  fold();
  give();
})();
