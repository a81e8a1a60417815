// The tour of the conversation: one step at a time above the composer, never over it, with a ring around what it tells of.
const STEPS = 3;
// Said once the page itself has been read out.
const SAID_AFTER_MS = 1500;
const WAITS_MS = 2000;
const tour = document.querySelector("[data-tour]");
const chat = document.querySelector("[data-chat]");
const csrf = document.body.dataset.csrf;
let step = Number(tour.dataset.step);
let stored = Promise.resolve();

// One after the other, so that the last one counts. What cannot be stored is asked again at the next page, which does no harm.
function store(number) {
  const body = new URLSearchParams({ step: number });
  const post = () => fetch(tour.dataset.url, { method: "POST", headers: { "X-CSRFToken": csrf }, body, keepalive: true });
  stored = stored.then(post).catch(() => {});
  return stored;
}

function current() {
  return tour.querySelector(`[data-tour-step="${step}"]`);
}

function say() {
  tour.querySelector("[data-tour-said]").textContent = current().textContent.replace(/\s+/g, " ").trim();
}

function show() {
  chat.dataset.tourAt = step;
  for (const one of tour.querySelectorAll("[data-tour-step]")) one.hidden = Number(one.dataset.tourStep) !== step;
  tour.querySelector("[data-tour-number]").textContent = step;
  tour.querySelector("[data-tour-more]").hidden = step === STEPS;
  tour.querySelector("[data-tour-last]").hidden = step < STEPS;
  tour.querySelector("[data-tour-end]").hidden = step === STEPS;
}

function end() {
  store(0);
  delete chat.dataset.tourAt;
  const hadFocus = tour.contains(document.activeElement);
  tour.remove();
  // On a phone the keyboard would come up.
  if (hadFocus && !matchMedia("(pointer: coarse)").matches) document.getElementById("say").focus();
}

// Shown once it is stored, so that a page loaded again shows the same; but nobody waits for a slow line.
async function next() {
  if (step === STEPS) return end();
  step += 1;
  await Promise.race([store(step), new Promise((resolve) => setTimeout(resolve, WAITS_MS))]);
  show();
  return say();
}

tour.querySelector("[data-tour-next]").addEventListener("click", next);
tour.querySelector("[data-tour-end]").addEventListener("click", end);
tour.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  event.preventDefault();
  end();
});
store(step);
show();
setTimeout(say, SAID_AFTER_MS);
