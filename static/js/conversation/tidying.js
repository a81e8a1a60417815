// The pill in the header: how much is being tidied, chats being remembered, too. What is done within three seconds does not show.
const WAIT_MS = 3000;
const pill = document.querySelector("[data-tidying]");
let timer = null;
let steps = 0;
let chats = 0;

export function tidyingChanged({ waiting, running, paused }) {
  steps = paused ? 0 : waiting + running;
  show();
}

// The side says how many chats are being remembered.
export function rememberingChanged() {
  chats = Number(document.querySelector("[data-working]").dataset.working);
  show();
}

function show() {
  if (!pill) return;
  pill.querySelector("[data-tidying-count]").textContent = steps + chats;
  if (steps + chats === 0) {
    clearTimeout(timer);
    timer = null;
    pill.hidden = true;
  } else if (pill.hidden && timer === null) {
    timer = setTimeout(() => {
      timer = null;
      pill.hidden = false;
    }, WAIT_MS);
  }
}
