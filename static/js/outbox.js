// Sends commands in a fight exactly once, with retries under an idempotency key, and in the order of the presses.
// The page needs #socket and #version, as for frames.js.
(() => {
  "use strict";

  const place = document.getElementById("socket");
  if (!place) return;

  const FOR_A_PRESS = 8000; // timeout of a command before it is retried
  const INSISTENCE = 120000; // how long an unanswered command is retried

  const have = () => Number(document.getElementById("version").dataset.version);

  // ── Commands: each press has its own idempotency key, and retries use the same one. ──
  const unsure = new Map(); // signature -> press without a response
  const errands = new WeakMap(); // element that sends an earlier press -> that errand
  const isCommand = (config) => config.verb === "post" && /\/do\/[\w-]+$/.test(config.path);
  const freshKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const MEANS_NOTHING = ["key", "version", "csrfmiddlewaretoken"];
  const signature = (path, data) => JSON.stringify([path, [...data.entries()].filter(([name]) => !MEANS_NOTHING.includes(name))]);
  const newPress = (sign, drawn) => ({ sign, drawn, key: freshKey(), version: have(), tries: 0, since: Date.now() });
  // A button redrawn since is a new press: the reader has seen whether the first one had a result.
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
    config.insists = Date.now() - press.since < INSISTENCE; // for the error message
    config.parameters.key = press.key;
    // The version that the page showed at the press. A form with older content sends its own.
    config.parameters.version = String(press.version);
    config.headers["Vesper-Page"] = place.dataset.page;
  });

  document.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig, xhr } = event.detail;
    const press = requestConfig?.press;
    if (!press) return;
    requestConfig.press = null; // htmx sends the event twice if the element is gone
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

  // Sent from inside its form, if that still exists, so that the form handles the response. Through an element of its
  // own, because for the form htmx would use the last pressed button's address. With the values from then, not the
  // fields' current ones.
  const send = (errand) => {
    const { path, home } = errand;
    const source = document.createElement("span");
    source.hidden = true;
    (home.isConnected ? home : place).append(source);
    errands.set(source, errand);
    htmx.ajax("POST", path, home.isConnected && home !== place ? { source } : { source, target: source, swap: "none" }).catch(() => {});
  };

  // ── Presses during a request are queued: htmx would keep only the last. ──
  // From a button that a frame brought before the response, or without a button (`vesper:press`: {path, values}).
  const line = [];
  const goOn = () => {
    if (!line.length || line[0].isSent || isBusy(document.getElementById("command"))) return;
    line[0].isSent = true;
    send(line[0]);
  };
  const isBusy = (form) => form?.classList.contains("htmx-request");
  const settle = (press, isDone) => {
    press.over = true; // cancels pending retries
    if (unsure.get(press.sign) === press) unsure.delete(press.sign);
    if (line[0]?.press === press) line.shift();
    // Presses queued behind it were made knowing about it and nothing else: advance their version.
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
