// The explanation of a reply: a server page beside the conversation.
import { labelTimes } from "../times.js";

const dialog = document.getElementById("why");
const body = dialog.querySelector("[data-why-body]");

export function setUpWhy({ bond, strings, jumpTo }) {
  dialog.querySelector("[data-close]").addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
    const link = event.target.closest("[data-jump]");
    if (!link) return;
    event.preventDefault();
    dialog.close();
    jumpTo(link.hash.slice(1));
  });
  body.addEventListener("htmx:afterSwap", () => {
    labelTimes(body);
    body.focus({ preventScroll: true });
  });
  for (const trouble of ["htmx:responseError", "htmx:sendError"]) {
    body.addEventListener(trouble, () => (body.textContent = strings.not_done));
  }

  return function why(item) {
    body.replaceChildren(document.getElementById("one-moment").content.cloneNode(true));
    dialog.showModal();
    body.scrollTop = 0;
    window.htmx.ajax("GET", `/bonds/${bond}/turns/${item.dataset.turn}/why/`, { target: body, swap: "innerHTML" });
  };
}
