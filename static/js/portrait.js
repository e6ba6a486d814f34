// Scales a chosen picture down before it is uploaded: phones' photos are larger than the server accepts. The server
// checks and redraws what it gets, so if anything fails here, the file is sent as it is.
(() => {
  "use strict";

  const MOST_SIDE = 1024; // twice a stored portrait's; a field may name another
  const QUALITY = 0.9;

  const scaled = async (file, most) => {
    // Turned as the camera was held.
    const picture = await createImageBitmap(file, { imageOrientation: "from-image" });
    const factor = most / Math.max(picture.width, picture.height);
    if (factor >= 1) return file;
    const canvas = document.createElement("canvas");
    canvas.width = Math.max(1, Math.round(picture.width * factor));
    canvas.height = Math.max(1, Math.round(picture.height * factor));
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    // The others may be transparent.
    const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
    const made = await new Promise((done) => canvas.toBlob(done, type, QUALITY));
    return made && made.size < file.size ? new File([made], file.name, { type: made.type }) : file;
  };

  document.querySelectorAll("form [data-scale]").forEach((field) => {
    let working = null;

    const scale = async (file) => {
      try {
        const small = await scaled(file, Number(field.dataset.scale) || MOST_SIDE);
        if (small === file || field.files[0] !== file) return;
        const files = new DataTransfer();
        files.items.add(small);
        field.files = files.files;
      } catch {
        // Not a picture that this browser can read: the server says what is wrong.
      }
    };

    field.addEventListener("change", () => {
      const [chosen] = field.files;
      const begun = chosen ? scale(chosen).finally(() => { if (working === begun) working = null; }) : null;
      working = begun;
    });
    field.form.addEventListener("submit", (event) => {
      if (!working) return;
      const { submitter } = event;
      event.preventDefault();
      working.then(() => field.form.requestSubmit(submitter));
    });
  });
})();
