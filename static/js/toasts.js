// Short notices at the edge of the page: `toast(text, { undo, label, alert })`, and those that the server wrote.
const region = document.querySelector("[data-toasts]");
const blank = document.getElementById("toast");
const SECONDS = 7;
const SECONDS_WITH_UNDO = 12;
const MOST = 3;
const timers = new Map();
// What keeps them on the page: a pointer over them, the focus in them.
const holds = new Set();
let cameFrom = null;

// `undo` is called when its button is pressed and may be async; `label` names the button otherwise than "Undo"; an alert stays until it is closed.
export function toast(text, { undo, label, alert = false } = {}) {
  const element = blank.content.firstElementChild.cloneNode(true);
  element.querySelector("[data-toast-text]").textContent = text;
  if (alert) makeAlert(element);
  if (undo) offerUndo(element, undo, label);
  for (const old of [...region.children].slice(0, 1 - MOST)) close(old);
  region.append(element);
  setUp(element);
  return { close: () => close(element) };
}

function makeAlert(element) {
  element.dataset.toast = "alert";
  element.classList.add("toast--alert");
  const use = element.querySelector("use");
  use.setAttribute("href", use.getAttribute("href").replace("#note", "#warning"));
}

function offerUndo(element, undo, label) {
  const button = element.querySelector("[data-toast-undo]");
  if (label) button.textContent = label;
  button.hidden = false;
  button.addEventListener("click", async () => {
    // Not `disabled`, which would drop the focus before `close` gives it back.
    if (button.ariaDisabled === "true") return;
    button.ariaDisabled = "true";
    try {
      await undo();
      close(element);
    } finally {
      button.ariaDisabled = "false";
    }
  });
}

function setUp(element) {
  const button = element.querySelector("[data-toast-close]");
  button.hidden = false;
  button.addEventListener("click", () => close(element));
  startTimer(element);
}

function startTimer(element) {
  stopTimer(element);
  if (holds.size || element.dataset.toast === "alert") return;
  const seconds = element.querySelector("[data-toast-undo]:not([hidden])") ? SECONDS_WITH_UNDO : SECONDS;
  timers.set(element, setTimeout(() => close(element), seconds * 1000));
}

function stopTimer(element) {
  clearTimeout(timers.get(element));
  timers.delete(element);
}

function close(element) {
  stopTimer(element);
  const hadFocus = element.contains(document.activeElement);
  element.remove();
  if (!hadFocus) return;
  (buttonOf(region.lastElementChild) ?? whereItWas()).focus();
  if (!region.contains(document.activeElement)) release("focus");
}

function buttonOf(element) {
  return element?.querySelector("button:not([hidden])");
}

function whereItWas() {
  return cameFrom?.isConnected ? cameFrom : document.getElementById("content");
}

function hold(reason) {
  holds.add(reason);
  for (const element of region.children) stopTimer(element);
}

function release(reason) {
  holds.delete(reason);
  for (const element of region.children) startTimer(element);
}

function reachByKey(event) {
  if (event.key !== "F8" || !region.childElementCount) return;
  event.preventDefault();
  buttonOf(region.lastElementChild).focus();
}

function closeByKey(event) {
  if (event.key !== "Escape") return;
  event.stopPropagation();
  close(event.target.closest("[data-toast]"));
}

for (const element of [...region.children]) {
  setUp(element);
  // A live region tells what comes into it, not what it was loaded with.
  region.append(element);
}
region.addEventListener("pointerenter", () => hold("pointer"));
region.addEventListener("pointerleave", () => release("pointer"));
region.addEventListener("focusin", ({ relatedTarget }) => {
  if (!region.contains(relatedTarget)) cameFrom = relatedTarget;
  hold("focus");
});
region.addEventListener("focusout", (event) => region.contains(event.relatedTarget) || release("focus"));
region.addEventListener("keydown", closeByKey);
document.addEventListener("keydown", reachByKey);
