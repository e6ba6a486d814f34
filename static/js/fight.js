// Comforts of the fight's pages: the drawer, menus beside their rows, keys, tabs, dice that are quick to type.
// Nothing here is needed to play: links keep href, buttons belong to forms with an action.
(() => {
  "use strict";

  const $ = (selector, scope = document) => scope.querySelector(selector);
  const $$ = (selector, scope = document) => [...scope.querySelectorAll(selector)];
  const drawer = $("#drawer");
  const drawerBody = $("#drawer-body");

  const hideMenu = (inside) => inside.closest("[popover]:popover-open")?.hidePopover();

  // Each by the place that it comes to: of what one element asks for, htmx keeps only the last one waiting.
  const bring = (url, target, how = { swap: "innerHTML" }) => htmx.ajax("GET", url, { source: target === drawerBody ? drawer : target, target, ...how });

  // ── The drawer: forms come into it, and it closes when they are done. ──
  // The last press counts: what an earlier one asked for would come first, and be replaced while somebody is in it.
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
  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target !== drawerBody || !drawerBody.childElementCount) return;
    // Now, and not when htmx has settled: Enter is sometimes quicker, and would send the form as a page of its own.
    htmx.process(drawerBody);
    drawer.classList.toggle("wide", Boolean($(".attack-form", drawerBody)));
    // The same form, filled in further: whoever is in it by the keyboard stays where they are.
    const wanted = $("[data-first], .form-errors", drawerBody);
    if (drawer.open && !wanted && document.activeElement.id && drawerBody.contains(document.activeElement)) return;
    if (!drawer.open) {
      openings += 1;
      drawer.showModal();
    }
    // Where fingers point, a field with the focus brings up the keyboard over the form: only dice are worth that.
    if (matchMedia("(pointer: coarse)").matches && !wanted) {
      $("#drawer-title", drawerBody)?.focus();
      return;
    }
    // Who it is about is settled by where the form was opened from.
    const first = $("[data-first], [autofocus], .form-errors", drawerBody)
      || $("input:not([type=hidden], [type=radio], [type=checkbox]), select:not([name=who]), textarea", drawerBody)
      || $("button.primary", drawerBody);
    first?.focus();
    if (first?.matches("input[type=number]")) first.select();
  });
  // What was sent closes the drawer that it was sent in, and none that was opened since.
  let openings = 0;
  const sentIn = new WeakMap(); // what was sent by -> which opening of the drawer that was
  const sender = (element) => element.closest("form") || element;
  document.addEventListener("htmx:beforeRequest", ({ detail }) => {
    const { verb, again } = detail.requestConfig;
    if (verb !== "get" && !again) sentIn.set(sender(detail.elt), drawer?.open ? openings : 0);
  });
  const closeDrawer = (source) => { if (drawer?.open && sentIn.get(sender(source)) === openings) drawer.close(); };
  // A form that is on its way stays behind the closed drawer until it is answered: only so is it heard, and sent again.
  const isOnItsWay = (scope) => $("form[hx-post].htmx-request", scope);
  drawer?.addEventListener("close", () => {
    step(drawerBody);
    if (!isOnItsWay(drawerBody)) drawerBody.replaceChildren();
  });

  // What is said to the reader is said in the drawer while it is open: behind it nothing is seen, nor read out.
  const spoken = ["messages", "announce", "announce-now"].map((id) => document.getElementById(id));
  const speakThere = () => {
    const [messages, ...announced] = spoken;
    if (drawer.open) drawer.prepend(messages);
    else $("#main").before(messages);
    (drawer.open ? drawer : document.body).append(...announced);
  };
  if (drawer) new MutationObserver(speakThere).observe(drawer, { attributeFilter: ["open"] });

  // ── The attack on the desk: fresh after it was rolled, and when the turn moves on while nobody is at it. ──
  const attack = () => $("#attack");
  let touched = false;
  document.addEventListener("input", (event) => { if (event.target.closest("#attack")) touched = true; });
  const freshAttack = (query = "") => {
    if (!attack()) return Promise.resolve();
    touched = query.includes("exchange="); // what somebody announced is not given up because the turn moves on
    return bring(attack().dataset.url + query, attack());
  };
  // An answer that was asked for before the latest choice, or before its form was sent, knows nothing of it.
  const steps = new WeakMap(); // by where the form stands
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
  // And a form that was sent stays until it is answered: what the answer brings would find no way to the page. So does
  // one of which a button is down, or a list is open: it would be gone at its up, or before anything is chosen. What would
  // take its place meanwhile is asked for again.
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
  // What is open of the form stays open when it comes anew for another target or weapon.
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
  // Another attacker or target leaves the rest as it is filled in.
  const aim = (href) => {
    for (const [name, value] of new URL(href).searchParams) {
      const select = $(`#attack-form select[name="${name}"]`);
      if (!select || ![...select.options].some((option) => option.value === value)) return freshAttack(new URL(href).search);
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    }
    $("#id_at")?.focus();
    return null;
  };

  // Whoever goes on to the next is done with the attack that stands there.
  document.addEventListener("click", (event) => { if (event.target.closest(".next")) touched = false; });
  // Enter rolls, from any choice of the attack; in a field of text it does so by itself.
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.repeat || event.ctrlKey || event.altKey || event.metaKey) return;
    if (!event.target.matches?.(".attack-form :is(select, input[type=checkbox])")) return;
    event.preventDefault();
    $(".attack-foot .primary:enabled", event.target.form)?.click();
  });

  document.addEventListener("vesper:done", (event) => {
    const source = event.target;
    if (!source.closest?.("[data-stay]")) closeDrawer(source);
    if (attack()?.contains(source) || attack()?.childElementCount === 0) freshAttack();
    const cast = $("[data-cast]");
    if (cast) bring(cast.dataset.cast, cast.closest("[data-form]"));
  });

  // ── What changed with a frame. ──
  let acting = $("#pane-bar")?.dataset.acting;
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
      // A draft becomes a fight: another page altogether. Not while somebody is typing. Else the middle of the desk.
      if (first === "draft") {
        if (drawer?.open) drawer.addEventListener("close", begin, { once: true });
        else begin();
      } else if ($("#desk-doing")) {
        touched = false;
        bring(location.href, $("#desk-doing"), { select: "#desk-doing", swap: "outerHTML" });
      }
    }
    if (bar && bar.dataset.acting !== acting) {
      acting = bar.dataset.acting;
      if (!touched) freshAttack();
    } else if (attack()) {
      const plan = $("#plan");
      if (plan) htmx.trigger(plan, "vesper:plan");
    }
  };
  let waiting = 0;
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(waiting);
    waiting = setTimeout(afterFrame, 20);
  });
  // ── A menu closes when something in it was pressed. ──
  document.addEventListener("click", (event) => {
    const inside = event.target.closest("[popover] button[form]");
    // After the press: a button that loses the focus first is forgotten as the one that was pressed.
    if (inside) setTimeout(() => hideMenu(inside));
  });

  // ── Dice: a face is one key or two, and the next field takes over. ──
  document.addEventListener("input", (event) => {
    const face = event.target;
    if (!face.matches?.(".face")) return;
    const digits = face.value.replace(/\D/g, "").slice(0, 2);
    const done = digits === "10" || (digits.length === 1 && digits !== "1") || digits.length === 2;
    if (digits.length === 2 && digits !== "10") { // "1" was a face of its own, and this is the next one
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

  // ── The roll builder: steps up and down; it stays on its page as it is filled in. ──
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

  // ── Tabs of the phone. ──
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
  setTab("fight");
  wake(document);
})();
