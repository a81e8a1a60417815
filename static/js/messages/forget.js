// Deleting a message: what goes is said first, what was learned from it alone is offered to go too, and all of it can be taken back.
import * as messages from "./messages.js";
import { offer, pressed, refuse } from "./offered.js";

const dialog = document.getElementById("forget-message");
const form = dialog.querySelector("form");
const SAID_MOST = 280;

function describe(item, { isOffRecord, hasOthers }) {
  const said = [...messages.sourceOf(item)];
  form.querySelector("[data-said]").textContent = said.slice(0, SAID_MOST).join("") + (said.length > SAID_MOST ? "…" : "");
  form.querySelector("[data-on-record]").hidden = isOffRecord;
  form.querySelector("[data-off-record-message]").hidden = !isOffRecord;
  form.querySelector("[data-with-replies]").hidden = !hasOthers;
  refuse(form, null);
}

export function setUpForget({ ask, strings, toast, isOffRecord, hasOthers }) {
  async function forgetMessage(message) {
    while ((await pressed(form)) === "forget") {
      const answer = await ask(`messages/${message}/`, "DELETE");
      if (answer.ok) return answer.body.offered;
      refuse(form, answer.detail);
    }
    return null;
  }

  function takeBack(message, gone) {
    return async () => {
      const acts = [...gone.map((node) => `${node.type}/${node.id}`), `message/${message}`];
      for (const act of acts) {
        const answer = await ask(`memory/trash/${act}/restore/`);
        if (!answer.ok) return toast(answer.detail, { alert: true });
      }
      return undefined;
    };
  }

  return async function forget(item) {
    const message = Number(item.dataset.message);
    const offRecord = isOffRecord(item);
    const beside = neighbour(item);
    describe(item, { isOffRecord: offRecord, hasOthers: hasOthers(item) });
    dialog.showModal();
    const offered = await forgetMessage(message);
    dialog.close();
    if (offered === null) return;
    messages.removeMessage(message);
    const gone = await offer(offered, { ask, reason: "deleted" });
    beside?.focus();
    toast(gone.length ? strings.deleted_with : strings.deleted, offRecord ? {} : { undo: takeBack(message, gone) });
  };
}

// Where one goes on once the message is gone.
function neighbour(item) {
  const siblings = [...item.parentElement.querySelectorAll(".message[data-message]:not([data-message=''])")];
  const at = siblings.indexOf(item);
  return (siblings[at + 1] ?? siblings[at - 1])?.querySelector(".message__more") ?? document.getElementById("say");
}
