// The messages on the page: stored, unsent, and being written.
import { dayOf, labelTimes, timeElement } from "../times.js";
import { showMarkdown } from "./markdown.js";

const list = document.querySelector("[data-lines]");
// The text of lines as it was said, where the page shows it as markdown.
const sources = new WeakMap();
// What stood where another reply is being made, until that is there.
const before = new WeakMap();

function clone(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

function textOf(line) {
  return line.querySelector("[data-text]");
}

function show(line, text) {
  sources.set(line, text);
  showMarkdown(textOf(line), text);
}

// A line as it was said.
export function sourceOf(line) {
  return sources.get(line) ?? textOf(line).textContent;
}

export function find(messageId) {
  return document.getElementById(`line-${messageId}`);
}

function pendingLine(clientId) {
  return list.querySelector(`[data-client-id="${CSS.escape(clientId)}"]`);
}

function replyTo(turn) {
  return list.querySelector(`[data-streaming="${CSS.escape(turn)}"]`);
}

export function replyOf(turn) {
  return list.querySelector(`.line[data-role="persona"][data-turn="${CSS.escape(turn)}"]`);
}

export function lastSent() {
  return [...list.querySelectorAll("[data-line]")].findLast((line) => line.dataset.line);
}

function hasLines(session) {
  return list.querySelector(`[data-session="${session}"]`) !== null;
}

// The rule of a chat in which nothing was said yet: it stands below all that was.
function emptyChat() {
  const rule = [...list.querySelectorAll("[data-rule]")].at(-1);
  return rule && !hasLines(rule.dataset.rule) ? rule : null;
}

// Lines on their way, the reply being written and a chat that is empty stay below what is stored elsewhere.
function place(line, session) {
  const empty = emptyChat();
  const isOwn = empty?.dataset.rule === String(session);
  const after = [...list.children].find((child) => child.matches(".is-pending, [data-streaming]") || (child === empty && !isOwn));
  list.insertBefore(line, after ?? null);
}

function markDayAndSession(message, isOffRecord) {
  const days = list.querySelectorAll("[data-day]");
  const day = dayOf(new Date(message.created_at));
  if (days.length === 0 || days[days.length - 1].dataset.day !== day) {
    const chip = clone("day");
    chip.dataset.day = day;
    place(chip);
    labelTimes(list);
  }
  const empty = emptyChat();
  if (empty?.dataset.rule === String(message.session)) empty.remove();
  if (lastSent()?.dataset.session === String(message.session)) return;
  if (!document.getElementById(`session-${message.session}`)) place(ruleOf(message.session, message.created_at, isOffRecord));
}

function ruleOf(session, at, isOffRecord) {
  const rule = clone(isOffRecord ? "rule-off-record" : "rule");
  rule.id = `session-${session}`;
  rule.dataset.rule = session;
  rule.firstElementChild.append(" · ", timeElement(at, "clock"));
  return rule;
}

// A chat that began stands at the end, in the place of one that stayed empty.
export function showChat(session, at, isOffRecord) {
  if (hasLines(session)) return;
  emptyChat()?.remove();
  list.insertBefore(ruleOf(session, at, isOffRecord), list.querySelector(".is-pending"));
}

export function titleRule(session, title) {
  const slot = document.querySelector(`#session-${session} [data-title]`);
  if (!slot || !title) return;
  slot.className = "rule__title";
  slot.textContent = title;
}

function fill(line, message) {
  line.id = `line-${message.id}`;
  line.dataset.line = message.id;
  line.dataset.session = message.session;
  line.dataset.turn = message.turn ?? "";
  line.querySelector("time")?.remove();
  line.querySelector(".line__foot").prepend(timeElement(message.created_at, "clock"));
}

export function addPending({ client_id: clientId, content }, state) {
  const line = clone("line-user");
  line.classList.add("is-pending");
  line.dataset.clientId = clientId;
  textOf(line).textContent = content;
  line.querySelector("[data-state]").textContent = state;
  list.append(line);
  return line;
}

export function sayOfPending(state) {
  for (const line of list.querySelectorAll(".is-pending [data-state]")) line.textContent = state;
}

export function dropPending(clientId) {
  pendingLine(clientId)?.remove();
}

export function addUserLine(message, clientId, isOffRecord) {
  if (find(message.id)) return;
  const line = (clientId && pendingLine(clientId)) || clone("line-user");
  line.remove();
  line.classList.remove("is-pending");
  delete line.dataset.clientId;
  textOf(line).textContent = message.content;
  line.querySelector("[data-state]").textContent = "";
  markDayAndSession(message, isOffRecord);
  fill(line, message);
  place(line, message.session);
}

// The reply being written, made when its first sign comes: in the place of the one that stands, where there is one.
export function reply(turn) {
  const line = replyTo(turn);
  if (line) return line;
  const standing = replyOf(turn);
  if (standing) keep(standing);
  const fresh = standing ?? clone("line-persona");
  fresh.dataset.streaming = turn;
  fresh.setAttribute("aria-busy", "true");
  textOf(fresh).replaceChildren(clone("typing"));
  textOf(fresh).classList.remove("is-markdown");
  if (!standing) list.insertBefore(fresh, emptyChat() ?? list.querySelector(".is-pending"));
  return fresh;
}

// What is below stays where it is while a longer reply gives way to the first words of another.
function keep(line) {
  const mark = line.querySelector("[data-cut-off]");
  before.set(line, { text: sourceOf(line), cutOff: !mark.hidden });
  textOf(line).style.minHeight = `${textOf(line).offsetHeight}px`;
  mark.hidden = true;
}

function settle(line) {
  delete line.dataset.streaming;
  line.removeAttribute("aria-busy");
  textOf(line).style.minHeight = "";
  before.delete(line);
}

export function showReply(turn, text) {
  const line = reply(turn);
  if (text) show(line, text);
}

// No word came: what stood there before stands again.
export function dropReply(turn) {
  const line = replyTo(turn);
  if (!line) return;
  const old = before.get(line);
  if (!old) {
    line.remove();
    return;
  }
  show(line, old.text);
  line.querySelector("[data-cut-off]").hidden = !old.cutOff;
  settle(line);
}

// The reply that stands: it has come to its end, or was chosen.
export function setReply(turn, { id, content, at, cutOff }) {
  const asked = list.querySelector(`[data-role="user"][data-turn="${CSS.escape(turn)}"]`) ?? lastSent();
  const message = { id, content, turn, created_at: at, session: asked?.dataset.session };
  const line = find(id) ?? replyTo(turn) ?? replyOf(turn) ?? clone("line-persona");
  const stood = Boolean(line.dataset.line);
  settle(line);
  show(line, content);
  line.querySelector("[data-cut-off]").hidden = !cutOff;
  if (line.id === `line-${id}`) return line;
  // Stays where it is, with the focus that may be in it, unless something was said below it meanwhile.
  if (!stood || line !== lastSent()) {
    line.remove();
    markDayAndSession(message);
    place(line, message.session);
  }
  fill(line, message);
  return line;
}

// The error of a turn, below its last message.
export function addNote(turn, text, { retryable, stopped }) {
  dropNote(turn);
  const note = clone("note");
  note.dataset.noteOf = turn;
  note.querySelector("[data-note]").textContent = text;
  const button = note.querySelector("[data-retry]");
  if (!retryable) button.remove();
  // Who stopped it need not be warned of it.
  if (stopped) note.querySelector(".sign").remove();
  // The note says more than the mark of a reply that was cut off.
  list.querySelectorAll(`[data-turn="${CSS.escape(turn)}"] [data-cut-off]`).forEach((mark) => (mark.hidden = true));
  const ofTurn = [...list.querySelectorAll(`[data-turn="${CSS.escape(turn)}"]`)];
  const item = document.createElement("li");
  item.className = "line line--persona";
  item.dataset.noteOf = turn;
  item.append(note);
  if (ofTurn.length) ofTurn.at(-1).after(item);
  else list.append(item);
}

// Only the newest turn can be tried again.
export function settleNotes(turn) {
  for (const note of list.querySelectorAll("li[data-note-of]")) {
    if (note.dataset.noteOf !== turn) note.querySelector("[data-retry]")?.remove();
  }
}

export function dropNote(turn) {
  list.querySelectorAll(`li[data-note-of="${CSS.escape(turn)}"]`).forEach((item) => item.remove());
}

// Whether a message is on the page, or above the loaded part of its session.
export function isKnown(messageId) {
  const first = list.querySelector("[data-line]:not([data-line=''])");
  return Boolean(find(messageId)) || (first !== null && Number(first.dataset.line) > messageId);
}

// All of a session that was forgotten or erased.
export function dropSession(session) {
  list.querySelectorAll(`[data-session="${session}"], [data-rule="${session}"]`).forEach((item) => item.remove());
}

export function removeLine(messageId) {
  find(messageId)?.remove();
}

function isInGap(messageId) {
  return [...list.querySelectorAll("[data-gap]")].some(
    ({ dataset }) => Number(dataset.after) < messageId && (!dataset.before || messageId < Number(dataset.before)),
  );
}

// A line that came back, where it was said; one among those that are not on the page comes with them.
export function putBack(html, messageId) {
  if (find(messageId) || isInGap(messageId)) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const line = fresh.content.firstElementChild;
  const above = [...list.querySelectorAll("[data-line]:not([data-line=''])")].findLast((one) => Number(one.dataset.line) < messageId);
  const day = dayOf(new Date(line.querySelector("time").dateTime));
  let below = above?.nextElementSibling ?? list.firstElementChild;
  while (below && (below.dataset.day === day || below.dataset.rule === line.dataset.session)) below = below.nextElementSibling;
  list.insertBefore(line, below);
  renderMarkdown();
  labelTimes(line);
}

export function renderMarkdown(root = list) {
  for (const line of root.querySelectorAll('[data-role="persona"] [data-text]:not(.is-markdown)')) {
    if (line.textContent.trim()) show(line.closest(".line"), line.textContent);
  }
}

export function pointOut(line) {
  line.classList.add("is-target");
  line.addEventListener("animationend", () => line.classList.remove("is-target"), { once: true });
}
