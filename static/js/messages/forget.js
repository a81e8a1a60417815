// Deleting a line: what goes is said first, what was learned from it alone is offered to go too, and all of it can be taken back.
import * as lines from "./messages.js";

const dialog = document.getElementById("forget-line");
const [ofLine, ofOffered] = dialog.querySelectorAll("[data-step]");
const SAID_MOST = 280;
const LAYERS = { event: "events", fact: "facts", thought: "thoughts", intention: "intentions", expectation: "expectations" };

function showStep(step) {
  for (const one of [ofLine, ofOffered]) one.hidden = one !== step;
  dialog.setAttribute("aria-labelledby", step.querySelector("h2").id);
  refuse(step, null);
}

function refuse(step, text) {
  const place = step.querySelector("[data-refused]");
  place.hidden = !text;
  place.textContent = text ?? "";
}

function describe(line, { isOffRecord, hasOthers }) {
  const said = [...lines.sourceOf(line)];
  ofLine.querySelector("[data-said]").textContent = said.slice(0, SAID_MOST).join("") + (said.length > SAID_MOST ? "…" : "");
  ofLine.querySelector("[data-on-record]").hidden = isOffRecord;
  ofLine.querySelector("[data-off-record-line]").hidden = !isOffRecord;
  ofLine.querySelector("[data-with-replies]").hidden = !hasOthers;
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
  async function forgetLine(message) {
    while ((await pressed(ofLine)) === "forget") {
      const answer = await ask(`messages/${message}/`, "DELETE");
      if (answer.ok) return answer.body.offered;
      refuse(ofLine, answer.detail);
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

  return async function forget(line) {
    const message = Number(line.dataset.line);
    const offRecord = isOffRecord(line);
    const beside = neighbour(line);
    describe(line, { isOffRecord: offRecord, hasOthers: hasOthers(line) });
    showStep(ofLine);
    dialog.showModal();
    const offered = await forgetLine(message);
    if (offered === null) {
      dialog.close();
      return;
    }
    lines.removeLine(message);
    const gone = offered.length ? await forgetOffered(offered) : [];
    dialog.close();
    beside?.focus();
    toast(gone.length ? strings.deleted_with : strings.deleted, offRecord ? {} : { undo: takeBack(message, gone) });
  };
}

// Where one goes on once the line is gone.
function neighbour(line) {
  const siblings = [...line.parentElement.querySelectorAll(".line[data-line]:not([data-line=''])")];
  const at = siblings.indexOf(line);
  return (siblings[at + 1] ?? siblings[at - 1])?.querySelector(".line__more") ?? document.getElementById("say");
}
