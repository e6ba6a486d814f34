// An opening that is picked stands in the text it begins, to be gone on from. Words of one's own are never replaced.
(() => {
  "use strict";

  document.addEventListener("change", (event) => {
    const picked = event.target.closest("input[type=radio]");
    const text = picked?.form?.querySelector(`textarea[data-begun-by="${picked.name}"]`);
    if (!text) return;
    const offered = [...picked.form.querySelectorAll(`input[name="${picked.name}"]`)].map((each) => each.value);
    const typed = text.value.trim();
    if (typed && !offered.includes(typed)) return;
    text.value = picked.value;
    text.dispatchEvent(new Event("input", { bubbles: true }));
  });
})();
