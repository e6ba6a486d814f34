// Guided creation: one step of the sheet's form at a time, and the dots that remain while dots are tapped.
// Counts as rules/model/creation.py does. Without it the whole form is on the page, with the server's counts.
(() => {
  "use strict";

  let now = null; // the step on the screen; "" is everything
  let following = false; // on an empty sheet, until it is left: Traits follow those they start with
  const touched = new Set(); // Traits that were set by hand, and no longer follow

  const form = () => document.querySelector("#sheet-form.guided");
  // In an attribute, because htmx drops scripts, JSON too, from what it swaps in.
  const data = () => JSON.parse(document.getElementById("guide-data").dataset.budget);
  const field = (name) => form().elements[name];
  const value = (name) => (/^\d{1,3}$/.test(field(name)?.value.trim() ?? "") ? Number(field(name).value) : 0);
  const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

  // ── The budget ──
  const dotsOf = ([name, free, fifth]) => Math.max(0, value(name) - free) + (fifth && value(name) >= 5 ? 1 : 0);

  const inAnyOrder = (dots, spent) => {
    const ranks = spent.map((_, place) => place).sort((one, other) => spent[other] - spent[one]);
    const largest = [...dots].sort((one, other) => other - one);
    return spent.map((_, place) => largest[ranks.indexOf(place)]);
  };

  // An entry of a list counts its dots, one without any counts as one, as does a specialty.
  const entries = (name) => {
    let total = 0;
    for (let place = 0; field(`${name}-${place}-name`); place += 1) {
      if (field(`${name}-${place}-name`).value.trim()) total += Math.max(1, value(`${name}-${place}-dots`));
    }
    return total;
  };

  // The dots that the identity gives a Trait, such as a Garou's auspice.
  const startOf = (line) => {
    const said = data().details.map((name) => field(name)?.value.trim().toLowerCase());
    const word = Object.keys(line.starts).find((each) => said.includes(each));
    return word === undefined ? null : line.starts[word];
  };

  const count = (line) => {
    let spent = line.entries ? [entries(line.entries)] : line.groups.map((group) => sum(group.map(dotsOf)));
    let given = line.dots;
    const start = startOf(line);
    if (start !== null) given = [start];
    else if (line.base.length) given = [sum(line.base.map(value))];
    else if (given.length === spent.length) given = inAnyOrder(given, spent);
    if (given.length !== spent.length) spent = [sum(spent)];
    const over = sum(spent.map((used, place) => Math.max(0, used - given[place]))) - line.extra;
    const left = sum(spent.map((used, place) => Math.max(0, given[place] - used))) - Math.min(0, over);
    return { spent, given, left, over: Math.max(0, over) };
  };

  const write = (key, left, over, texts) => {
    document.querySelectorAll(`[data-left="${key}"]`).forEach((place) => {
      const told = left || !over ? [texts.left.replace("{count}", left)] : [];
      if (over) told.push(texts.over.replace("{count}", over));
      if (place.textContent !== told.join(", ")) place.textContent = told.join(", ");
      place.classList.toggle("over", over > 0);
    });
  };

  const draw = () => {
    const budget = data();
    const counts = Object.fromEntries(budget.lines.map((line) => [line.key, count(line)]));
    for (const { key, starts } of budget.lines) {
      const { spent, given, left, over } = counts[key];
      write(key, left, over, budget.texts);
      if (Object.keys(starts).length) {
        document.querySelectorAll(`[data-given="${key}"]`).forEach((place) => { if (place.textContent !== String(given[0])) place.textContent = given[0]; });
      }
      spent.forEach((used, place) => write(`${key}-${place}`, Math.max(0, given[place] - used), over ? Math.max(0, used - given[place]) : 0, budget.texts));
    }
    for (const [step, keys] of Object.entries(budget.steps)) {
      const mine = keys.map((key) => counts[key]).filter(Boolean);
      write(`step-${step}`, sum(mine.map((each) => each.left)), sum(mine.map((each) => each.over)), budget.texts);
    }
    const points = budget.points - sum(budget.lines.map((line) => counts[line.key].over * line.price));
    write("points", Math.max(0, points), Math.max(0, -points), budget.texts);
  };

  // Humanity and Willpower start with the dots of the Virtues, Rage and Gnosis with those of auspice and breed, until
  // somebody sets them.
  const follow = (name) => {
    if (!following) return;
    const budget = data();
    for (const line of budget.lines) {
      if (line.entries) continue;
      const [[[own]]] = line.groups;
      if (name === own) touched.add(own);
      const start = budget.details.includes(name) ? startOf(line) : null;
      if (start !== null && !touched.has(own) && field(own) && value(own) !== start) set(own, start);
      if (line.base.includes(name) && !touched.has(own) && field(own)) set(own, sum(line.base.map(value)));
    }
  };

  const set = (name, dots) => {
    field(name).value = String(dots);
    field(name).dispatchEvent(new CustomEvent("input", { bubbles: true, detail: "follows" }));
  };

  // ── The steps ──
  const steps = () => [...form().querySelectorAll("[data-step-link]")].map((link) => link.dataset.stepLink);

  const show = (step) => {
    now = step;
    form().classList.toggle("stepping", step !== "");
    form().querySelectorAll("[data-step]").forEach((part) => { part.hidden = step !== "" && part.dataset.step !== step; });
    form().querySelectorAll("[data-step-link]").forEach((link) => {
      link.hidden = false;
      if (link.dataset.stepLink === step) link.setAttribute("aria-current", "step");
      else link.removeAttribute("aria-current");
    });
    const place = steps().indexOf(step);
    form().querySelector("[data-guide-back]").hidden = step === "" || place === 0;
    form().querySelector("[data-guide-next]").hidden = step === "" || place >= steps().length - 2;
  };

  const go = (step) => {
    show(step);
    const link = form().querySelector(`[data-step-link="${step}"]`);
    link.focus({ preventScroll: true });
    link.scrollIntoView({ block: "nearest", inline: "center" });
    form().scrollIntoView({ block: "start" });
  };

  const wake = () => {
    if (!form()) return;
    const wrong = form().querySelector(".form-errors") && form().querySelector("[data-step] .errorlist");
    show(wrong ? wrong.closest("[data-step]").dataset.step : now ?? steps()[0]);
    if ("fresh" in form().dataset) {
      following = true;
      data().lines.forEach((line) => line.base.forEach(follow));
    }
    draw();
  };

  document.addEventListener("click", (event) => {
    if (!form()) return;
    const link = event.target.closest("#sheet-form a[href^='#']");
    if (event.target.closest("[data-guide-next]")) go(steps()[steps().indexOf(now) + 1]);
    if (event.target.closest("[data-guide-back]")) go(steps()[steps().indexOf(now) - 1]);
    if (link && "stepLink" in link.dataset) {
      event.preventDefault();
      go(link.dataset.stepLink);
    } else if (link) {
      // An error's link leads to a field that may be in another step.
      const part = document.getElementById(link.hash.slice(1))?.closest("[data-step]");
      if (part?.hidden) show(part.dataset.step);
    }
  });
  document.addEventListener("input", (event) => {
    if (!form()?.contains(event.target)) return;
    if (event.detail !== "follows") follow(event.target.name);
    draw();
  });
  document.addEventListener("htmx:load", (event) => { if (event.detail.elt.contains(form())) wake(); });
  wake();
})();
