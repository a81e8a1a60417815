// The error of a turn, below its last message, with the button that tries again.
import { clone, list } from "./places.js";

export function add(turn, text, { retryable, stopped }) {
  drop(turn);
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
  item.className = "message message--persona";
  item.dataset.noteOf = turn;
  item.append(note);
  if (ofTurn.length) ofTurn.at(-1).after(item);
  else list.append(item);
}

// Only the newest turn can be tried again.
export function settle(turn) {
  for (const note of list.querySelectorAll("li[data-note-of]")) {
    if (note.dataset.noteOf !== turn) note.querySelector("[data-retry]")?.remove();
  }
}

export function drop(turn) {
  list.querySelectorAll(`li[data-note-of="${CSS.escape(turn)}"]`).forEach((item) => item.remove());
}
