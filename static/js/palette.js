// The palette as a combobox with its list: what is typed is found by the server, keys choose, Enter goes there or does it.
const WAIT_MS = 120;
const dialog = document.getElementById("palette");
const field = dialog.querySelector("[role=combobox]");
const list = dialog.querySelector("[role=listbox]");
const status = dialog.querySelector("[data-palette-said]");
const shortcuts = document.getElementById("shortcuts");
const STEPS = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

let asking = null;
let timer = null;
// What the list was found for.
let found = null;

export function openPalette() {
  if (dialog.open) return dialog.close();
  field.value = "";
  found = null;
  list.replaceChildren();
  dialog.showModal();
  field.focus();
  return find();
}

export function openShortcuts() {
  if (!shortcuts.open) shortcuts.showModal();
}

async function find() {
  asking?.abort();
  asking = new AbortController();
  const typed = field.value;
  const query = new URLSearchParams({ q: typed, ...(dialog.dataset.bond && { bond: dialog.dataset.bond }) });
  try {
    const answer = await fetch(`${dialog.dataset.url}?${query}`, { signal: asking.signal });
    if (!answer.ok || answer.redirected) throw new TypeError(answer.statusText);
    show(await answer.text());
    found = typed;
  } catch (error) {
    if (error.name !== "AbortError") status.textContent = list.dataset.failed;
  }
}

function show(html) {
  list.innerHTML = html;
  const said = list.querySelector("[data-said]");
  status.textContent = said.textContent;
  said.remove();
  field.setAttribute("aria-expanded", String(options().length > 0));
  choose(options()[0]);
}

function options() {
  return [...list.querySelectorAll("[role=option]")];
}

function chosen() {
  return list.querySelector("[aria-selected=true]");
}

function choose(option) {
  chosen()?.setAttribute("aria-selected", "false");
  if (!option) return field.removeAttribute("aria-activedescendant");
  option.setAttribute("aria-selected", "true");
  field.setAttribute("aria-activedescendant", option.id);
  return option.scrollIntoView({ block: "nearest" });
}

const ACTIONS = {
  "new-chat": (address) => {
    const button = document.querySelector("[data-new-chat]");
    if (button) button.click();
    else location.assign(address);
  },
  "theme-auto": () => document.querySelector("[data-theme-choice] [value=auto]").click(),
  "theme-light": () => document.querySelector("[data-theme-choice] [value=light]").click(),
  "theme-dark": () => document.querySelector("[data-theme-choice] [value=dark]").click(),
  shortcuts: openShortcuts,
  "sign-out": () => document.querySelector("[data-sign-out]").requestSubmit(),
};

function act(option) {
  if (!option) return;
  const { action, address } = option.dataset;
  dialog.close();
  if (action) ACTIONS[action](address);
  else location.assign(address);
}

// On a slow line the list may still be that of fewer letters.
async function enter() {
  clearTimeout(timer);
  if (field.value !== found) await find();
  if (field.value === found) act(chosen());
}

function onKey(event) {
  // Safari gives the key that ends a word of an input method after that word.
  if (event.isComposing || event.keyCode === 229) return;
  const all = options();
  if (event.key === "Enter") enter();
  else if (event.key in STEPS && all.length) {
    const at = all.indexOf(chosen()) + STEPS[event.key];
    // One step past an end leads to the other.
    const isOne = Math.abs(STEPS[event.key]) === 1;
    choose(all[isOne ? (at + all.length) % all.length : Math.max(0, Math.min(at, all.length - 1))]);
  } else return;
  event.preventDefault();
}

function findSoon(event) {
  if (event.isComposing) return;
  clearTimeout(timer);
  timer = setTimeout(find, WAIT_MS);
}

field.addEventListener("keydown", onKey);
field.addEventListener("input", findSoon);
field.addEventListener("compositionend", findSoon);
list.addEventListener("click", (event) => act(event.target.closest("[role=option]")));
for (const one of [dialog, shortcuts]) one.addEventListener("click", (event) => event.target === one && one.close());
if (/Mac|iPhone|iPad/.test(navigator.platform)) {
  for (const key of shortcuts.querySelectorAll("kbd")) key.textContent = key.textContent.replace("Ctrl", "⌘");
}
