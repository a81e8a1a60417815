// What was noted, changed or forgotten while a reply was made: a line at its place in the reply, which divides the text there. Where a
// turn has no reply, it is under its last message of the user.
import { keepOrder } from "../order.js";
import { showMarkdown } from "./markdown.js";

const list = document.querySelector("[data-messages]");
// The lines of each turn, by the id of their write.
const ofTurn = new Map();
// How the text of a message is divided, so that only what is new is rendered anew and the focus stays.
const layouts = new WeakMap();

function register(line) {
  const { turn, write } = line.dataset;
  if (!ofTurn.has(turn)) ofTurn.set(turn, new Map());
  const old = ofTurn.get(turn).get(write);
  if (old?.isConnected && old !== line) {
    const hasFocus = old.contains(document.activeElement);
    line.open = old.open;
    old.replaceWith(line);
    if (hasFocus) line.firstElementChild.focus();
  }
  ofTurn.get(turn).set(write, line);
}

export function registerLines(root) {
  for (const line of root.querySelectorAll("[data-write]")) register(line);
}

function tell(line) {
  return line?.querySelector("summary").textContent.replace(/\s+/g, " ").trim();
}

// Of a reply that is not the chosen one, its lines are after the text.
function placeOf(line, item) {
  const isOfOther = line.dataset.message && (item.dataset.streaming || line.dataset.message !== item.dataset.message);
  return isOfOther ? Infinity : Number(line.dataset.offset);
}

function linesOf(item) {
  const lines = [...(ofTurn.get(item.dataset.streaming || item.dataset.turn)?.values() ?? [])];
  return lines
    .map((line) => ({ line, at: placeOf(line, item) }))
    .sort((a, b) => a.at - b.at || Number(a.line.dataset.write) - Number(b.line.dataset.write));
}

// The text cut where lines are, by whole code points, as the server counts.
function cut(text, lines) {
  const points = [...text];
  const ends = [...lines.map(({ at }) => Math.min(at, points.length)), points.length];
  return ends.map((end, number) => points.slice(number ? ends[number - 1] : 0, end).join(""));
}

export function showText(item, box, text) {
  const lines = linesOf(item);
  if (!lines.length) {
    layouts.delete(box);
    showMarkdown(box, text);
    return;
  }
  const key = lines.map(({ line, at }) => `${line.dataset.write}@${at}`).join();
  let layout = layouts.get(box);
  if (layout?.key !== key) {
    layout = { key, texts: [], parts: [...lines, null].map(() => document.createElement("div")) };
    layouts.set(box, layout);
    box.replaceChildren(...layout.parts.flatMap((part, number) => [part, lines[number]?.line].filter(Boolean)));
    box.classList.add("is-markdown");
  }
  cut(text, lines).forEach((piece, number) => {
    if (layout.texts[number] === piece) return;
    layout.texts[number] = piece;
    layout.parts[number].hidden = !piece.trim();
    showMarkdown(layout.parts[number], piece);
  });
}

// No word of the reply is there yet.
export function showTyping(item, box, typing) {
  layouts.delete(box);
  box.classList.remove("is-markdown");
  box.replaceChildren(...linesOf(item).map(({ line }) => line), typing);
}

// The reply is stored: the lines that came while it was made are its own.
export function settleLines(turn, message) {
  for (const line of ofTurn.get(turn)?.values() ?? []) line.dataset.message ||= message;
}

// A turn without a reply.
export function putUnderMessage(turn) {
  const asked = [...list.querySelectorAll(`[data-role="user"][data-turn="${CSS.escape(turn)}"]`)].at(-1);
  asked?.querySelector("[data-writes]").append(...(ofTurn.get(turn)?.values() ?? []));
}

export function setUpWrites({ ask, bond, toast, announce, place }) {
  const takeTurn = keepOrder();

  // One line, new or changed, as the server renders it.
  async function look(write) {
    const isNewest = takeTurn(Number(write.id));
    const answer = await fetch(`/bonds/${bond}/writes/${write.id}/`).catch(() => null);
    if (!answer?.ok || answer.redirected) return;
    const fresh = document.createElement("template");
    fresh.innerHTML = await answer.text();
    if (!isNewest()) return;
    const line = fresh.content.firstElementChild;
    const told = tell(line);
    // Who undoes it on this page asks for the line, and so does the frame that tells every page.
    const isNews = told !== tell(ofTurn.get(line.dataset.turn)?.get(line.dataset.write));
    register(line);
    place(line.dataset.turn);
    if (isNews) announce(told);
  }

  list.addEventListener("submit", async (event) => {
    const line = event.target.closest("[data-write]");
    if (!line || !("undo" in event.target.dataset)) return;
    event.preventDefault();
    const id = line.dataset.write;
    event.submitter.disabled = true;
    const answer = await ask(`memory/writes/${id}/undo/`);
    event.submitter.disabled = false;
    if (!answer.ok) return toast(answer.detail, { alert: true });
    await look({ id });
    // The button that was pressed is gone.
    if (document.activeElement === document.body) ofTurn.get(line.dataset.turn)?.get(id)?.firstElementChild.focus();
    return undefined;
  });
  return look;
}
