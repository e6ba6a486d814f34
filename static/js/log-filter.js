// Filters the log on a fight's pages. The filter is kept in the address, across updates and reloads.
// Without this script, the same form opens the page with the whole log.
(() => {
  "use strict";

  const KEYS = ["log_who", "log_turn", "log_kind"];
  const address = () => new URLSearchParams(location.search);
  const asked = () => Object.fromEntries(KEYS.map((key) => [key, address().get(key) || ""]));
  const pane = () => document.getElementById("pane-log");

  const lets = (entry, wanted) =>
    (!wanted.log_who || entry.dataset.names.split("\n").includes(wanted.log_who))
    && (!wanted.log_turn || entry.dataset.turn === wanted.log_turn)
    && (!wanted.log_kind || entry.dataset.kinds.split(" ").includes(wanted.log_kind));

  // The newest entries may lack the chosen name: keep it among the options.
  const choose = (select, value) => {
    if (![...select.options].some((option) => option.value === value)) select.append(new Option(value, value));
    select.value = value;
  };

  const apply = () => {
    const log = pane();
    const form = log?.querySelector("[data-log-choice]");
    if (!form) return;
    const wanted = asked();
    for (const key of KEYS) if (form.elements[key]) choose(form.elements[key], wanted[key]);
    form.querySelector("[data-log-show]").hidden = true;
    const chosen = KEYS.filter((key) => wanted[key]).map((key) => form.elements[key]?.selectedOptions[0]?.text).filter(Boolean);
    const label = log.querySelector("[data-log-chosen]");
    label.dataset.plain ||= label.textContent;
    label.textContent = chosen.join(" · ") || label.dataset.plain;
    let shown = 0;
    for (const entry of log.querySelectorAll(".entry")) {
      entry.hidden = !lets(entry, wanted);
      if (!entry.hidden) shown += 1;
    }
    const none = log.querySelector("[data-log-none]");
    if (none) none.hidden = shown > 0 || !chosen.length;
    const older = log.querySelector("[data-log-older]");
    if (older) older.search = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
  };

  document.addEventListener("change", (event) => {
    const form = event.target.closest("#pane-log [data-log-choice]");
    if (!form) return;
    const now = address();
    for (const key of KEYS) {
      const value = form.elements[key]?.value;
      if (value) now.set(key, value);
      else now.delete(key);
    }
    const query = now.toString();
    history.replaceState(history.state, "", `${location.pathname}${query && "?"}${query}${location.hash}`);
    apply();
  });
  document.addEventListener("submit", (event) => {
    if (event.target.closest("#pane-log [data-log-choice]")) event.preventDefault();
  });
  document.addEventListener("htmx:oobAfterSwap", (event) => { if (event.detail.target.id === "pane-log") apply(); });
  apply();
})();
