// The lines on the page: sent, on their way, and being written.
import { dayOf, labelTimes, timeElement } from "../times.js";
import { showMarkdown } from "./markdown.js";

const list = document.querySelector("[data-lines]");

function clone(id) {
  return document.getElementById(id).content.firstElementChild.cloneNode(true);
}

function textOf(line) {
  return line.querySelector("[data-text]");
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

function lastSent() {
  return [...list.querySelectorAll("[data-line]")].findLast((line) => line.dataset.line);
}

// Lines on their way and the reply being written stay below what is stored.
function place(line) {
  const after = [...list.children].find((child) => child.matches(".is-pending, [data-streaming]"));
  list.insertBefore(line, after ?? null);
}

function markDayAndSession(message) {
  const days = list.querySelectorAll("[data-day]");
  const day = dayOf(new Date(message.created_at));
  if (days.length === 0 || days[days.length - 1].dataset.day !== day) {
    const chip = clone("day");
    chip.dataset.day = day;
    place(chip);
    labelTimes(list);
  }
  if (lastSent()?.dataset.session !== String(message.session)) addRule(message.session, message.created_at);
}

export function addRule(session, at) {
  if (document.getElementById(`session-${session}`)) return;
  const rule = clone("rule");
  rule.id = `session-${session}`;
  rule.dataset.rule = session;
  rule.firstElementChild.append(" · ", timeElement(at, "clock"));
  const unused = list.querySelector("[data-rule]:last-child");
  unused?.remove();
  place(rule);
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

export function addUserLine(message, clientId) {
  if (find(message.id)) return;
  const line = (clientId && pendingLine(clientId)) || clone("line-user");
  line.remove();
  line.classList.remove("is-pending");
  delete line.dataset.clientId;
  textOf(line).textContent = message.content;
  line.querySelector("[data-state]").textContent = "";
  markDayAndSession(message);
  fill(line, message);
  place(line);
}

// The reply being written, made when its first sign comes.
export function reply(turn) {
  let line = replyTo(turn);
  if (!line) {
    line = clone("line-persona");
    line.dataset.streaming = turn;
    line.setAttribute("aria-busy", "true");
    const firstPending = list.querySelector(".is-pending");
    list.insertBefore(line, firstPending);
  }
  if (!textOf(line).hasChildNodes()) textOf(line).append(clone("typing"));
  return line;
}

export function showReply(turn, text) {
  const line = reply(turn);
  if (text) showMarkdown(textOf(line), text);
}

export function dropReply(turn) {
  replyTo(turn)?.remove();
}

export function finishReply(turn, { id, content, at, cutOff }) {
  dropNote(turn);
  const asked = list.querySelector(`[data-role="user"][data-turn="${CSS.escape(turn)}"]`) ?? lastSent();
  const message = { id, content, turn, created_at: at, session: asked?.dataset.session };
  const line = find(message.id) ?? replyTo(turn) ?? clone("line-persona");
  const wasStreaming = line.dataset.streaming !== undefined;
  delete line.dataset.streaming;
  line.removeAttribute("aria-busy");
  showMarkdown(textOf(line), message.content);
  line.querySelector("[data-cut-off]").hidden = !cutOff;
  if (!line.isConnected || wasStreaming) {
    line.remove();
    markDayAndSession(message);
    fill(line, message);
    place(line);
  }
  // Of several variants only the newest stands.
  for (const other of list.querySelectorAll(`[data-role="persona"][data-turn="${CSS.escape(turn)}"]`)) {
    if (other !== line) other.remove();
  }
  return line;
}

// What went wrong with a turn, said below its last line.
export function addNote(turn, text, { retryable }) {
  dropNote(turn);
  const note = clone("note");
  note.dataset.noteOf = turn;
  note.querySelector("[data-note]").textContent = text;
  const button = note.querySelector("[data-retry]");
  if (!retryable) button.remove();
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

// Whether a line is on the page, or above what of the talk is on it.
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

export function renderMarkdown(root = list) {
  for (const line of root.querySelectorAll('[data-role="persona"] [data-text]:not(.is-markdown)')) {
    if (line.textContent.trim()) showMarkdown(line, line.textContent);
  }
}

export function pointOut(line) {
  line.classList.add("is-target");
  line.addEventListener("animationend", () => line.classList.remove("is-target"), { once: true });
}
