// Picking an opening line puts it into the text. Text written by the user is never replaced.
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
