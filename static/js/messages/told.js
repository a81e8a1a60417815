// What a prompt makes of messages: said in a message's menu, and on all of them where the person asks for it. A message can be left out.
import { offer } from "./offered.js";

const list = document.querySelector("[data-messages]");
const place = document.querySelector("[data-menu-told]");
const head = document.querySelector("[data-told-head]");
const SENT = ".message[data-message]:not([data-message=''])";
const AT_ONCE = 200;
const SETTLED_MS = 300;

export function isLeftOut(item) {
  return item.dataset.leftOut !== undefined;
}

export function isShown() {
  return list.dataset.showsTold !== undefined;
}

export function setUpTold({ bond, pages, least, ask, strings, toast }) {
  async function load(query) {
    try {
      const answer = await fetch(`${pages}told/?${new URLSearchParams(query)}`);
      return answer.ok && !answer.redirected ? await answer.json() : null;
    } catch {
      return null;
    }
  }

  function show(item, line) {
    item.toggleAttribute("data-left-out", line.left_out);
    item.querySelector("[data-told]").textContent = isShown() ? line.label : "";
  }

  async function markAll() {
    const items = new Map([...list.querySelectorAll(SENT)].map((item) => [item.dataset.message, item]));
    const ids = [...items.keys()];
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const found = await load({ lines: ids.slice(at, at + AT_ONCE).join() });
      if (!found) return toast(strings.not_done, { alert: true });
      for (const [id, line] of Object.entries(found.lines)) show(items.get(id), line);
    }
    return undefined;
  }

  function showAll(isWanted = true) {
    list.toggleAttribute("data-shows-told", isWanted);
    if (isWanted) return markAll();
    for (const mark of list.querySelectorAll("[data-told]")) mark.textContent = "";
    return undefined;
  }

  // In the menu; what another page changed meanwhile shows there, too.
  async function describe(item, { onChange }) {
    const id = item.dataset.message;
    place.textContent = "…";
    place.dataset.of = id;
    const line = (await load({ lines: id }))?.lines[id];
    if (place.dataset.of !== id) return;
    place.textContent = line?.why ?? "";
    if (!line) return;
    show(item, line);
    onChange();
  }

  async function change(item, leftOut) {
    // What the menu asked for may be of before.
    place.dataset.of = "";
    const answer = await ask(`messages/${item.dataset.message}/`, "PATCH", { left_out: leftOut });
    if (!answer.ok) toast(answer.detail, { alert: true });
    else {
      item.toggleAttribute("data-left-out", leftOut);
      if (isShown()) markAll();
    }
    return answer;
  }

  async function takeIn(item, gone = []) {
    const answer = await change(item, false);
    if (!answer.ok) return;
    for (const { type, id } of gone) {
      const restored = await ask(`memory/trash/${type}/${id}/restore/`);
      if (!restored.ok) return toast(restored.detail, { alert: true });
    }
    return toast(strings.taken_in);
  }

  async function leaveOut(item) {
    const answer = await change(item, true);
    if (!answer.ok) return;
    const gone = await offer(answer.body.offered, { ask, reason: "leftOut" });
    item.querySelector(".message__more")?.focus();
    toast(gone.length ? strings.left_out_with : strings.left_out, { undo: () => takeIn(item, gone) });
  }

  // Said once a chat: its first messages are no longer in the prompt word for word.
  const key = `echovessel.told.${bond}`;
  async function look(session) {
    if (!session || localStorage.getItem(key) === String(session)) return;
    const { length } = list.querySelectorAll(`${SENT}[data-session="${session}"]`);
    if (length <= least || !(await load({ session }))?.has_left) return;
    localStorage.setItem(key, session);
    head.hidden = false;
  }

  head.addEventListener("click", (event) => {
    if (event.target.closest("[data-show-told]")) showAll();
    if (event.target.closest("button")) head.hidden = true;
  });
  let timer = null;
  new MutationObserver(() => {
    if (!isShown()) return;
    clearTimeout(timer);
    timer = setTimeout(markAll, SETTLED_MS);
  }).observe(list, { childList: true });
  return { describe, leaveOut, takeIn, showAll, look };
}
