// Keeping a message: a star on it, and a note that only its person reads.
import { keepOrder } from "../order.js";
import * as messages from "./messages.js";

const dialog = document.getElementById("keep-note");
const field = dialog.querySelector("textarea");
const refused = dialog.querySelector("[data-refused]");
const takeTurn = keepOrder();

// What a frame tells, also of other pages.
export function keptChanged({ message, kept }) {
  takeTurn(String(message))();
  messages.showKept(messages.find(message), kept);
}

export function setUpKeeping({ ask, strings, toast, announce }) {
  async function put(message, note) {
    const isNewest = takeTurn(message);
    const answer = await ask(`messages/${message}/keep/`, "PUT", note === undefined ? {} : { note });
    if (answer.ok && isNewest()) messages.showKept(messages.find(message), answer.body.kept);
    return answer;
  }

  async function keep(item) {
    const answer = await put(item.dataset.message);
    if (!answer.ok) return toast(answer.detail, { alert: true });
    return announce(strings.kept);
  }

  async function letGo(item) {
    const { message } = item.dataset;
    const note = messages.noteOf(item);
    const isNewest = takeTurn(message);
    const answer = await ask(`messages/${message}/keep/`, "DELETE");
    if (!answer.ok) return toast(answer.detail, { alert: true });
    if (isNewest()) messages.showKept(item, null);
    return toast(strings.not_kept, { undo: () => put(message, note) });
  }

  function writeNote(item) {
    dialog.dataset.message = item.dataset.message;
    field.value = messages.noteOf(item);
    refused.hidden = true;
    dialog.showModal();
  }

  dialog.addEventListener("submit", async (event) => {
    if (event.submitter.value !== "save") return;
    event.preventDefault();
    const answer = await put(dialog.dataset.message, field.value.trim());
    refused.hidden = answer.ok;
    refused.textContent = answer.ok ? "" : answer.detail;
    if (answer.ok) dialog.close();
  });
  document.querySelector("[data-messages]").addEventListener("click", (event) => {
    const sign = event.target.closest("[data-kept]");
    if (sign) writeNote(sign.closest(".message"));
  });
  return { keep, letGo, writeNote };
}
