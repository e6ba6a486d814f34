// When a pane is drawn anew, whatever somebody is in the midst of stays: the focus, half-typed words, what is open, and
// the place they are reading at. Nothing in a pane needs an id for that, though an id helps.
(() => {
  "use strict";

  const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex]";
  const MARKS = ["type", "name", "value", "href", "formaction", "popovertarget", "class"];
  const signature = (element) => MARKS.map((mark) => element.getAttribute(mark)).join("\n");

  // ── Where something is, in words that hold for the next drawing of its pane. ──
  const addressOf = (element) => {
    if (element.id) return { id: element.id };
    const home = element.parentElement.closest("[id]");
    const like = [...home.querySelectorAll(element.localName)].filter((each) => signature(each) === signature(element));
    return { home: home.id, name: element.localName, signature: signature(element), place: like.indexOf(element) };
  };
  const find = (address) => {
    if (address.id) return document.getElementById(address.id);
    const home = document.getElementById(address.home);
    if (!home) return null;
    return [...home.querySelectorAll(address.name)].filter((each) => signature(each) === address.signature)[address.place] || null;
  };

  // ── The focus. A button that rests while its form is on its way loses it, so what had it last is kept here. ──
  let at = null;
  let before = null; // the dialog that is open: what its opener was
  const paneOf = (element) => element?.closest?.("[data-version][id]") || null;
  document.addEventListener("focusin", (event) => {
    const { target } = event;
    if (target.closest("dialog") && at && !at.closest("dialog") && at.isConnected && paneOf(at)) before = { pane: paneOf(at).id, address: addressOf(at) };
    at = target;
  });
  document.addEventListener("focusout", (event) => {
    if (!event.relatedTarget && !event.target.disabled && event.target.isConnected && document.hasFocus()) at = null;
  });
  const isLost = () => document.activeElement === null || document.activeElement === document.body;

  const seen = (element) => element && element.checkVisibility({ visibilityProperty: true });
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
  const refocus = ({ pane, address }) => {
    const same = find(address);
    const instead = usable(same) ? same : [address.id, address.home].map((id) => id && document.getElementById(id)).find((each) => each && each.id !== pane && seen(each)) || headAfter(pane);
    if (instead) focus(instead);
    return instead;
  };

  // ── What has been changed in a pane's fields, and what is open. ──
  const isTyped = (field) => {
    if (field.type === "hidden") return false;
    if (field.type === "checkbox" || field.type === "radio") return field.checked !== field.defaultChecked;
    if (field.localName === "select") return [...field.options].some((option) => option.selected !== option.defaultSelected);
    return field.value !== field.defaultValue;
  };
  const wanted = (pane, selector, test) => [...pane.querySelectorAll(selector)].filter(test);

  // ── The place that is read: the first thing in sight that has a name keeps its place on the screen. ──
  const CEILING = 110; // what sticks to the top of a phone
  const anchorOf = (scroller, scope, ceiling) => {
    if (!scroller.scrollTop) return null;
    const found = [...scope.querySelectorAll("[id]")].find((each) => each.getBoundingClientRect().top >= ceiling && seen(each));
    return found ? { id: found.id, top: found.getBoundingClientRect().top } : null;
  };
  const hold = (scroller, anchor) => {
    const element = anchor && document.getElementById(anchor.id);
    if (element && seen(element)) scroller.scrollTop += element.getBoundingClientRect().top - anchor.top;
  };

  const kept = new Map();
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const { target, shouldSwap } = event.detail;
    if (!shouldSwap || !target.id || !target.dataset.version) return;
    const held = at && target.contains(at) && (at === document.activeElement || isLost()) ? at : null;
    kept.set(target.id, {
      focus: held && { pane: target.id, address: addressOf(held) },
      selection: held && "selectionStart" in held ? [held.selectionStart, held.selectionEnd] : null,
      typed: wanted(target, "input, select, textarea", isTyped).map((each) => [addressOf(each), each.value, each.checked]),
      parts: wanted(target, "details", (each) => each.open).map(addressOf),
      popovers: wanted(target, "[popover]", (each) => each.matches(":popover-open")).map(addressOf),
      scrolled: wanted(target, "[id]", (each) => each.scrollTop > 0).map((each) => ({ id: each.id, top: each.scrollTop, anchor: anchorOf(each, each, each.getBoundingClientRect().top) })),
      anchor: anchorOf(document.scrollingElement, document.getElementById("main"), CEILING),
    });
  });

  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const id = event.detail.target?.id;
    const was = kept.get(id);
    if (!was) return;
    kept.delete(id);
    was.parts.map(find).forEach((each) => { if (each) each.open = true; });
    was.popovers.map(find).forEach((each) => each?.showPopover({ source: document.querySelector(`[popovertarget="${CSS.escape(each.id)}"]`) || undefined }));
    for (const [address, value, checked] of was.typed) {
      const field = find(address);
      if (!field) continue;
      field.value = value;
      field.checked = checked;
    }
    for (const { id: scrolled, top, anchor } of was.scrolled) {
      const each = document.getElementById(scrolled);
      if (!each) continue;
      each.scrollTop = top;
      hold(each, anchor);
    }
    hold(document.scrollingElement, was.anchor);
    if (!was.focus) return;
    const found = refocus(was.focus);
    if (found && was.selection && was.selection[0] !== null && found.setSelectionRange) found.setSelectionRange(...was.selection);
  });

  // ── A refused press, and a closed dialog whose opener was drawn anew meanwhile. ──
  document.addEventListener("htmx:afterRequest", () => setTimeout(() => {
    if (isLost() && at?.isConnected && usable(at)) focus(at);
  }));
  document.addEventListener("close", () => setTimeout(() => {
    if (isLost() && before) refocus(before);
    before = null;
  }), true);
})();
