// What is pressed in a fight is sent once, however often it has to be sent, and in the order in which it was pressed.
// The page needs #socket and #version, as for frames.js.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const FOR_A_PRESS = 8000; // for the answer to a command, before it is sent again
  const INSISTENCE = 120000; // how long one is sent again whose answer never came

  const have = () => Number(document.getElementById("version").dataset.version);

  // ── Commands: each press has a key of its own; one whose answer never came is sent again under the same. ──
  const unsure = new Map(); // what was sent -> its press
  const errands = new WeakMap(); // an element that sends what was pressed before -> what that was
  const isCommand = (config) => config.verb === "post" && /\/do\/[\w-]+$/.test(config.path);
  const freshKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const MEANS_NOTHING = ["key", "version", "csrfmiddlewaretoken"];
  const signature = (path, data) => JSON.stringify([path, [...data.entries()].filter(([name]) => !MEANS_NOTHING.includes(name))]);
  const newPress = (sign, drawn) => ({ sign, drawn, key: freshKey(), version: have(), tries: 0, since: Date.now() });
  // A button that was drawn anew since is another one: of the one before, what came of it is seen, or it is pressed again.
  const drawnAt = (event) => event?.submitter?.closest("[data-version]")?.dataset.version;
  const pressOf = (sign, drawn) => {
    const before = unsure.get(sign);
    if (before && before.drawn === drawn) return before;
    if (before) before.over = true;
    return newPress(sign, drawn);
  };

  document.addEventListener("htmx:configRequest", (event) => {
    const config = event.detail;
    if (!isCommand(config)) return;
    const errand = errands.get(config.elt);
    if (errand) {
      config.again = true;
      for (const name of new Set(config.formData.keys())) config.formData.delete(name);
      for (const [name, value] of errand.said) config.formData.append(name, value);
    }
    const press = errand ? errand.press : pressOf(signature(config.path, config.formData), drawnAt(config.triggeringEvent));
    unsure.set(press.sign, press);
    config.press = press;
    config.timeout = FOR_A_PRESS;
    config.insists = Date.now() - press.since < INSISTENCE; // for the words that say so
    config.parameters.key = press.key;
    // What the page shows now is what was pressed at; a form that shows something older sends along what that was.
    config.parameters.version = String(press.version);
    config.headers["Vesper-Page"] = place.dataset.page;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, xhr } = event.detail;
    const press = requestConfig?.press;
    if (!press) return;
    requestConfig.press = null; // where its element is gone by now, htmx says so twice
    const home = requestConfig.elt.closest("form") || place;
    if (errands.has(requestConfig.elt)) setTimeout(() => requestConfig.elt.remove());
    const isAnswered = xhr.status !== 0 && xhr.status < 500;
    if (isAnswered && press.tries) document.getElementById("messages")?.replaceChildren();
    if (isAnswered || press.over || !requestConfig.insists) {
      settle(press, xhr.status === 200);
      return;
    }
    press.tries += 1;
    const errand = { press, home, path: requestConfig.path, said: requestConfig.formData };
    setTimeout(() => (press.over ? settle(press) : send(errand)), Math.min(8000, 500 * 2 ** press.tries));
    goOn();
  });

  // In the form where it was, if that still stands, so that whatever its answer means to it happens there. By an element
  // of its own: of the form htmx would ask the button that was pressed last where to, and it may lead elsewhere by now. And
  // with what was said then, whatever the fields say since.
  const send = (errand) => {
    const { path, home } = errand;
    const source = document.createElement("span");
    source.hidden = true;
    (home.isConnected ? home : place).append(source);
    errands.set(source, errand);
    htmx.ajax("POST", path, home.isConnected && home !== place ? { source } : { source, target: source, swap: "none" }).catch(() => {});
  };

  // ── What is pressed while something is on its way waits in line for its answer: htmx would keep the last one alone. ──
  // That is a button that came with a frame before the answer, or what has none (`vesper:press`: {path, values}).
  const line = [];
  const goOn = () => {
    if (!line.length || line[0].isSent || isBusy(document.getElementById("command"))) return;
    line[0].isSent = true;
    send(line[0]);
  };
  const isBusy = (form) => form?.classList.contains("htmx-request");
  const settle = (press, isDone) => {
    press.over = true; // what of it waits to be sent again is not
    if (unsure.get(press.sign) === press) unsure.delete(press.sign);
    if (line[0]?.press === press) line.shift();
    // What was pressed before it was done, and waited for it, knows of it and of nothing else.
    if (isDone) line.filter((each) => each.press.version === press.version).forEach((each) => { each.press.version += 1; });
    goOn();
  };
  const wait = (errand) => {
    line.push(errand);
    goOn();
  };
  document.addEventListener("htmx:confirm", (event) => {
    const { elt, path, verb, triggeringEvent } = event.detail;
    if (!isCommand({ path, verb }) || !isBusy(elt)) return;
    event.preventDefault();
    const said = new FormData(elt, triggeringEvent.submitter);
    const [sign, drawn] = [signature(path, said), drawnAt(triggeringEvent)];
    if (line.some(({ press }) => press.sign === sign && press.drawn === drawn)) return;
    const press = pressOf(sign, drawn);
    if (unsure.get(sign) !== press) wait({ press, path, said, home: elt });
  });
  document.addEventListener("vesper:press", ({ detail: { path, values } }) => {
    const said = new FormData();
    for (const [name, value] of Object.entries(values)) said.append(name, value);
    wait({ press: newPress(signature(path, said)), path, said, home: place });
  });
})();
