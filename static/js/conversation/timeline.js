// The memory timeline: read anew when something was learned, and laid over what is there, so that only news moves.
import { keepOrder } from "../order.js";
import { labelTimes } from "../times.js";
import { toast } from "../toasts.js";
import { closeDrawer, showNews } from "./drawers.js";
import { rememberingChanged } from "./tidying.js";

const side = document.querySelector("[data-memories]");
const news = document.querySelector("[data-memory-news]");
const takeTurn = keepOrder();

let timer = null;

export function refreshSoon() {
  clearTimeout(timer);
  timer = setTimeout(refresh, 250);
}

async function refresh() {
  const isNewest = takeTurn();
  const answer = await fetch(side.dataset.url, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const fresh = document.createElement("template");
  fresh.innerHTML = await answer.text();
  if (!isNewest()) return;
  const arrived = lay(fresh.content);
  rememberingChanged();
  labelTimes(side);
  if (arrived.length === 0) return;
  // What was noted while one talks is announced by its line in the chat.
  news.textContent = arrived.filter((entry) => !("noted" in entry.dataset)).map((entry) => entry.querySelector(".memory__body").innerText).join(". ");
  showNews();
}

function known() {
  return new Map([...side.querySelectorAll("[data-entry]")].map((entry) => [entry.dataset.entry, entry]));
}

// Keeps entries that have not changed, with their opened evidence; returns those that are new.
function lay(content) {
  const before = known();
  // An entry that moves into what is new loses the focus.
  const focused = side.contains(document.activeElement) ? document.activeElement : null;
  const arrived = [];
  const entries = [...content.querySelectorAll("[data-entry]")];
  // Below the last of those that were here, older ones move up where something went.
  const last = entries.findLastIndex((entry) => before.has(entry.dataset.entry));
  for (const [at, entry] of entries.entries()) {
    const old = before.get(entry.dataset.entry);
    if (!old && (at < last || last < 0)) {
      entry.classList.add("is-new");
      arrived.push(entry);
    } else if (old?.dataset.version === entry.dataset.version) {
      old.classList.remove("is-new");
      entry.replaceWith(old);
    }
  }
  // What was folded stays so.
  for (const group of content.querySelectorAll("[data-brought]")) {
    const old = side.querySelector(`[data-brought="${group.dataset.brought}"]`);
    if (old) group.open = old.open;
  }
  const top = side.scrollTop;
  side.replaceChildren(...content.childNodes);
  if (top > 0) side.scrollTop = top;
  if (focused) (focused.isConnected ? focused : side).focus({ preventScroll: true });
  return arrived;
}

// What a button of an entry asks for. Where it fails, the entries that are read anew show how things stand.
async function act(button, ask) {
  // Not by `disabled`, which would take the focus away.
  if (button.ariaDisabled === "true") return;
  button.ariaDisabled = "true";
  const answer = await ask(button.dataset.post, "POST", JSON.parse(button.dataset.body));
  button.ariaDisabled = String(answer.ok);
  if (!answer.ok) toast(answer.detail, { alert: true });
  else if (button.dataset.done) toast(button.dataset.done);
  refreshSoon();
  document.body.dispatchEvent(new Event("sessions-changed"));
}

export function setUpTimeline({ ask, jumpTo }) {
  rememberingChanged();
  side.addEventListener("click", (event) => {
    const button = event.target.closest("[data-post]");
    if (button) act(button, ask);
    const link = event.target.closest("[data-jump]");
    if (!link) return;
    event.preventDefault();
    const anchor = link.hash.slice(1);
    if (anchor.startsWith("message-")) closeDrawer();
    jumpTo(anchor);
  });
}
