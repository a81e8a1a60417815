// Deleting a message: what goes is said first, what was learned from it alone is offered to go too, and all of it can be taken back.
import * as messages from "./messages.js";

const dialog = document.getElementById("forget-message");
const [ofMessage, ofOffered] = dialog.querySelectorAll("[data-step]");
const SAID_MOST = 280;
const LAYERS = { event: "events", fact: "facts", thought: "thoughts", intention: "intentions", expectation: "expectations" };

function showStep(step) {
  for (const one of [ofMessage, ofOffered]) one.hidden = one !== step;
  dialog.setAttribute("aria-labelledby", step.querySelector("h2").id);
  refuse(step, null);
}

function refuse(step, text) {
  const place = step.querySelector("[data-refused]");
  place.hidden = !text;
  place.textContent = text ?? "";
}

function describe(item, { isOffRecord, hasOthers }) {
  const said = [...messages.sourceOf(item)];
  ofMessage.querySelector("[data-said]").textContent = said.slice(0, SAID_MOST).join("") + (said.length > SAID_MOST ? "…" : "");
  ofMessage.querySelector("[data-on-record]").hidden = isOffRecord;
  ofMessage.querySelector("[data-off-record-message]").hidden = !isOffRecord;
  ofMessage.querySelector("[data-with-replies]").hidden = !hasOthers;
}

function offer(nodes) {
  const blank = document.getElementById("offered").content.firstElementChild;
  const items = nodes.map((node) => {
    const item = blank.cloneNode(true);
    item.querySelector("input").value = node.id;
    item.querySelector("[data-description]").textContent = node.description;
    return item;
  });
  ofOffered.querySelector("[data-offered]").replaceChildren(...items);
  showStep(ofOffered);
  ofOffered.querySelector("h2").focus();
}

// The answer to the next press of one of a step's buttons, or to Escape.
function pressed(step) {
  const listening = new AbortController();
  return new Promise((resolve) => {
    const answer = (value) => {
      listening.abort();
      resolve(value);
    };
    step.addEventListener("submit", (event) => {
      event.preventDefault();
      answer(event.submitter?.value ?? "keep");
    }, { signal: listening.signal });
    dialog.addEventListener("close", () => answer("keep"), { signal: listening.signal });
  });
}

export function setUpForget({ ask, strings, toast, isOffRecord, hasOthers }) {
  async function forgetMessage(message) {
    while ((await pressed(ofMessage)) === "forget") {
      const answer = await ask(`messages/${message}/`, "DELETE");
      if (answer.ok) return answer.body.offered;
      refuse(ofMessage, answer.detail);
    }
    return null;
  }

  // Those that went; what could not go stays offered.
  async function forgetOffered(nodes) {
    const gone = [];
    offer(nodes);
    while ((await pressed(ofOffered)) === "forget") {
      const marked = [...ofOffered.querySelectorAll("input:checked")];
      for (const box of marked) {
        const node = nodes.find((one) => String(one.id) === box.value);
        const answer = await ask(`memory/${LAYERS[node.type]}/${node.id}/`, "DELETE");
        if (!answer.ok) {
          refuse(ofOffered, answer.detail);
          break;
        }
        gone.push(node);
        box.closest("li").remove();
      }
      if (marked.every((box) => !box.isConnected)) break;
    }
    return gone;
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
    showStep(ofMessage);
    dialog.showModal();
    const offered = await forgetMessage(message);
    if (offered === null) {
      dialog.close();
      return;
    }
    messages.removeMessage(message);
    const gone = offered.length ? await forgetOffered(offered) : [];
    dialog.close();
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
