// What the page shows of its companion and of the model server, read anew when somebody changed it, here or elsewhere.
import { keepOrder } from "../order.js";
import { renameTab } from "./unread.js";
import { voiceChanged } from "./voiceless.js";

const SHOWN = ["name", "avatar", "model"];
const TEXTS = [".chat__who h1 a", 'label[for="say"]', "#why-title", "[data-on-record]"];
const ATTRIBUTES = { "#say": "placeholder", "[data-conversation]": "aria-label" };
const PARTS = [".chat__head .switcher > summary > .avatar", "[data-voice]"];
const takeTurn = keepOrder();

let timer = null;

// Several changes come together where a form was saved.
export function settingsChanged(changed, page) {
  if (!changed.some((field) => SHOWN.includes(field))) return;
  clearTimeout(timer);
  timer = setTimeout(() => look(page), 200);
}

async function look(page) {
  const isNewest = takeTurn();
  const answer = await fetch(`${location.pathname}head/`).catch(() => null);
  if (!answer?.ok || answer.redirected) return;
  const head = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (!isNewest()) return;
  takeOver(head);
  voiceChanged();
  page.name = document.querySelector(".chat__who h1").textContent.trim();
  nameSpeaker(page.name);
}

function takeOver(fresh) {
  renameTab(fresh.title);
  for (const place of TEXTS) document.querySelector(place).textContent = fresh.querySelector(place).textContent;
  for (const [place, name] of Object.entries(ATTRIBUTES)) {
    document.querySelector(place).setAttribute(name, fresh.querySelector(place).getAttribute(name));
  }
  for (const place of PARTS) {
    const [shown, next] = [document.querySelector(place), fresh.querySelector(place)];
    if (shown.innerHTML.trim() !== next.innerHTML.trim()) shown.replaceWith(next);
  }
}

// Screen readers read the speaker before each message.
function nameSpeaker(name) {
  const blank = document.getElementById("message-persona").content;
  for (const root of [document, blank]) {
    for (const speaker of root.querySelectorAll('.message[data-role="persona"] > .sr-only')) speaker.textContent = `${name}:`;
  }
}
