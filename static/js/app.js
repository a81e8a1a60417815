// What every page does: menus, the theme, the time zone, forms that keep what was typed.
import { labelTimes } from "./times.js";
import "./toasts.js";

const THEME = "echovessel.theme";
const PERSON = "echovessel.person";
const TYPED = /^echovessel\.(?:draft|form|outbox)\b/;

function closeMenusOutside(event) {
  for (const menu of document.querySelectorAll("details[data-menu][open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
}

function closeMenuByKey(event) {
  if (event.key !== "Escape") return;
  const menu = document.querySelector("details[data-menu][open]");
  if (!menu) return;
  menu.open = false;
  menu.querySelector("summary").focus();
  event.stopPropagation();
}

function chooseTheme(value) {
  if (value === "auto") {
    localStorage.removeItem(THEME);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(THEME, value);
    document.documentElement.dataset.theme = value;
  }
}

function setUpThemeChoice(choice) {
  const buttons = [...choice.querySelectorAll("button")];
  const show = () => {
    const current = document.documentElement.dataset.theme ?? "auto";
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === current));
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      chooseTheme(button.value);
      show();
    });
  }
  choice.hidden = false;
  show();
}

// Stored once, at the first page of an account; changed later in the settings.
async function storeTimeZone() {
  if (document.body.dataset.timeZone !== "") return;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!timeZone) return;
  const answer = await fetch("/api/me/", {
    method: "PATCH",
    headers: { "Content-Type": "application/json", "X-CSRFToken": document.body.dataset.csrf },
    body: JSON.stringify({ time_zone: timeZone }),
  }).catch(() => null);
  if (answer?.ok) document.body.dataset.timeZone = timeZone;
}

// What somebody typed and did not send is theirs alone: it goes when they sign out, and when another person signs in.
function dropTyped() {
  for (const store of [localStorage, sessionStorage]) {
    for (const key of Object.keys(store)) if (TYPED.test(key)) store.removeItem(key);
  }
}

function dropTypedByOthers() {
  const { person } = document.body.dataset;
  const last = localStorage.getItem(PERSON);
  if (!person || person === last) return;
  if (last) dropTyped();
  localStorage.setItem(PERSON, person);
}

function keepForm(form) {
  const key = `echovessel.form.${form.dataset.keep}`;
  const fields = [...form.elements].filter((field) => field.name && !["hidden", "file", "submit"].includes(field.type));
  // What the server filled in is as good as typed, and newer. So is what was typed before this script came.
  const isTyped = (field) => "defaultValue" in field && field.value !== field.defaultValue;
  const isNewer = "store" in form.dataset || fields.some(isTyped);
  const kept = "store" in form.dataset ? {} : JSON.parse(sessionStorage.getItem(key) ?? "{}");
  for (const field of fields) {
    if (!kept[field.name] || isTyped(field) || form.querySelector("[aria-invalid]")) continue;
    field.value = kept[field.name];
    if (isTyped(field)) field.closest("details")?.setAttribute("open", "");
  }
  const store = () => {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(fields.map((field) => [field.name, field.value]))));
  };
  form.addEventListener("input", store);
  if (isNewer) store();
  // Only a page that is reached afterwards shows that the form was accepted.
  form.addEventListener("submit", () => sessionStorage.setItem("echovessel.form-sent", key));
}

function dropSentForm() {
  const sent = sessionStorage.getItem("echovessel.form-sent");
  if (!sent) return;
  sessionStorage.removeItem("echovessel.form-sent");
  if (document.querySelector("[data-chat]")) sessionStorage.removeItem(sent);
}

// For browsers without `scroll-initial-target`: in the middle, so that the tabs on both sides are seen.
function showTab(tab) {
  if (CSS.supports("scroll-initial-target", "nearest")) return;
  const [at, all] = [tab, tab.parentElement].map((one) => one.getBoundingClientRect());
  tab.parentElement.scrollLeft += (at.left + at.right - all.left - all.right) / 2;
}

function countCharacters(counter) {
  const field = document.getElementById(counter.dataset.countFor);
  const most = field.maxLength;
  const show = () => {
    counter.textContent = field.value.length > most / 2 ? `${field.value.length} / ${most}` : "";
  };
  field.addEventListener("input", show);
  show();
}

function isTyping({ target }) {
  return target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select");
}

// Loaded when it is first asked for: most pages are read without.
async function loadPalette() {
  if (!document.getElementById("palette")) {
    const answer = await fetch(document.body.dataset.palette).catch(() => null);
    if (!answer?.ok || answer.redirected) return null;
    document.body.insertAdjacentHTML("beforeend", await answer.text());
  }
  return import("./palette.js");
}

async function openByKey(event) {
  if (!document.body.dataset.palette || event.altKey || event.defaultPrevented) return;
  const isPalette = (event.ctrlKey || event.metaKey) && event.shiftKey && event.key.toLowerCase() === "k";
  const isShortcuts = event.key === "?" && !event.ctrlKey && !event.metaKey && !isTyping(event);
  if (!isPalette && !isShortcuts) return;
  event.preventDefault();
  const palette = await loadPalette();
  if (isPalette) palette?.openPalette();
  else palette?.openShortcuts();
}

async function openByButton(event) {
  const button = event.target.closest("[data-open-palette], [data-open-shortcuts]");
  if (!button) return;
  button.closest("details")?.removeAttribute("open");
  const palette = await loadPalette();
  if ("openPalette" in button.dataset) palette?.openPalette();
  else palette?.openShortcuts();
}

// What was opened before htmx came asks for what it shows.
function openAgain() {
  for (const one of document.querySelectorAll("details[open]:is([hx-get], [data-preview])")) one.dispatchEvent(new Event("toggle"));
}

document.addEventListener("htmx:load", openAgain, { once: true });
document.addEventListener("htmx:load", (event) => labelTimes(event.target));
document.addEventListener("keydown", openByKey);
document.addEventListener("click", openByButton);
// Safari on a phone gives no click where nothing can be pressed.
for (const name of ["click", "pointerdown"]) document.addEventListener(name, closeMenusOutside);
document.addEventListener("keydown", closeMenuByKey);
document.querySelectorAll("[data-theme-choice]").forEach(setUpThemeChoice);
document.querySelectorAll("[data-sign-out]").forEach((form) => form.addEventListener("submit", dropTyped));
dropTypedByOthers();
dropSentForm();
document.querySelectorAll("form[data-keep]").forEach(keepForm);
if (document.querySelector("[data-password-rules]")) await import("./password-rules.js");
document.querySelectorAll("[data-count-for]").forEach(countCharacters);
document.querySelectorAll(".tabs > [aria-current]").forEach(showTab);
// A form that was refused may stand far down its page. Its first wrong field has the focus, so that a screen reader says what is wrong;
// where one signs in or up, the first empty one has it.
const entrance = [...document.querySelectorAll(".entrance input:not([type=hidden])")];
const awaited = document.querySelector("main [aria-invalid=true]") ?? entrance.find((field) => !field.value);
if (document.activeElement === document.body) awaited?.focus({ preventScroll: true });
// What is wrong with it is shown before a notice that only leads there.
const [wrong] = [".field__error", ".notice--alert"].map((kind) => document.querySelector(`main ${kind}:not([hidden])`)).filter(Boolean);
wrong?.scrollIntoView({ block: "center" });
// Over HTTPS or on this machine only: elsewhere browsers have no workers.
if (navigator.serviceWorker) {
  navigator.serviceWorker.register(document.querySelector("meta[name=service-worker]").content).catch(() => null);
}
labelTimes();
setInterval(labelTimes, 60_000);
storeTimeZone();
