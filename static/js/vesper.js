// Small comforts on every page. Nothing here is needed to use it: links keep href, forms keep action.
(() => {
  "use strict";

  const root = document.documentElement;
  const each = (scope, selector, act) => scope.querySelectorAll(selector).forEach(act);

  // ── Saying things to screen readers: dispatch `vesper:announce` with the words as detail. ──
  const announce = (words) => {
    const region = document.getElementById("announce");
    if (!region) return;
    region.textContent = "";
    // An emptied region must reach the accessibility tree first, or the same words twice are read once.
    setTimeout(() => { region.textContent = words; }, 50);
  };
  document.addEventListener("vesper:announce", (event) => announce(event.detail));

  // ── Theme: a cookie, so that the server draws the next page right from the start. ──
  const chooseTheme = (theme) => {
    root.dataset.theme = theme;
    const secure = location.protocol === "https:" ? "; Secure" : "";
    document.cookie = `theme=${theme}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`;
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

  // ── Menus made of <details>: one open at a time, closed by Escape or a press elsewhere. ──
  const closeMenus = (except) => each(document, "details.menu[open]", (menu) => {
    if (menu !== except) menu.open = false;
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    const menu = document.querySelector("details.menu[open]");
    if (!menu) return;
    menu.open = false;
    menu.querySelector("summary").focus();
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
    announce(label.textContent);
    setTimeout(() => { label.textContent = before; }, 2000);
  };

  document.addEventListener("click", (event) => {
    closeMenus(event.target.closest("details.menu"));
    const opener = event.target.closest("[data-dialog]");
    const dialog = opener && document.getElementById(opener.dataset.dialog);
    if (dialog) {
      event.preventDefault();
      dialog.showModal();
    }
    if (event.target.closest("[data-dialog-close]")) {
      event.preventDefault();
      event.target.closest("dialog").close();
    }
    if (event.target instanceof HTMLDialogElement) event.target.close(); // a press on the veil around it
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
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.getAttribute("method") === "dialog") return;
    // After the browser has read the pressed button's name and value; and not for ever, since a download leaves the page standing.
    setTimeout(() => {
      resting.set(form, rest(form));
      setTimeout(() => wakeForm(form), 8000);
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

  // ── When htmx's request came to nothing, say so where the reader looks. ──
  const complain = (words) => {
    const place = document.getElementById("messages");
    if (!place) return;
    const note = document.createElement("div");
    note.className = "note error";
    note.textContent = words;
    place.replaceChildren(note);
    place.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("htmx:sendError", () => {
    complain("The server could not be reached. Nothing was lost: try again when the connection is back.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status === 403) complain("You may not do that here. If you were signed out meanwhile, load the page again.");
    else if (status === 404) complain("That is no longer there. Load the page again to see what is.");
    else complain("The server could not do that. Nothing was changed: try again, or load the page anew.");
  });

  document.addEventListener("htmx:load", (event) => wake(event.detail.elt));
  wake(document);
})();
