// Sends a large file in parts, with a progress bar: a form can't hold it, and on a bad connection only a part is sent
// again. Without this script, the form sends the file as it is.
(() => {
  "use strict";

  const PART = 2 * 1024 * 1024;
  const TRIES = 6;
  const PATIENCE = 60_000;
  const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

  const post = async (address, fields) => {
    const body = new FormData();
    Object.entries(fields).forEach(([name, value]) => body.append(name, value));
    const answer = await fetch(address, { method: "POST", body, redirect: "error", signal: AbortSignal.timeout(PATIENCE) });
    const said = (answer.headers.get("content-type") ?? "").startsWith("application/json") ? await answer.json() : null;
    if (said?.problem) throw Object.assign(new Error(said.problem), { told: true });
    if (!answer.ok || !said) throw new Error(answer.status);
    return said;
  };

  document.querySelectorAll("form[data-upload]").forEach((form) => {
    const bar = form.querySelector("progress");
    const button = form.querySelector("button.primary");
    const field = form.querySelector("input[type=file]");

    const tell = (problem) => {
      bar.hidden = true;
      button.disabled = false;
      form.querySelector(".form-errors")?.remove();
      const box = Object.assign(document.createElement("div"), { className: "form-errors", role: "alert" });
      box.append(Object.assign(document.createElement("p"), { textContent: problem }));
      form.prepend(box);
    };

    const send = async (file, csrfmiddlewaretoken) => {
      const { part, page } = await post(form.action || location.href, { csrfmiddlewaretoken, size: file.size });
      let there = 0;
      let failed = 0;
      while (there < file.size) {
        try {
          ({ there } = await post(part, { csrfmiddlewaretoken, start: there, part: file.slice(there, there + PART) }));
          failed = 0;
        } catch (problem) {
          failed += 1;
          if (problem.told || failed > TRIES) throw problem;
          await pause(2 ** failed / 2);
        }
        bar.value = (100 * there) / file.size;
      }
      location.assign(page);
    };

    form.addEventListener("submit", (event) => {
      const [file] = field.files;
      if (!file?.size) return; // the server says what is wrong
      event.preventDefault();
      if (button.disabled) return;
      button.disabled = true;
      bar.value = 0;
      bar.hidden = false;
      send(file, form.elements.csrfmiddlewaretoken.value).catch((problem) => tell(problem.told ? problem.message : form.dataset.lost));
    });
  });
})();
