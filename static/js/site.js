// Enhancements on every page. Everything works without them: links have an href, forms an action.
(() => {
  "use strict";

  const root = document.documentElement;
  const each = (scope, selector, act) => scope.querySelectorAll(selector).forEach(act);

  // ── Announcing to screen readers: dispatch `vesper:announce` with the words as detail, or with {words, now}. ──
  const SAID = 10000;
  const announce = ({ words, now }) => {
    const region = document.getElementById(now ? "announce-now" : "announce");
    if (!region) return;
    // A new element each time, so that repeated words and several sentences at once are all read.
    const line = document.createElement("p");
    line.textContent = words;
    region.append(line);
    setTimeout(() => line.remove(), SAID);
  };
  document.addEventListener("vesper:announce", ({ detail }) => announce(typeof detail === "string" ? { words: detail } : detail));

  // ── Cookies for the server's next page. ──
  const remember = (name, value) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  };

  // ── This browser's time zone. ──
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`vesper-zone=${zone}`)) remember("vesper-zone", zone);
  // Times on the first page, which the server wrote before it knew the zone.
  const inZone = (scope) => each(scope, "time[data-utc]", (time) => {
    const length = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
    if (time.dataset.utc === "moment") Object.assign(length, { day: "numeric", month: "long", year: "numeric" });
    const { lang } = document.documentElement;
    time.textContent = new Date(time.dateTime).toLocaleString(lang === "en" ? "en-GB" : lang, length);
    time.removeAttribute("data-utc");
  });

  // ── The theme. In a cookie, so that the server renders it without a flash. ──
  const chooseTheme = (theme) => {
    root.dataset.theme = theme;
    remember("theme", theme);
    // The colour of the window around the page.
    each(document, "meta[name=theme-color]", (meta) => {
      const own = meta.dataset.theme;
      meta.media = theme === "auto" ? `(prefers-color-scheme: ${own})` : own === theme ? "all" : "not all";
    });
  };

  // ── What needs this script is hidden in the HTML and shown here, in the page and in htmx content. ──
  const wake = (scope) => {
    inZone(scope);
    each(scope, "[data-theme-switch]", (box) => {
      box.hidden = false;
      const chosen = box.querySelector(`input[value="${root.dataset.theme}"]`);
      if (chosen) chosen.checked = true;
    });
    each(scope, "[data-copy], [data-dismiss], [data-print]", (button) => { button.hidden = false; });
    // Unless the reader is already correcting them: this runs a moment after the form has arrived.
    const errors = scope.querySelector(".form-errors");
    if (errors && (scope === document || !scope.contains(document.activeElement))) errors.focus();
  };

  document.addEventListener("change", (event) => {
    if (event.target.closest("[data-theme-switch]")) chooseTheme(event.target.value);
  });

  // ── Copying: <button data-copy="#field" data-copied="Copied">. ──
  const copy = async (button) => {
    const source = document.querySelector(button.dataset.copy);
    const text = source.value ?? source.textContent.trim();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // The clipboard API needs a secure origin. On a LAN over plain HTTP, use the old way.
      if (!source.select) return;
      source.select();
      document.execCommand("copy");
    }
    const label = button.querySelector("[data-label]") || button;
    const before = label.textContent;
    label.textContent = button.dataset.copied || "Copied";
    announce({ words: label.textContent });
    setTimeout(() => { label.textContent = before; }, 2000);
  };

  document.addEventListener("click", (event) => {
    const copier = event.target.closest("[data-copy]");
    if (copier) copy(copier);
    if (event.target.closest("[data-print]")) window.print();
    const dismisser = event.target.closest("[data-dismiss]");
    if (dismisser) dismisser.closest(".note").remove();
  });

  // ── A rule's mark opens its text over the page, so that a half-filled form stays as it is. ──
  const ruleDialog = document.getElementById("rule-dialog");
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    const mark = event.target.closest("a.rule");
    if (!mark || !ruleDialog) return;
    event.preventDefault();
    const url = `${mark.pathname}${mark.hash.slice(1)}/`;
    htmx.trigger(ruleDialog, "htmx:abort"); // the last press counts
    htmx.ajax("GET", url, { source: ruleDialog, target: "#rule-body", swap: "innerHTML" }).catch(() => {});
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id === "rule-body" && !ruleDialog.open) ruleDialog.showModal();
  });

  // ── A form's buttons are disabled during its request, so that a second press sends nothing. ──
  const buttonsOf = (form) => [...form.elements].filter((element) => element.type === "submit" && !element.disabled);
  const rest = (form) => {
    const buttons = buttonsOf(form);
    buttons.forEach((button) => { button.disabled = true; button.classList.add("sending"); });
    return () => buttons.forEach((button) => { button.disabled = false; button.classList.remove("sending"); });
  };
  const resting = new Map();
  const wakeForm = (form) => {
    resting.get(form)?.();
    resting.delete(form);
  };
  const ON_ITS_WAY = 8000; // not for ever, because a download leaves the page as it is
  let sent = -ON_ITS_WAY;
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.getAttribute("method") === "dialog") return;
    sent = performance.now();
    // After the browser has read the pressed button's name and value.
    setTimeout(() => {
      resting.set(form, rest(form));
      setTimeout(() => wakeForm(form), ON_ITS_WAY);
    });
  });
  document.addEventListener("htmx:beforeRequest", (event) => {
    const form = event.detail.elt;
    if (form instanceof HTMLFormElement) resting.set(form, rest(form));
  });
  document.addEventListener("htmx:afterRequest", (event) => wakeForm(event.detail.elt));
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) [...resting.keys()].forEach(wakeForm);
  });

  // ── A page its reader may no longer see (`vesper:gone`) is reloaded. Rate limited, because it may happen again at once. ──
  // A form in flight navigates by itself: when signing out, this event arrives before the response.
  const LEFT = "vesper:left";
  const SELDOM = 10000;
  const leave = () => {
    const early = Number(sessionStorage.getItem(LEFT)) + SELDOM - Date.now();
    if (early > 0) {
      setTimeout(leave, early);
      return;
    }
    sessionStorage.setItem(LEFT, String(Date.now()));
    location.reload();
  };
  document.addEventListener("vesper:gone", () => setTimeout(leave, Math.max(0, sent + ON_ITS_WAY - performance.now())));

  // ── Failed htmx requests: show an error message. ──
  const complain = (what) => {
    const place = document.getElementById("messages");
    if (!place) return;
    const note = document.createElement("div");
    note.className = "note error";
    note.dataset.complaint = what;
    note.textContent = place.dataset[what];
    place.replaceChildren(note);
    place.scrollIntoView({ block: "nearest" });
  };
  const PATIENCE = 10000; // timeout of GET requests
  document.addEventListener("htmx:configRequest", ({ detail }) => { if (detail.verb === "get") detail.timeout = PATIENCE; });
  const unreachable = ({ detail }) => complain(detail.requestConfig?.insists ? "unsure" : "unreachable");
  document.addEventListener("htmx:sendError", unreachable);
  document.addEventListener("htmx:timeout", unreachable);
  const WORDS = { 401: "signedout", 403: "forbidden", 404: "gone", 503: "away", 507: "full" };
  document.addEventListener("htmx:responseError", ({ detail }) => complain(WORDS[detail.xhr.status] || "failed"));

  // After signing in again in another window, the page's CSRF token is out of date: fetch the new one.
  let token = null;
  let isOld = false;
  const renew = async () => {
    const answer = await fetch(location.href, { cache: "no-store", redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    token = JSON.parse(page.body.getAttribute("hx-headers"))["x-csrftoken"];
    isOld = false;
  };
  document.addEventListener("htmx:responseError", ({ detail }) => { if (detail.xhr.status === 401) isOld = true; });
  document.addEventListener("htmx:confirm", (event) => {
    if (!isOld || event.defaultPrevented) return;
    event.preventDefault();
    renew().catch(() => {}).finally(() => event.detail.issueRequest(true));
  });
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    if (!token) return;
    detail.headers["x-csrftoken"] = token;
    if (detail.parameters.csrfmiddlewaretoken) detail.parameters.csrfmiddlewaretoken = token;
  });

  // The next successful request clears the message, but a GET only clears “unreachable”.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    const mended = detail.requestConfig?.verb === "get" ? "[data-complaint=unreachable]" : "[data-complaint]";
    document.querySelector(`#messages ${mended}`)?.remove();
  });

  // ── `/` goes to the page's search: its field, or the link to it. ──
  document.addEventListener("keydown", (event) => {
    const search = document.querySelector("[data-search]");
    const busy = event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || document.querySelector("dialog[open]");
    if (event.key !== "/" || !search || busy || event.target.closest("input, textarea, select, [contenteditable]")) return;
    event.preventDefault();
    if (search.href) search.click();
    else search.focus();
  });

  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));
  wake(document);
})();
