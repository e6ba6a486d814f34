// Enhancements of the fight pages: the drawer, the attack form, menus, tabs, fast typing of dice.
// Everything works without them: links have an href, and buttons belong to forms with an action.
(() => {
  "use strict";

  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const drawer = $("#drawer");
  const drawerBody = $("#drawer-body");

  const hideMenu = (inside) => inside.closest("[popover]:popover-open")?.hidePopover();

  // One source per target, because htmx queues only the last request of each source.
  const bring = (url, target, how = { swap: "innerHTML" }) => htmx.ajax("GET", url, { source: target === drawerBody ? drawer : target, target, ...how });

  // ── The drawer: forms open in it, and it closes when they are done. ──
  // The last press counts: an earlier response would open first and be replaced while in use.
  const openDrawer = (url) => {
    htmx.trigger(drawer, "htmx:abort");
    bring(url, drawerBody).catch(() => {});
  };
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const link = event.target.closest("a[data-drawer]");
    if (!link || !drawer) return;
    event.preventDefault();
    hideMenu(link);
    openDrawer(link.href);
  });
  // Now, and not when htmx has settled: Enter can be faster, and would submit the form as a page.
  document.addEventListener("htmx:afterSwap", ({ detail }) => { if (detail.target?.matches("[data-form]")) htmx.process(detail.target); });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== drawerBody || !drawerBody.childElementCount) return;
    drawer.classList.toggle("wide", Boolean($(".attack-form, .sheet-grid", drawerBody)));
    // The same form with more filled in: keep the keyboard focus.
    const wanted = $("[data-first], .form-errors", drawerBody);
    if (drawer.open && !wanted && document.activeElement.id && drawerBody.contains(document.activeElement)) return;
    if (!drawer.open) {
      openings += 1;
      opener = document.activeElement.id;
      drawer.showModal();
    }
    // On touch screens, focusing a field covers the form with the keyboard: only worth it for dice.
    if (matchMedia("(pointer: coarse)").matches && !wanted) {
      $("#drawer-title", drawerBody)?.focus();
      return;
    }
    // Skip the “who” field: the opener already chose it.
    const first = $("[data-first], [autofocus], .form-errors", drawerBody)
      || $("input:not([type=hidden], [type=radio], [type=checkbox]), select:not([name=who]), textarea", drawerBody)
      || $("button.primary", drawerBody);
    first?.focus();
    if (first?.matches("input[type=number]")) first.select();
  });
  // A sent form closes the drawer it was sent from, but not one opened since.
  let openings = 0;
  let opener = ""; // the id of what had the focus before
  const sentIn = new WeakMap(); // sender -> the drawer's opening it was sent in
  const sender = (element) => element.closest("form") || element;
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const { verb, again } = detail.requestConfig;
    if (verb !== "get" && !again) sentIn.set(sender(detail.elt), drawer?.open ? openings : 0);
  });
  const closeDrawer = (source) => { if (drawer?.open && sentIn.get(sender(source)) === openings) drawer.close(); };
  // A form in flight stays in the closed drawer until the response: otherwise it could not be retried.
  const isOnItsWay = (scope) => $("form[hx-post].htmx-request", scope);
  drawer?.addEventListener("close", () => {
    step(drawerBody);
    if (!isOnItsWay(drawerBody)) drawerBody.replaceChildren();
    // The browser returns the focus to the element that had it, but a push may have put another in its place.
    if (document.activeElement === document.body) document.getElementById(opener)?.focus({ preventScroll: true });
  });

  // Messages and announcements move into the dialog on top: what is behind it is neither seen nor read out.
  const spoken = ["messages", "announce", "announce-now"].map((id) => document.getElementById(id));
  const speakThere = () => {
    const [messages, ...announced] = spoken;
    const dialog = $$("dialog[open]").at(-1);
    if (dialog) dialog.prepend(messages);
    else $("#main").before(messages);
    (dialog || document.body).append(...announced);
  };
  $$("dialog").forEach((dialog) => new MutationObserver(speakThere).observe(dialog, { attributeFilter: ["open"] }));

  // ── The dashboard's attack form: reset after its roll, and when the turn moves on while it is untouched. ──
  const attack = () => $("#attack");
  let touched = false;
  document.addEventListener("input", (event) => { if (event.target.closest("#attack")) touched = true; });
  let isRenewed = false; // by the press whose panes are on their way
  const freshAttack = (query = "") => {
    if (!attack()) return Promise.resolve();
    touched = query.includes("exchange="); // an announced attack is kept when the turn moves on
    return bring(attack().dataset.url + query, attack());
  };
  // A response requested before the latest choice, or before its form was sent, is out of date.
  const steps = new WeakMap(); // by the form's container
  const home = (element) => element.closest("[data-form]");
  const step = (element) => {
    const at = home(element);
    if (at) steps.set(at, (steps.get(at) || 0) + 1);
  };
  document.addEventListener("input", (event) => {
    if (event.target.closest(".attack-line, .attack-rest")) step(event.target);
  }, true);
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    if (detail.requestConfig.verb !== "get") step(detail.elt);
    else {
      detail.xhr.step = steps.get(home(detail.target));
      detail.xhr.opens = detail.target === drawerBody && !drawer.open;
    }
  });
  // A form in flight is not replaced, or its response would have no target. Nor is one with a pressed button or an open
  // list, which would vanish before the release or the choice. The replacement is requested again later.
  const late = [];
  const askAgain = () => {
    for (const [path, { opens, target, ...how }] of late.splice(0)) {
      if (opens && !drawer.open) openDrawer(path);
      else if (target !== drawerBody || drawer.open) bring(path, target, how);
    }
  };
  const isDown = (scope) => $(":is(a, button, summary, label):is(:active, [data-down]), select:is(:open)", scope); // see frames.js
  const onceUp = () => setTimeout(() => (isDown(document) ? onceUp() : askAgain()), 30);
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    const { xhr, requestConfig, target } = detail;
    if (requestConfig?.verb !== "get") return;
    if (xhr.step !== steps.get(home(target))) detail.shouldSwap = false;
    else if (isOnItsWay(target) || isDown(target)) {
      detail.shouldSwap = false;
      late.push([detail.pathInfo.finalRequestPath, { target, opens: xhr.opens, select: detail.select, swap: detail.etc.swapOverride }]);
      if (isDown(target)) onceUp();
    }
  });
  // Open details stay open when the form is replaced for another target or weapon.
  let parts = [];
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    parts = detail.requestConfig?.elt?.matches?.(".attack-line") ? $$("details[id][open]", detail.target).map((each) => each.id) : [];
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    for (const id of parts.splice(0)) $(`#${id}`, detail.target)?.setAttribute("open", "");
  });
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (detail.requestConfig?.verb !== "get") askAgain();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-attack]");
    if (!link || !attack()) return;
    event.preventDefault();
    hideMenu(link);
    aim(link.href);
  });
  // Another attacker or target keeps the other fields.
  const aim = (href) => {
    for (const [name, value] of new URL(href).searchParams) {
      const select = $(`#attack-form select[name="${name}"]`);
      if (!select || ![...select.options].some((option) => option.value === value)) return freshAttack(new URL(href).search);
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    $("#attack_at")?.focus();
    return null;
  };

  // “Next” abandons the attack in the form.
  document.addEventListener("click", (event) => { if (event.target.closest(".next")) touched = false; });
  // Enter rolls from any choice of the attack; in text fields the browser does that.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!event.target.matches?.(".attack-form :is(select, input[type=checkbox])")) return;
    event.preventDefault();
    $(".attack-foot .primary:enabled", event.target.form)?.click();
  });

  document.addEventListener("vesper:done", (event) => {
    const source = event.target;
    if (!source.closest?.("[data-stay]")) closeDrawer(source);
    isRenewed = attack()?.contains(source) || attack()?.childElementCount === 0;
    if (isRenewed) freshAttack();
    const cast = $("[data-cast]");
    if (cast) bring(cast.dataset.cast, cast.closest("[data-form]"));
  });

  // ── After a frame. ──
  const whoActs = ({ acting = "", owing = "" } = {}) => `${acting} ${owing}`;
  let acting = whoActs($("#pane-bar")?.dataset);
  let status = $("#pane-bar")?.dataset.status;

  const begin = () => {
    document.dispatchEvent(new CustomEvent("vesper:leaving"));
    location.reload();
  };
  const afterFrame = () => {
    const bar = $("#pane-bar");
    if (bar && bar.dataset.status !== status) {
      const first = status;
      status = bar.dataset.status;
      // A draft that becomes a fight is a different page, loaded once the drawer is closed. Otherwise, replace the middle.
      if (first === "draft") {
        if (drawer?.open) drawer.addEventListener("close", begin, { once: true });
        else begin();
      } else if ($("#desk-doing")) {
        touched = false;
        bring(location.href, $("#desk-doing"), { select: "#desk-doing", swap: "outerHTML" });
      }
    }
    if (bar && whoActs(bar.dataset) !== acting) {
      acting = whoActs(bar.dataset);
      if (!touched && !isRenewed) freshAttack();
    } else if (attack()) {
      const plan = $("#plan");
      if (plan) htmx.trigger(plan, "vesper:plan");
    }
    isRenewed = false;
  };
  let waiting = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(waiting);
    waiting = setTimeout(afterFrame, 20);
  });
  // ── A menu closes after a press in it. ──
  document.addEventListener("click", (event) => {
    const inside = event.target.closest("[popover] button[form]");
    // After the press: if the button loses the focus first, the browser forgets that it was the submitter.
    if (inside) setTimeout(() => hideMenu(inside));
  });

  // ── Typing dice: after each face, the focus moves to the next field. ──
  document.addEventListener("input", (event) => {
    const face = event.target;
    if (!face.matches?.(".face")) return;
    const digits = face.value.replace(/\D/g, "").slice(0, 2);
    const done = digits === "10" || (digits.length === 1 && digits !== "1") || digits.length === 2;
    if (digits.length === 2 && digits !== "10") { // "1" was a face, and this digit is the next one
      face.value = digits[0];
      const next = after(face);
      if (next) { next.value = digits[1]; next.focus(); next.dispatchEvent(new Event("input", { bubbles: true })); }
      return;
    }
    face.value = digits;
    if (done) after(face)?.focus();
  });
  const after = (face) => { const all = $$(".face", face.form); return all[all.indexOf(face) + 1]; };
  document.addEventListener("keydown", (event) => {
    const face = event.target;
    if (!face.matches?.(".face")) return;
    const all = $$(".face", face.form);
    const index = all.indexOf(face);
    if (event.key === "Backspace" && !face.value && index > 0) { event.preventDefault(); all[index - 1].focus(); all[index - 1].select(); }
    if (event.key === " ") { event.preventDefault(); after(face)?.focus(); }
    if (event.key === "Enter") { event.preventDefault(); $("button.primary[value=type]", face.form)?.click(); }
  });
  document.addEventListener("focusin", (event) => { if (event.target.matches?.(".face")) event.target.select(); });
  document.addEventListener("paste", (event) => {
    const face = event.target;
    if (!face.matches?.(".face")) return;
    const faces = event.clipboardData.getData("text").match(/\d+/g) || [];
    if (faces.length < 2) return;
    event.preventDefault();
    let field = face;
    for (const each of faces) { if (!field) break; field.value = each; field = after(field); }
  });

  // ── The roll builder: buttons for more and fewer dice; it is refreshed in place. ──
  const wake = (scope) => {
    $$("[data-step]", scope).forEach((button) => { button.hidden = false; });
    $("[data-first]", scope)?.focus();
  };
  document.addEventListener("click", (event) => {
    const step = event.target.closest("[data-step]");
    if (!step) return;
    const field = $("input", step.parentElement);
    const now = field.value === "" ? Number(field.dataset.from) : Number(field.value);
    field.value = Math.min(Number(field.max), Math.max(Number(field.min), now + Number(step.dataset.step)));
    field.dispatchEvent(new Event("change", { bubbles: true }));
  });
  const rebuild = (form, dice) => {
    const said = new URLSearchParams(new FormData(form));
    for (const name of [...said.keys()]) {
      if (["key", "version", "csrfmiddlewaretoken", "dice", ...(dice ? [] : ["willpower"])].includes(name) || name.startsWith("die-")) said.delete(name);
    }
    if (dice) said.set("dice", dice);
    return bring(`${form.dataset.builder}?${said}`, form.closest("[data-form]"));
  };
  document.addEventListener("click", (event) => {
    const typed = event.target.closest("[data-type-dice]");
    if (!typed) return;
    event.preventDefault();
    rebuild(typed.form, "type");
  });
  document.addEventListener("vesper:done", (event) => {
    const form = event.target.closest?.("form[data-builder][data-stay]");
    if (!form) return;
    rebuild(form);
    setTab("log");
  });
  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));

  // ── Tabs on the phone. ──
  const tabs = $$("[data-tab-link]");
  const setTab = (name = document.body.dataset.tab) => {
    if (!tabs.length) return;
    document.body.dataset.tab = name || "fight";
    tabs.forEach((tab) => {
      if (tab.dataset.tabLink === document.body.dataset.tab) { tab.setAttribute("aria-current", "page"); tab.classList.remove("news"); }
      else tab.removeAttribute("aria-current");
    });
  };
  tabs.forEach((tab) => tab.addEventListener("click", (event) => {
    event.preventDefault();
    setTab(tab.dataset.tabLink);
    scrollTo({ top: 0 });
  }));
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const target = event.detail.target || event.target;
    if (target?.id === "pane-log" && document.body.dataset.tab === "fight") $('[data-tab-link="log"]')?.classList.add("news");
    if (target?.id === "pane-asks" && $("#pane-asks .defence")) setTab("fight");
  });
  setTab(tabs.find((tab) => tab.hash && tab.hash === location.hash)?.dataset.tabLink || "fight");
  wake(document);
})();
