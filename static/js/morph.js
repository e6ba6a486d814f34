// What is drawn anew takes over what differs, and leaves what somebody is in the midst of: focus, half-typed words, what
// is open, and the place they are reading at. Idiomorph finds out what differs; here is said what stays. Panes of a fight
// come to it by htmx (hx-swap-oob="morph"), other pages by page-updates.js.
const morph = (() => {
  "use strict";

  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const MARKS = ["type", "name", "value", "href", "formaction", "popovertarget", "class"];
  const PASSING = /\b(sending|htmx-\w+|placed)\b/g; // classes that scripts lend a control
  const NAMED = "same-";

  // ── What is the same: a control or a part that opens has a name for as long as it takes, by what it does and where. ──
  // So one never turns into another: whoever has the focus on it, or presses it, means what stood there.
  const CHOSEN = "button, [type=radio], [type=checkbox], [type=submit]"; // what tells these from each other is their value
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

  // ── What somebody has typed, or opened. ──
  const isTyped = (field) => {
    if (field.type === "hidden") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.localName === "select") return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return "defaultValue" in field && field.value !== field.defaultValue;
  };
  const FIELD = "input, select, textarea";
  const THEIRS = ["open", "data-theme"]; // what a reader does to an element, and not the server

  // Makes `old` what `coming` is, but for the elements that are left alone.
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

  // ── The focus. A button that rests while its form is on its way loses it, so what had it last is kept here. ──
  let at = null;
  let before = null; // the dialog that is open: where it was opened
  const homesOf = (element) => ({ element, home: element.parentElement.closest("[id]")?.id, pane: element.closest("[data-version][id]")?.id });
  document.addEventListener("focusin", (event) => {
    const { target } = event;
    if (target.closest("dialog") && at && !at.closest("dialog") && at.isConnected) before = homesOf(at);
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
  // What is gone leaves the focus at the head of what comes in its place: a button there might be pressed by mistake.
  const headAfter = (id) => {
    const heads = [...document.querySelectorAll("main [data-version][id] :is(h2, h3)")].filter(seen);
    const pane = document.getElementById(id);
    return heads.find((head) => !pane || pane.contains(head) || pane.compareDocumentPosition(head) & Node.DOCUMENT_POSITION_FOLLOWING) || heads[0];
  };
  const refocus = ({ element, home, pane }) => {
    const around = home !== pane && document.getElementById(home);
    const instead = usable(element) ? element : seen(around) ? around : headAfter(pane);
    if (instead) focus(instead);
  };

  // ── The place that is read: the first thing in sight that has a name keeps its place on the screen. ──
  const CEILING = 110; // what sticks to the top of a phone
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

  // ── A pane that comes by htmx. ──
  htmx.defineExtension("morph", {
    isInlineSwap: (style) => style === "morph",
    handleSwap: (style, pane, fragment, settled) => {
      if (style !== "morph") return false;
      const held = at && pane.contains(at) && (at === document.activeElement || isLost()) ? homesOf(at) : null;
      const places = anchors(pane);
      const drawn = morphed(pane, fragment.firstElementChild);
      places.forEach((hold) => hold());
      if (held && !seen(held.element)) refocus(held);
      settled.elts.push(pane);
      return drawn;
    },
  });

  // ── A refused press, and a closed dialog whose opener is gone meanwhile. ──
  document.addEventListener("htmx:afterRequest", () => setTimeout(() => {
    if (isLost() && usable(at)) focus(at);
  }));
  document.addEventListener("close", () => setTimeout(() => {
    if (isLost() && before) refocus(before);
    before = null;
  }), true);

  return { morphed, isTyped };
})();
