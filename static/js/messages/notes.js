// The error of a turn, below its last message, with the button that tries again.
import { TOUCH } from "../conversation/composer.js";
import { clone, list } from "./places.js";

function itemsOf(turn) {
  return [...list.querySelectorAll(`.message[data-turn="${CSS.escape(turn)}"]`)];
}

function all() {
  return [...list.querySelectorAll("[data-note-of]")];
}

export function add(turn, text, { code, retryable, stopped }) {
  drop(turn);
  const note = clone("note");
  note.dataset.noteOf = turn;
  note.querySelector("[data-note]").textContent = text;
  if (!retryable) note.querySelector("[data-retry]").remove();
  if (code !== "model_unavailable") note.querySelector("[data-server]")?.remove();
  // Who stopped it need not be warned of it.
  if (stopped) note.querySelector(".sign").remove();
  const ofTurn = itemsOf(turn);
  // The note says more than the mark of a reply that was cut off.
  for (const mark of ofTurn.flatMap((item) => [...item.querySelectorAll("[data-cut-off]")])) mark.hidden = true;
  if (ofTurn.length) ofTurn.at(-1).after(note);
  else list.append(note);
  const said = [...list.querySelectorAll('[data-role="user"][data-turn]:not([data-turn=""])')].at(-1);
  if (said) settle(said.dataset.turn);
}

// In another language than English the page says more of it than a frame does.
export async function explain(turn) {
  const place = `[data-note-of="${CSS.escape(turn)}"] [data-note]`;
  const answer = await fetch(location.pathname).catch(() => null);
  const fresh = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").querySelector(place);
  const note = list.querySelector(place);
  if (fresh && note) note.textContent = fresh.textContent;
}

// Only the newest turn can be tried again.
export function settle(turn) {
  for (const note of all()) {
    if (note.dataset.noteOf !== turn) for (const way of note.querySelectorAll("[data-retry], [data-server]")) way.remove();
  }
}

export function drop(turn) {
  for (const note of all()) if (note.dataset.noteOf === turn) note.remove();
}

// Where the messages are gone, so is what went wrong with them.
export function dropOrphans() {
  for (const note of all()) if (!itemsOf(note.dataset.noteOf).length) note.remove();
}

// The button goes when the reply begins: the focus goes to where one writes, but on a phone, where the keyboard would come up.
export function setUpRetry({ retry, field }) {
  list.addEventListener("click", (event) => {
    const button = event.target.closest("[data-retry]");
    if (!button || !retry()) return;
    button.disabled = true;
    if (!TOUCH.matches) field.focus();
  });
}
