// Memories that were learned from one message alone: they are offered to be forgotten after it was deleted, or left out of memory.
const dialog = document.getElementById("offered-memories");
const form = dialog.querySelector("form");
const LAYERS = { event: "events", fact: "facts", thought: "thoughts", intention: "intentions", expectation: "expectations" };

// The answer to the next press of one of a form's buttons, or to Escape.
export function pressed(step) {
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
    step.closest("dialog").addEventListener("close", () => answer("keep"), { signal: listening.signal });
  });
}

export function refuse(step, text) {
  const place = step.querySelector("[data-refused]");
  place.hidden = !text;
  place.textContent = text ?? "";
}

// What a person reads of the memories elsewhere; else what the server's answer says of them.
async function loadTexts(nodes) {
  const query = new URLSearchParams(nodes.map((node) => ["memory", node.id]));
  const answer = await fetch(`${location.pathname}lines/offered/?${query}`).catch(() => null);
  return answer?.ok && !answer.redirected ? answer.json() : {};
}

function show(nodes, texts, reason) {
  const blank = document.getElementById("offered").content.firstElementChild;
  const items = nodes.map((node) => {
    const item = blank.cloneNode(true);
    item.querySelector("input").value = node.id;
    item.querySelector("[data-description]").textContent = texts[node.id] ?? node.description;
    return item;
  });
  for (const one of form.querySelectorAll("[data-of]")) one.hidden = one.dataset.of !== reason;
  form.querySelector("[data-offered]").replaceChildren(...items);
  refuse(form, null);
  dialog.showModal();
  form.querySelector("h2").focus();
}

// Returns those that were forgotten; what could not go stays offered. `reason` is what became of the message: "deleted" or "leftOut".
export async function offer(nodes, { ask, reason }) {
  const gone = [];
  if (!nodes.length) return gone;
  show(nodes, await loadTexts(nodes), reason);
  while ((await pressed(form)) === "forget") {
    const marked = [...form.querySelectorAll("input:checked")];
    for (const box of marked) {
      const node = nodes.find((one) => String(one.id) === box.value);
      const answer = await ask(`memory/${LAYERS[node.type]}/${node.id}/`, "DELETE");
      if (!answer.ok) {
        refuse(form, answer.detail);
        break;
      }
      gone.push(node);
      box.closest("li").remove();
    }
    if (marked.every((box) => !box.isConnected)) break;
  }
  dialog.close();
  return gone;
}
