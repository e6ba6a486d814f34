// Polyfills: menus next to their button (anchor positioning), buttons that close a dialog (command), and closing a dialog
// by a press outside (closedby). To be removed once all browsers support them.
(() => {
  "use strict";

  if (!CSS.supports("position-area", "bottom span-left")) {
    // In an adopted style sheet, because the content security policy forbids inline styles.
    const placing = new CSSStyleSheet();
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, placing];
    const place = (menu) => {
      const opener = document.querySelector(`[popovertarget="${CSS.escape(menu.id)}"]`);
      if (!opener) return;
      const at = opener.getBoundingClientRect();
      const size = menu.getBoundingClientRect();
      const left = Math.max(8, Math.min(at.right - size.width, innerWidth - size.width - 8));
      const top = Math.max(8, Math.min(at.bottom, innerHeight - size.height - 16));
      placing.replaceSync(`#${CSS.escape(menu.id)} { left: ${left}px; top: ${top}px; }`);
    };
    document.addEventListener("toggle", ({ target, newState }) => {
      if (newState === "open" && target.matches("[popover].menu-panel")) place(target);
    }, true);
  }

  if (!("commandForElement" in HTMLButtonElement.prototype)) {
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button[commandfor][command=close]");
      if (button) document.getElementById(button.getAttribute("commandfor"))?.close();
    });
  }

  if (!("closedBy" in HTMLDialogElement.prototype)) {
    // Selecting text that ends outside the dialog must not close it.
    const isBeside = ({ target, clientX, clientY }) => {
      if (!(target instanceof HTMLDialogElement && target.getAttribute("closedby") === "any")) return false;
      const { left, right, top, bottom } = target.getBoundingClientRect();
      return clientX < left || clientX > right || clientY < top || clientY > bottom;
    };
    let beganBeside = false;
    document.addEventListener("pointerdown", (event) => { beganBeside = isBeside(event); });
    document.addEventListener("click", (event) => { if (beganBeside && isBeside(event)) event.target.close(); });
  }
})();
