// The two sides: columns where there is room, drawers where there is not.
const chat = document.querySelector("[data-chat]");
const WIDE = { sessions: matchMedia("(width >= 48rem)"), memory: matchMedia("(width >= 72rem)") };
const KEPT = "echovessel.memory-side";

let open = null;

function side(name) {
  return document.querySelector(`[data-side="${name}"]`);
}

function opener(name) {
  return document.querySelector(`[data-drawer="${name}"]`);
}

function others(name) {
  return [...chat.children].filter((element) => element !== side(name));
}

function openDrawer(name) {
  const drawer = side(name);
  const scrim = document.createElement("button");
  scrim.type = "button";
  scrim.className = "scrim";
  scrim.tabIndex = -1;
  scrim.setAttribute("aria-hidden", "true");
  scrim.addEventListener("click", closeDrawer);
  for (const element of others(name)) element.inert = true;
  document.body.append(scrim);
  drawer.classList.add("is-open");
  drawer.querySelector("[data-drawer-close]").focus();
  open = { name, scrim, watcher: watchForBack() };
  showState();
}

// The back button of a phone closes a drawer, as it does a dialog, and does not leave the chat.
function watchForBack() {
  if (!window.CloseWatcher) return null;
  const watcher = new CloseWatcher();
  watcher.onclose = closeDrawer;
  return watcher;
}

export function closeDrawer() {
  if (!open) return;
  const { name, scrim, watcher } = open;
  open = null;
  watcher?.destroy();
  scrim.remove();
  for (const element of others(name)) element.inert = false;
  side(name).classList.remove("is-open");
  opener(name).focus();
  showState();
}

function toggle(name) {
  if (open) closeDrawer();
  else if (!WIDE[name].matches) openDrawer(name);
  else {
    const closed = chat.dataset.memory === "closed";
    if (closed) delete chat.dataset.memory;
    else chat.dataset.memory = "closed";
    localStorage.setItem(KEPT, closed ? "open" : "closed");
    showState();
  }
}

// So that something in a side can be used: opens it where it is a drawer.
export function reveal(name) {
  if (open?.name === name || WIDE[name].matches) return;
  closeDrawer();
  openDrawer(name);
}

export function memoryIsVisible() {
  return open?.name === "memory" || (WIDE.memory.matches && chat.dataset.memory !== "closed");
}

function showState() {
  opener("sessions").setAttribute("aria-expanded", String(open?.name === "sessions"));
  const memory = opener("memory");
  memory.setAttribute("aria-expanded", String(memoryIsVisible()));
  if (memoryIsVisible()) memory.classList.remove("has-news");
}

export function showNews() {
  if (!memoryIsVisible()) opener("memory").classList.add("has-news");
}

export function setUpDrawers() {
  if (localStorage.getItem(KEPT) === "closed") chat.dataset.memory = "closed";
  for (const name of Object.keys(WIDE)) {
    opener(name).addEventListener("click", () => toggle(name));
    side(name).querySelector("[data-drawer-close]").addEventListener("click", closeDrawer);
    WIDE[name].addEventListener("change", () => (open?.name === name ? closeDrawer() : showState()));
  }
  document.addEventListener("keydown", (event) => {
    const isOver = document.querySelector("dialog:modal, :popover-open");
    if (event.key === "Escape" && !event.defaultPrevented && !isOver) closeDrawer();
  });
  showState();
}
