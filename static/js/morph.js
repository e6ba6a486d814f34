// DOM morphing that preserves focus, half-typed input, open details and the reading position. Idiomorph finds the
// differences; this file decides what to keep. Fight panes use it through htmx (hx-swap-oob="morph"), other pages through
// page-updates.js.
const morph = (() => {
  "use strict";

  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const MARKS = ["type", "name", "value", "href", "formaction", "popovertarget", "class"];
  const PASSING = /\b(sending|htmx-\w+|placed)\b/g; // classes set by scripts
  const NAMED = "same-";

  // ── Identity: controls and details get a temporary id from what they do and where. ──
  // So a control never morphs into a different one while somebody focuses or presses it.
  const CHOSEN = "button, [type=radio], [type=checkbox], [type=submit]"; // told apart by their value
  const mark = (element, name) => (name === "value" && !element.matches(CHOSEN) ? "" : (element.getAttribute(name) || "").replace(PASSING, "").trim());
  const signature = (element) => MARKS.map((name) => mark(element, name)).join("\n");
  const nameControls = (names, root) => {
    const found = new Map();
    const named = [...root.querySelectorAll(`:is(${CONTROLS}, details, [popover]):not([id])`)];
    for (const element of named) {
      const home = element.parentElement.closest(`[id]:not([id^="${NAMED}"])`)?.id;
      const like = [home, element.localName, signature(element)].join("\n");
      found.set(like, (found.get(like) || 0) + 1);
      const key = `${like}\n${found.get(like)}`;
      if (!names.has(key)) names.set(key, `${NAMED}${names.size}`);
      element.id = names.get(key);
    }
  };
  const forget = (root) => root.querySelectorAll(`[id^="${NAMED}"]`).forEach((each) => each.removeAttribute("id"));

  // ── What the reader typed or opened. ──
  const isTyped = (field) => {
    if (field.type === "hidden") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.localName === "select") return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return "defaultValue" in field && field.value !== field.defaultValue;
  };
  const FIELD = "input, select, textarea";
  const THEIRS = ["open", "data-theme"]; // set by the reader, not the server

  // Morphs `old` into `coming`, except for elements with `isLeft`.
  const morphed = (old, coming, isLeft = () => false) => {
    const names = new Map();
    nameControls(names, old);
    nameControls(names, coming);
    const typed = new Map();
    try {
      return Idiomorph.morph(old, coming, {
        callbacks: {
          beforeNodeMorphed: (standing) => {
            if (standing.nodeType !== Node.ELEMENT_NODE) return true;
            if (isLeft(standing)) return false;
            if (standing.matches(FIELD) && isTyped(standing)) typed.set(standing, [standing.value, standing.checked]);
            return true;
          },
          afterNodeMorphed: (standing) => {
            const was = typed.get(standing);
            if (was) [standing.value, standing.checked] = was;
          },
          beforeAttributeUpdated: (name, element) =>
            !(THEIRS.includes(name) || (name === "tabindex" && element === document.activeElement)),
        },
      });
    } finally {
      forget(old);
    }
  };

  // ── Focus. A button loses it while disabled for its form's request, so the last element is remembered. ──
  let at = null;
  const openers = new Map(); // of each open dialog: where the focus was before it
  const homesOf = (element) => ({ element, home: element.parentElement.closest("[id]")?.id, pane: element.closest("[data-version][id]")?.id });
  document.addEventListener("focusin", (event) => {
    const { target } = event;
    const dialog = target.closest("dialog");
    if (dialog && !openers.has(dialog) && at?.isConnected && at.closest("dialog") !== dialog) openers.set(dialog, homesOf(at));
    at = target;
  });
  document.addEventListener("focusout", (event) => {
    if (!event.relatedTarget && !event.target.disabled && event.target.isConnected && document.hasFocus()) at = null;
  });
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  const seen = (element) => element?.isConnected && element.checkVisibility({ visibilityProperty: true });
  const usable = (element) => seen(element) && !element.disabled;
  const focus = (element) => {
    if (!element.matches(CONTROLS)) element.tabIndex = -1;
    element.focus({ preventScroll: true });
  };
  // If the focused element is gone, focus the heading of what replaced it, or the attack: a button might be
  // pressed by mistake.
  const headAfter = (id) => {
    const heads = [...document.querySelectorAll("main :is([data-version][id] :is(h2, h3), .attack-card)")].filter(seen);
    const pane = document.getElementById(id);
    return heads.find((head) => !pane || pane.contains(head) || pane.compareDocumentPosition(head) & Node.DOCUMENT_POSITION_FOLLOWING) || heads[0];
  };
  // What was chosen in a menu is hidden by then: back to the button that opened the menu.
  const menuOf = (id) => id && document.querySelector(`[popovertarget="${CSS.escape(id)}"]`);
  const refocus = ({ element, home, pane }) => {
    const around = menuOf(element.closest("[popover]")?.id || home) || (home !== pane && document.getElementById(home));
    const instead = usable(element) ? element : seen(around) ? around : headAfter(pane);
    if (instead) focus(instead);
  };

  // ── Reading position: the first visible element with an id keeps its place on the screen. ──
  const CEILING = 110; // height of the sticky header on phones
  const anchor = (scroller, scope, ceiling) => {
    if (!scroller.scrollTop) return () => {};
    const found = [...scope.querySelectorAll("[id]")].find((each) => each.getBoundingClientRect().top >= ceiling && seen(each));
    const top = found?.getBoundingClientRect().top;
    return () => { if (seen(found)) scroller.scrollTop += found.getBoundingClientRect().top - top; };
  };
  const anchors = (pane) => [
    ...[pane, ...pane.querySelectorAll("[id]")].map((each) => anchor(each, each, each.getBoundingClientRect().top)),
    anchor(document.scrollingElement, document.getElementById("main"), CEILING),
  ];

  // ── Panes swapped by htmx: whole ones, or only the pieces in them that changed. ──
  // A piece replaces the element with its id. One without is new, and goes to the front of the list `data-into`, which
  // then keeps `data-count` of its elements with ids: the oldest go.
  const patched = (pane, pieces) => {
    const list = pieces.dataset.into ? document.getElementById(pieces.dataset.into) : null;
    const fresh = [];
    for (const piece of [...pieces.children]) {
      const standing = document.getElementById(piece.id);
      if (standing && pane.contains(standing)) morphed(standing, piece);
      else fresh.push(piece);
    }
    list?.prepend(...fresh);
    const listed = list ? [...list.children].filter((each) => each.id) : [];
    listed.slice(Number(pieces.dataset.count)).forEach((each) => each.remove());
    pane.dataset.version = pieces.dataset.version;
    // A page that lacks something it should have asks for everything with its next heartbeat.
    if (list ? listed.length < Number(pieces.dataset.count) : fresh.length) {
      for (const each of [pane, document.getElementById("version")]) each.dataset.version = "0";
    }
    return [pane];
  };
  const swaps = { morph: morphed, pieces: patched };
  htmx.defineExtension("morph", {
    isInlineSwap: (style) => Object.hasOwn(swaps, style),
    handleSwap: (style, pane, fragment, settled) => {
      if (!Object.hasOwn(swaps, style)) return false;
      const held = at && pane.contains(at) && (at === document.activeElement || isLost()) ? homesOf(at) : null;
      const places = anchors(pane);
      const drawn = swaps[style](pane, fragment.firstElementChild);
      places.forEach((hold) => hold());
      if (held && !seen(held.element)) refocus(held);
      settled.elts.push(pane);
      return drawn;
    },
  });

  // ── After a refused press, and after closing a dialog whose opener is gone. ──
  document.addEventListener("htmx:afterRequest", () => setTimeout(() => {
    if (isLost() && usable(at)) focus(at);
  }));
  document.addEventListener("close", ({ target }) => setTimeout(() => {
    const opener = openers.get(target);
    openers.delete(target);
    if (isLost() && opener) refocus(opener);
  }), true);

  return { morphed, isTyped };
})();
