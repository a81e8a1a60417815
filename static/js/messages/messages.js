// The messages on the page: stored, unsent, and being written.
import { dayOf, labelTimes, timeElement } from "../times.js";
import { clone, dropDroppedSessions, emptyChat, lastSent, list, markDayAndSession, place } from "./places.js";
import { foldLong } from "./folding.js";
import { putUnderMessage, registerLines, settleLines, showText, showTyping } from "./writes.js";

// The text of messages as it was said, where the page shows it as markdown.
const sources = new WeakMap();
// What stood where another reply is being made, until that is there.
const before = new WeakMap();
// Deleted since the page was loaded.
const removed = new Set();

function textOf(item) {
  return item.querySelector("[data-text]");
}

function show(item, text) {
  sources.set(item, text);
  showText(item, textOf(item), text);
}

// A star on a message that is kept, and its note.
export function showKept(item, kept) {
  if (!item) return;
  const sign = item.querySelector("[data-kept]");
  sign.hidden = kept === null;
  sign.querySelector("[data-kept-note]").textContent = kept?.note ?? "";
}

export function isKept(item) {
  return !item.querySelector("[data-kept]").hidden;
}

export function noteOf(item) {
  return item.querySelector("[data-kept-note]").textContent;
}

// A message as it was said.
export function sourceOf(item) {
  return sources.get(item) ?? textOf(item).textContent;
}

export function find(messageId) {
  return document.getElementById(`message-${messageId}`);
}

function findPending(clientId) {
  return list.querySelector(`[data-client-id="${CSS.escape(clientId)}"]`);
}

function replyTo(turn) {
  return list.querySelector(`[data-streaming="${CSS.escape(turn)}"]`);
}

function questionOf(turn) {
  return list.querySelector(`[data-role="user"][data-turn="${CSS.escape(turn)}"]`);
}

export function sessionOf(turn) {
  return questionOf(turn)?.dataset.session;
}

export function replyOf(turn) {
  return list.querySelector(`.message[data-role="persona"][data-turn="${CSS.escape(turn)}"]`);
}

function fill(item, message) {
  showKept(item, message.kept ?? null);
  item.id = `message-${message.id}`;
  item.dataset.message = message.id;
  item.dataset.session = message.session;
  item.dataset.turn = message.turn ?? "";
  item.querySelector("time")?.remove();
  item.querySelector(".message__foot").prepend(timeElement(message.created_at, "clock"));
}

export function addPending({ client_id: clientId, content }, state) {
  const item = clone("message-user");
  item.classList.add("is-pending");
  item.dataset.clientId = clientId;
  textOf(item).textContent = content;
  item.querySelector("[data-state]").textContent = state;
  foldLong(item);
  list.append(item);
  return item;
}

// The greeting that was just answered, until the server says that it is stored.
export function addPendingGreeting(content) {
  const item = clone("message-persona");
  item.classList.add("is-pending");
  item.dataset.greeted = "";
  show(item, content);
  list.append(item);
}

export function dropPendingGreeting() {
  const item = list.querySelector("[data-greeted]");
  item?.remove();
  return Boolean(item);
}

export function addGreeting(message, isOffRecord) {
  if (find(message.id)) return;
  const item = list.querySelector("[data-greeted]") ?? clone("message-persona");
  item.remove();
  item.classList.remove("is-pending");
  delete item.dataset.greeted;
  show(item, message.content);
  markDayAndSession(message, isOffRecord);
  fill(item, message);
  place(item, message.session);
}

export function sayOfPending(state) {
  for (const item of list.querySelectorAll(".is-pending [data-state]")) item.textContent = state;
}

export function dropPending(clientId) {
  findPending(clientId)?.remove();
}

export function addUserMessage(message, clientId, isOffRecord) {
  if (find(message.id)) return;
  const item = (clientId && findPending(clientId)) || clone("message-user");
  item.remove();
  item.classList.remove("is-pending");
  delete item.dataset.clientId;
  textOf(item).textContent = message.content;
  item.querySelector("[data-state]").textContent = "";
  foldLong(item);
  markDayAndSession(message, isOffRecord);
  fill(item, message);
  place(item, message.session);
}

// The reply being written, made when its first sign comes: in the place of the one that stands, where there is one.
export function reply(turn) {
  const item = replyTo(turn);
  if (item) return item;
  const standing = replyOf(turn);
  if (standing) keep(standing);
  const fresh = standing ?? clone("message-persona");
  fresh.dataset.streaming = turn;
  fresh.setAttribute("aria-busy", "true");
  showTyping(fresh, textOf(fresh), clone("typing"));
  if (!standing) list.insertBefore(fresh, emptyChat() ?? list.querySelector(".is-pending"));
  return fresh;
}

// What is below stays where it is while a longer reply gives way to the first words of another.
function keep(item) {
  const mark = item.querySelector("[data-cut-off]");
  before.set(item, { text: sourceOf(item), cutOff: !mark.hidden });
  textOf(item).style.minHeight = `${textOf(item).offsetHeight}px`;
  mark.hidden = true;
}

function settle(item) {
  delete item.dataset.streaming;
  item.removeAttribute("aria-busy");
  textOf(item).style.minHeight = "";
  before.delete(item);
}

export function showReply(turn, text) {
  const item = reply(turn);
  if (text) show(item, text);
}

// No word came: what stood there before stands again.
export function dropReply(turn) {
  const item = replyTo(turn);
  if (!item) return;
  const old = before.get(item);
  if (!old) {
    item.remove();
    putUnderMessage(turn);
    return;
  }
  show(item, old.text);
  item.querySelector("[data-cut-off]").hidden = !old.cutOff;
  settle(item);
}

// The reply that stands: it has come to its end, or was chosen.
export function setReply(turn, { id, content, at, cutOff, kept, unnoted }) {
  const asked = questionOf(turn) ?? lastSent();
  const message = { id, content, turn, created_at: at, session: asked?.dataset.session, kept };
  const item = find(id) ?? replyTo(turn) ?? replyOf(turn) ?? clone("message-persona");
  const stood = Boolean(item.dataset.message);
  settle(item);
  item.dataset.turn = turn;
  item.dataset.message = id;
  settleLines(turn, id);
  show(item, content);
  showUnnoted(item, unnoted);
  item.querySelector("[data-cut-off]").hidden = !cutOff;
  item.toggleAttribute("data-is-cut", Boolean(cutOff));
  if (item.id === `message-${id}`) return item;
  // Stays where it is, with the focus that may be in it, unless something was said below it meanwhile.
  if (!stood || item !== lastSent()) {
    item.remove();
    markDayAndSession(message);
    place(item, message.session);
  }
  fill(item, message);
  return item;
}

// The reply says that something was noted, or was asked to note it, and nothing was.
function showUnnoted(item, unnoted) {
  item.querySelector("[data-unnoted]")?.remove();
  if (!unnoted) return;
  const line = clone("unnoted");
  const link = line.querySelector("a");
  link.href = link.getAttribute("href").replace("#", `?turn=${item.dataset.turn}#`);
  item.querySelector("[data-writes]").append(line);
}

// Whether a message is on the page, or above the loaded part of its session.
export function isKnown(messageId) {
  const first = list.querySelector(":scope > [data-message]:not([data-message=''])");
  return Boolean(find(messageId)) || (first !== null && Number(first.dataset.message) > messageId);
}

export function removeMessage(messageId) {
  removed.add(messageId);
  find(messageId)?.remove();
}

export function mayReturn(messageId) {
  removed.delete(messageId);
}

// What is loaded may have been asked for before messages in it were deleted.
export function dropRemoved(root) {
  for (const id of removed) root.querySelector(`#message-${id}`)?.remove();
  dropDroppedSessions(root);
}

function isInGap(messageId) {
  return [...list.querySelectorAll("[data-gap]")].some(
    ({ dataset }) => Number(dataset.after) < messageId && (!dataset.before || messageId < Number(dataset.before)),
  );
}

// A message that came back, where it was said; one among those that are not on the page comes with them.
export function putBack(html, messageId) {
  if (removed.has(messageId) || find(messageId) || isInGap(messageId)) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  const item = fresh.content.firstElementChild;
  const above = [...list.querySelectorAll(":scope > [data-message]:not([data-message=''])")].findLast((one) => Number(one.dataset.message) < messageId);
  const day = dayOf(new Date(item.querySelector("time").dateTime));
  let below = above ? above.nextElementSibling : list.firstElementChild;
  while (below && (below.dataset.day === day || below.dataset.rule === item.dataset.session)) below = below.nextElementSibling;
  list.insertBefore(item, below);
  renderMarkdown();
  labelTimes(item);
}

// A line about what was noted, at its place in the reply of its turn.
export function placeLines(turn) {
  const item = replyTo(turn) ?? replyOf(turn);
  if (!item) putUnderMessage(turn);
  else if (textOf(item).querySelector(".typing")) showTyping(item, textOf(item), clone("typing"));
  else show(item, sourceOf(item));
}

export function renderMarkdown(root = list) {
  registerLines(root);
  root.querySelectorAll('.message[data-role="user"]:not(:has([data-unfold]))').forEach(foldLong);
  for (const item of root.querySelectorAll('[data-role="persona"] [data-text]:not(.is-markdown)')) {
    if (item.textContent.trim()) show(item.closest(".message"), item.textContent);
  }
}

export function pointOut(item) {
  item.classList.add("is-target");
  item.addEventListener("animationend", () => item.classList.remove("is-target"), { once: true });
}
