// Times in the reader's zone and language. The server writes them first; these keep them true while a page stays open.
// The server writes English dates day first.
const language = document.documentElement.lang === "en" ? "en-GB" : document.documentElement.lang;

function zone() {
  return document.body.dataset.timeZone || undefined;
}

// Making one costs far more than using it, and a long conversation has a thousand times.
const formats = new Map();

function formatOf(locale, options) {
  const key = JSON.stringify([locale, options]);
  if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat(locale, options));
  return formats.get(key);
}

function format(at, options) {
  return formatOf(language, { timeZone: zone(), ...options }).format(at);
}

export function clock(at) {
  return format(at, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

export function exact(at) {
  return format(at, { dateStyle: "full", timeStyle: "short", hourCycle: "h23" });
}

// 2026-03-02, as the page's day chips are named.
// Put together from its parts: no locale writes it so in every browser.
export function dayOf(at) {
  const parts = formatOf("en", { timeZone: zone(), year: "numeric", month: "2-digit", day: "2-digit" }).formatToParts(at);
  return ["year", "month", "day"].map((name) => parts.find(({ type }) => type === name).value).join("-");
}

function daysAgo(day) {
  return Math.round((Date.parse(dayOf(new Date())) - Date.parse(day)) / 86_400_000);
}

function relativeDay(days) {
  const word = new Intl.RelativeTimeFormat(language, { numeric: "auto" }).format(-days, "day");
  return word.charAt(0).toLocaleUpperCase(language) + word.slice(1);
}

export function dayName(day) {
  const days = daysAgo(day);
  if (days === 0 || days === 1) return relativeDay(days);
  const [year] = day.split("-");
  const thisYear = year === dayOf(new Date()).slice(0, 4);
  const options = { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" };
  return new Intl.DateTimeFormat(language, thisYear ? options : { ...options, year: "numeric" }).format(new Date(day));
}

function when(at) {
  const day = dayOf(at);
  const days = daysAgo(day);
  if (days === 0) return clock(at);
  if (days === 1) return relativeDay(1);
  const thisYear = day.slice(0, 4) === dayOf(new Date()).slice(0, 4);
  // The server writes Sep.
  return format(at, { day: "numeric", month: "short", ...(thisYear ? {} : { year: "numeric" }) }).replace("Sept", "Sep");
}

export function timeElement(at, show) {
  const element = document.createElement("time");
  element.dateTime = at;
  element.dataset.show = show;
  label(element);
  return element;
}

function label(element) {
  const at = new Date(element.dateTime);
  let text = element.dataset.show === "clock" ? clock(at) : when(at);
  if (element.dataset.show === "within") text = text.charAt(0).toLocaleLowerCase(language) + text.slice(1);
  if (element.textContent !== text) element.textContent = text;
  element.title ||= exact(at);
}

export function labelTimes(root = document) {
  root.querySelectorAll("time[data-show]").forEach(label);
  root.querySelectorAll("[data-day]").forEach((chip) => {
    chip.textContent = dayName(chip.dataset.day);
  });
}
