// Search over all messages; its results replace the list of chats.
import { closeDrawer, reveal } from "../conversation/drawers.js";

const form = document.querySelector("[data-find]");
const field = form.querySelector("input");
const results = document.querySelector("[data-found-messages]");
const status = document.querySelector("[data-found-said]");
const sessions = document.querySelector("[data-sessions]");
const STOPS = "[data-found-message], .found__more button, .found__elsewhere a";

function isLooking() {
  return field.value.trim() !== "";
}

function change() {
  const isOn = isLooking();
  results.hidden = !isOn;
  sessions.hidden = isOn;
  if (isOn) {
    // Not while an input method is in the middle of a word.
    field.dispatchEvent(new Event("look", { bubbles: true }));
    return;
  }
  results.replaceChildren();
  status.textContent = "";
}

function end() {
  field.value = "";
  change();
}

// Not the keys of an input method, of which Safari gives the last one after its word.
function onKey(event) {
  if (event.isComposing || event.keyCode === 229) return;
  move(event);
  leave(event);
}

function move(event) {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const stops = [field, ...results.querySelectorAll(STOPS)];
  stops[stops.indexOf(document.activeElement) + by]?.focus();
}

function leave(event) {
  if (event.key !== "Escape") return;
  if (isLooking()) {
    event.preventDefault();
    end();
    field.focus();
  } else if (document.activeElement === field) document.querySelector("#say").focus();
}

function open(event) {
  if (event.key !== "/" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  event.preventDefault();
  reveal("sessions");
  field.focus();
  field.select();
}

export function setUpFind({ visit }) {
  field.addEventListener("input", (event) => event.isComposing || change());
  field.addEventListener("compositionend", change);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("[data-found-message]")?.click();
  });
  for (const part of [form, results]) part.addEventListener("keydown", onKey);
  document.addEventListener("keydown", open);
  // Something may be typed before this script is loaded; htmx hears of it once it has read the page.
  document.addEventListener("htmx:load", () => isLooking() && change(), { once: true });
  // An answer that comes too late has nothing to say.
  results.addEventListener("htmx:beforeSwap", (event) => {
    event.detail.shouldSwap &&= isLooking();
  });
  results.addEventListener("htmx:afterSwap", () => {
    status.textContent = results.querySelector("[data-said]")?.dataset.said ?? "";
  });
  results.addEventListener("click", (event) => {
    const link = event.target.closest("[data-found-message]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    results.querySelector("[aria-current]")?.removeAttribute("aria-current");
    link.setAttribute("aria-current", "true");
    closeDrawer();
    visit(link.hash.slice(1));
  });
  if (/Mac|iPhone|iPad/.test(navigator.platform)) form.querySelector("kbd").textContent = "⌘ /";
}
