// Small comforts on every page. Nothing here is needed to use it: links keep href, forms keep action.
(() => {
  "use strict";

  const root = document.documentElement;
  const each = (scope, selector, act) => scope.querySelectorAll(selector).forEach(act);

  // ── Saying things to screen readers: dispatch `vesper:announce` with the words as detail, or with {words, now}. ──
  const SAID = 10000;
  const announce = ({ words, now }) => {
    const region = document.getElementById(now ? "announce-now" : "announce");
    if (!region) return;
    // A piece of its own each time: what is added is read once, also the same words twice and two sentences at once.
    const line = document.createElement("p");
    line.textContent = words;
    region.append(line);
    setTimeout(() => line.remove(), SAID);
  };
  document.addEventListener("vesper:announce", ({ detail }) => announce(typeof detail === "string" ? { words: detail } : detail));

  // ── What the server is to know when it draws the next page. ──
  const remember = (name, value) => {
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `${name}=${value}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
  };

  // ── The zone of this browser, for the times. ──
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (zone && !document.cookie.split("; ").includes(`vesper-zone=${zone}`)) remember("vesper-zone", zone);

  // ── The theme: right from the start, and not once a script has come. ──
  const chooseTheme = (theme) => {
    root.dataset.theme = theme;
    remember("theme", theme);
  };

  // ── What only works with this script is drawn hidden and shown here, in the page and in whatever htmx brings. ──
  const wake = (scope) => {
    each(scope, "[data-theme-switch]", (box) => {
      box.hidden = false;
      const chosen = box.querySelector(`input[value="${root.dataset.theme}"]`);
      if (chosen) chosen.checked = true;
    });
    each(scope, "[data-copy], [data-dismiss]", (button) => { button.hidden = false; });
    const errors = scope.querySelector(".form-errors");
    if (errors) errors.focus();
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
      // Clipboards are for secure origins only; on a LAN over plain HTTP, the old way.
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
    const dismisser = event.target.closest("[data-dismiss]");
    if (dismisser) dismisser.closest(".note").remove();
  });

  // ── A form's buttons rest while it is on its way, so that an impatient second press sends nothing. ──
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
  const ON_ITS_WAY = 8000; // not for ever, since a download leaves the page standing
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

  // ── A page that is not for its reader any more (`vesper:gone`): the server draws what there is now. Seldom, since it may say so for ever. ──
  // A form that is on its way leads elsewhere by itself: whoever signs out hears of it here before the answer is there.
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

  // ── When htmx's request came to nothing, say so where the reader looks. ──
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
  const PATIENCE = 10000; // for what is only asked for
  document.addEventListener("htmx:configRequest", ({ detail }) => { if (detail.verb === "get") detail.timeout = PATIENCE; });
  const unreachable = ({ detail }) => complain(detail.requestConfig?.insists ? "unsure" : "unreachable");
  document.addEventListener("htmx:sendError", unreachable);
  document.addEventListener("htmx:timeout", unreachable);
  const WORDS = { 401: "signedout", 403: "forbidden", 404: "gone", 503: "away", 507: "full" };
  document.addEventListener("htmx:responseError", ({ detail }) => complain(WORDS[detail.xhr.status] || "failed"));

  // Whoever signed in again meanwhile, in another window, needs the token of this sign-in: the page’s is of the one before.
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

  // And when the next one came to something, it has been said long enough; what is only looked at mends no refusal.
  document.addEventListener("htmx:afterRequest", ({ detail }) => {
    if (!detail.successful) return;
    const mended = detail.requestConfig?.verb === "get" ? "[data-complaint=unreachable]" : "[data-complaint]";
    document.querySelector(`#messages ${mended}`)?.remove();
  });

  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));
  wake(document);
})();
