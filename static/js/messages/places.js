// Where messages stand on the page: under their day, and under the rule of their chat.
import { dayOf, labelTimes, timeElement } from "../times.js";

export const list = document.querySelector("[data-messages]");
// Deleted since the page was loaded; where one comes back, the page is loaded anew.
const droppedSessions = new Set();

export function clone(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

export function lastSent(role = "") {
  return [...list.querySelectorAll(":scope > [data-message]")].findLast((item) => item.dataset.message && item.dataset.role.startsWith(role));
}

function hasMessages(session) {
  return list.querySelector(`[data-session="${session}"]`) !== null;
}

// The rule of a chat in which nothing was said yet: it stands below all that was.
export function emptyChat() {
  const rule = [...list.querySelectorAll("[data-rule]")].at(-1);
  return rule && !hasMessages(rule.dataset.rule) ? rule : null;
}

// Messages on their way, the reply being written and a chat that is empty stay below what is stored elsewhere.
export function place(item, session) {
  const empty = emptyChat();
  const isOwn = empty?.dataset.rule === String(session);
  const after = [...list.children].find((child) => child.matches(".is-pending, [data-streaming]") || (child === empty && !isOwn));
  list.insertBefore(item, after ?? null);
}

export function markDayAndSession(message, isOffRecord) {
  const chips = list.querySelectorAll("[data-day]");
  const day = dayOf(new Date(message.created_at));
  // Of a long day the chip is not loaded, only messages.
  const before = lastSent()?.querySelector("time")?.dateTime;
  const isShown = chips[chips.length - 1]?.dataset.day === day || (before && dayOf(new Date(before)) === day);
  if (!isShown) {
    const chip = clone("day");
    chip.dataset.day = day;
    place(chip);
    labelTimes(list);
  }
  const empty = emptyChat();
  if (empty?.dataset.rule === String(message.session)) empty.remove();
  if (lastSent()?.dataset.session === String(message.session)) return;
  place(ruleOf(message.session, message.created_at, isOffRecord));
}

function ruleOf(session, at, isOffRecord) {
  const earlier = document.getElementById(`session-${session}`);
  const rule = clone(isOffRecord ? "rule-off-record" : "rule");
  rule.dataset.rule = session;
  // A chat that is continued has its title already, and links lead to where it began.
  if (earlier) rule.querySelector("[data-title]").replaceWith(earlier.querySelector("[data-title]").cloneNode(true));
  else rule.id = `session-${session}`;
  rule.firstElementChild.append(" · ", timeElement(at, "clock"));
  return rule;
}

// A chat that began stands at the end, in the place of one that stayed empty.
export function showChat(session, at, isOffRecord) {
  if (hasMessages(session)) return;
  emptyChat()?.remove();
  list.insertBefore(ruleOf(session, at, isOffRecord), list.querySelector(".is-pending"));
}

// Whoever continues an older chat has left the one that is empty.
export function dropEmptyBut(session) {
  const empty = emptyChat();
  if (empty?.dataset.rule !== String(session)) empty?.remove();
}

export function titleRule(session, title) {
  if (!title) return;
  for (const slot of document.querySelectorAll(`[data-rule="${session}"] [data-title]`)) {
    slot.className = "rule__title";
    slot.textContent = title;
  }
}

// All of a session that was forgotten or erased.
export function dropSession(session) {
  droppedSessions.add(session);
  dropDroppedSessions(list);
  list.removeAttribute("data-awaited");
}

// What is loaded may have been asked for before.
export function dropDroppedSessions(root) {
  for (const session of droppedSessions)
    root.querySelectorAll(`[data-session="${session}"], [data-rule="${session}"]`).forEach((item) => item.remove());
}

// The server waits a moment for more messages before it replies: until then dots say that it heard this one.
export function showAwaited({ type, message }) {
  if (type.startsWith("chat.message.")) list.toggleAttribute("data-awaited", type.endsWith(".user_appended") && Boolean(message.turn));
}
