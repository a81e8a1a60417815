// How many facts the close of a chat taught, in its rule: several come one after the other, and are counted once.
import { keepOrder } from "../order.js";

const timers = new Map();
const takeTurn = keepOrder();

export function learnedAtClose(session) {
  clearTimeout(timers.get(session));
  timers.set(session, setTimeout(() => count(session), 300));
}

async function count(session) {
  const slots = document.querySelectorAll(`[data-rule="${session}"] [data-learned]`);
  const isNewest = takeTurn(session);
  const answer = slots.length && (await fetch(`${location.pathname}sessions/${session}/rule/`).catch(() => null));
  if (!answer?.ok || answer.redirected) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("[data-learned]");
  if (!isNewest()) return;
  for (const slot of slots) slot.replaceChildren(...fresh.cloneNode(true).childNodes);
}
