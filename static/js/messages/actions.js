// Actions on a message: a button on each, and one menu for all of them.
import { copy } from "./clipboard.js";
import * as messages from "./messages.js";
import { lastSent } from "./places.js";
import { isLeftOut, isShown } from "./told.js";

const list = document.querySelector("[data-messages]");
const view = document.querySelector("[data-conversation]");
const menu = document.getElementById("message-menu");
const GAP = 4;
const EDGE = 8;

let button = null;
let reachable = null;

function buttons() {
  return [...list.querySelectorAll(".message[data-message]:not([data-message='']) > .message__more")];
}

// All messages are one stop for the tab key: the newest, or where the arrow keys have led.
function reach(one) {
  if (reachable) reachable.tabIndex = -1;
  reachable = one;
  if (reachable) reachable.tabIndex = 0;
}

function reachNewest() {
  const newest = lastSent()?.querySelector(".message__more") ?? null;
  if (reachable !== newest && (!reachable?.isConnected || reachable !== document.activeElement)) reach(newest);
}

function move(event) {
  const from = event.target.closest(".message__more");
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!from || !by) return;
  event.preventDefault();
  const all = buttons();
  const next = all[all.indexOf(from) + by];
  if (!next) return;
  reach(next);
  next.focus({ preventScroll: true });
  next.closest(".message").scrollIntoView({ block: "nearest" });
}

function showItem(name, isShown) {
  menu.querySelector(`[data-act="${name}"]`).hidden = !isShown;
}

function showToldItems(item, isOffRecord) {
  showItem("leaveOut", !isLeftOut(item) && !isOffRecord(item));
  showItem("takeIn", isLeftOut(item));
  showItem("showTold", !isShown());
  showItem("hideTold", isShown());
}

function open(pressed, { isOffRecord, told }) {
  button = pressed;
  reach(button);
  // The browser then opens and closes it, and gives the focus back.
  button.popoverTargetElement = menu;
  const item = button.closest(".message");
  const isKept = messages.isKept(item);
  showItem("why", item.dataset.role === "persona" && item.dataset.turn);
  showItem("edit", item.dataset.role === "user");
  showItem("keep", !isKept && !isOffRecord(item));
  showItem("note", isKept);
  for (const word of menu.querySelectorAll("[data-noted]")) word.hidden = Boolean(word.dataset.noted) !== Boolean(messages.noteOf(item));
  showItem("letGo", isKept);
  // A scene ends between turns.
  showItem("endScene", item.dataset.role === "persona" && !isOffRecord(item));
  showToldItems(item, isOffRecord);
  told.describe(item, { onChange: () => isOpen() && showToldItems(item, isOffRecord) });
}

// Below its button, or above it in the lower half, and always whole in the window; its width is the style sheet's.
function put() {
  const at = button.getBoundingClientRect();
  const width = Number.parseFloat(getComputedStyle(menu).getPropertyValue("--width"));
  const left = button.closest(".message").dataset.role === "user" ? at.right - width : at.left;
  const top = at.top > innerHeight / 2 ? at.top - GAP - menu.offsetHeight : at.bottom + GAP;
  menu.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, Math.min(top, innerHeight - menu.offsetHeight - EDGE))}px`;
}

// Where nothing hovers, a tap brings the button of a message, and a second one hides it again.
function showButton(item) {
  const before = list.querySelector(".message.is-tapped");
  before?.classList.remove("is-tapped");
  if (item !== before) item?.classList.add("is-tapped");
}

function isOpen() {
  return menu.matches(":popover-open");
}

// A mark in the place of the button's dots, for a moment.
function showDone(pressed) {
  pressed.classList.add("is-done");
  setTimeout(() => pressed.classList.remove("is-done"), 1600);
}

export function setUpActions({ strings, announce, toast, why, edit, forget, keeping, told, endScene, isOffRecord }) {
  const acts = {
    async copy(pressed) {
      const isCopied = await copy(messages.sourceOf(pressed.closest(".message")));
      pressed.focus();
      if (!isCopied) return toast(strings.not_copied);
      showDone(pressed);
      return announce(strings.copied);
    },
    edit: (pressed) => edit(pressed.closest(".message")),
    why: (pressed) => why(pressed.closest(".message")),
    forget: (pressed) => forget(pressed.closest(".message")),
    keep: (pressed) => keeping.keep(pressed.closest(".message")),
    note: (pressed) => keeping.writeNote(pressed.closest(".message")),
    letGo: (pressed) => keeping.letGo(pressed.closest(".message")),
    endScene: (pressed) => endScene(pressed.closest(".message")),
    leaveOut: (pressed) => told.leaveOut(pressed.closest(".message")),
    takeIn: (pressed) => told.takeIn(pressed.closest(".message")),
    showTold: () => told.showAll(),
    hideTold: () => told.showAll(false),
  };
  async function copyCode(pressed) {
    const isCopied = await copy(pressed.parentElement.querySelector("pre").textContent);
    if (!isCopied) return toast(strings.not_copied);
    showDone(pressed);
    return announce(strings.copied);
  }

  list.addEventListener("click", (event) => {
    const pressed = event.target.closest(".message__more");
    const code = event.target.closest("[data-copy-code]");
    if (pressed) open(pressed, { isOffRecord, told });
    else if (code) copyCode(code);
    else if (!event.target.closest("a, button, summary")) showButton(event.target.closest(".message"));
  });
  list.addEventListener("keydown", move);
  menu.addEventListener("toggle", (event) => {
    button.setAttribute("aria-expanded", String(event.newState === "open"));
    if (event.newState === "closed") button.popoverTargetElement = null;
  });
  menu.addEventListener("click", (event) => {
    const item = event.target.closest("[data-act]");
    if (!item) return;
    const pressed = button;
    menu.hidePopover();
    if (pressed.isConnected) acts[item.dataset.act](pressed);
  });
  view.addEventListener("scroll", () => isOpen() && put(), { passive: true });
  addEventListener("resize", () => isOpen() && put());
  // It has its height when it is open, and grows when what is told of the message arrives.
  new ResizeObserver(() => isOpen() && put()).observe(menu);
  new MutationObserver(reachNewest).observe(list, { childList: true });
  reachNewest();
}
