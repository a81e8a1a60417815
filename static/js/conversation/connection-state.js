// Says how the connection is: quietly beside the name, plainly above the composer once it has been away for a moment.
const trouble = document.querySelector("[data-trouble]");

// What could not be done, until something else is tried.
export function showTrouble(text) {
  trouble.hidden = !text;
  trouble.querySelector("[data-trouble-text]").textContent = text ?? "";
}

const place = document.querySelector("[data-connection]");
const lost = document.querySelector("[data-lost]");
const QUIET = 2500;

let since = null;
let ticking = null;

function seconds(until) {
  return Math.max(1, Math.ceil((until - Date.now()) / 1000));
}

export function showState({ state, retryAt, gone }, strings) {
  place.dataset.state = state;
  place.title = strings[state];
  const label = place.querySelector(".sr-only");
  if (label.textContent !== strings[state]) label.textContent = strings[state];
  clearInterval(ticking);
  if (state === "online") {
    since = null;
    lost.hidden = true;
    return;
  }
  since ??= Date.now();
  const tell = () => {
    lost.hidden = !gone && Date.now() - since < QUIET;
    const text = lost.querySelector("[data-lost-text]");
    if (gone) text.textContent = strings.gone;
    else if (retryAt) text.textContent = strings.lost.replace("%s", seconds(retryAt));
    else text.textContent = strings.connecting_again;
  };
  tell();
  lost.querySelector("button").hidden = Boolean(gone);
  if (!gone) ticking = setInterval(tell, 500);
}
