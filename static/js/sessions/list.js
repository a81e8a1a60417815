// The list of chats: links, actions and reloading.
import { toast } from "../toasts.js";
import { continueChat } from "../conversation/continued.js";
import { closeDrawer } from "../conversation/drawers.js";

const nav = document.querySelector("[data-sessions]");
const menu = document.getElementById("session-menu");
const naming = document.getElementById("session-name");
const asking = document.getElementById("session-forget");
const { dataset: said } = menu;
const GAP = 4;
const EDGE = 8;

let chosen = null;

export function sessionsChanged() {
  document.body.dispatchEvent(new Event("sessions-changed"));
}

// A message that was said: the list is read anew only where that changes it, not in the midst of every chat.
export function spokenIn(session) {
  // Pinned chats stand above the newest.
  const link = nav.querySelector(`[data-session-link="${session}"]`);
  const isKnown = link?.dataset.status === "open" && link.dataset.first;
  if (!isKnown) sessionsChanged();
}

function buttonOf(id) {
  return document.getElementById(`more-${id}`);
}

function show(name, isShown) {
  menu.querySelector(`[data-act="${name}"]`).hidden = !isShown;
}

function openMenu(button) {
  const { sessionMenu: id, title, status, archived, pinned } = button.dataset;
  chosen = { id, title, name: document.getElementById(`go-${id}`).querySelector(".sessions__title").textContent.trim() };
  show("continue", status === "closed");
  show("archive", archived === undefined && status !== "open");
  show("unarchive", archived !== undefined);
  show("pin", archived === undefined && pinned === undefined);
  show("unpin", archived === undefined && pinned !== undefined);
  menu.showPopover();
  button.setAttribute("aria-expanded", "true");
  put(button.getBoundingClientRect());
  menu.querySelector("button:not([hidden])").focus();
}

function put({ top, bottom, right }) {
  const { offsetWidth: width, offsetHeight: height } = menu;
  const fits = bottom + GAP + height < innerHeight - EDGE;
  menu.style.top = `${fits ? bottom + GAP : Math.max(EDGE, top - GAP - height)}px`;
  menu.style.left = `${Math.max(EDGE, Math.min(right - width, innerWidth - width - EDGE))}px`;
}

function isPlain(event) {
  return !event.ctrlKey && !event.metaKey && !event.shiftKey;
}

function filterScenes(words) {
  const wanted = words.trim().toLocaleLowerCase();
  for (const month of nav.querySelectorAll("[data-scenes]")) {
    for (const scene of month.querySelectorAll("[data-scene]")) scene.hidden = !scene.textContent.toLocaleLowerCase().includes(wanted);
    month.hidden = !month.querySelector("[data-scene]:not([hidden])");
  }
  nav.querySelector("[data-no-scene]").hidden = nav.querySelector("[data-scenes]:not([hidden])") !== null;
}

class Sessions {
  constructor({ bond, csrf, visit }) {
    this.api = `/api/bonds/${bond}/sessions/`;
    this.pages = `${location.pathname}sessions/`;
    this.csrf = csrf;
    this.visit = visit;
    this.acts = {
      continue: (session) => this.continue(session),
      rename: (session) => this.rename(session),
      pin: ({ id }) => this.change(id, { pinned: true }),
      unpin: ({ id }) => this.change(id, { pinned: false }),
      markdown: ({ id }) => location.assign(`${this.pages}${id}/markdown/`),
      archive: ({ id }) => this.archive(id, true),
      unarchive: ({ id }) => this.archive(id, false),
      forget: ({ id }) => this.askToForget(id),
    };
    this.watchList();
    this.watchMenu();
    this.watchDialogs();
  }

  async send(path, { method = "POST", body } = {}) {
    const headers = { "X-CSRFToken": this.csrf, ...(typeof body === "string" && { "Content-Type": "application/json" }) };
    try {
      const answer = await fetch(path, { method, headers, body });
      if (answer.ok && !answer.redirected) return answer;
      const isSentence = answer.headers.get("Content-Type")?.startsWith("text/plain");
      toast(isSentence ? await answer.text() : said.notDone, { alert: true });
    } catch {
      toast(said.notDone, { alert: true });
    }
    return null;
  }

  async change(id, fields) {
    const answer = await this.send(`${this.api}${id}/`, { method: "PATCH", body: JSON.stringify(fields) });
    if (answer) sessionsChanged();
    return answer !== null;
  }

  async archive(id, archived) {
    if (!(await this.change(id, { archived }))) return;
    toast(archived ? said.archived : said.unarchived, { undo: () => this.change(id, { archived: !archived }) });
  }

  // Its end is shown, and the next message goes there.
  async continue({ id, name }) {
    const { last } = nav.querySelector(`[data-session-link="${id}"]`).dataset;
    closeDrawer();
    await this.visit(last ? `message-${last}` : `session-${id}`);
    // Last, since a visit takes the focus along.
    continueChat({ id, name });
  }

  rename({ id, title, name }) {
    const field = naming.querySelector("input");
    field.value = title;
    field.placeholder = name;
    naming.returnValue = "";
    naming.dataset.session = id;
    naming.showModal();
    field.select();
  }

  // What goes is shown before it goes.
  async askToForget(id) {
    const answer = await this.send(`${this.pages}${id}/forget/`, { method: "GET" });
    if (!answer) return;
    asking.innerHTML = await answer.text();
    asking.dataset.session = id;
    asking.showModal();
  }

  async forget(form) {
    const id = asking.dataset.session;
    const answer = await this.send(form.action, { body: new FormData(form) });
    asking.close();
    if (!answer) return;
    sessionsChanged();
    toast(said.forgotten, { undo: () => this.send(`${this.pages}${id}/restore/`) });
  }

  async tryAgain(button) {
    button.disabled = true;
    await this.send(`${this.api}${button.dataset.tryAgain}/consolidate/`);
    sessionsChanged();
  }

  watchList() {
    nav.addEventListener("click", (event) => {
      const link = event.target.closest("[data-session-link]");
      const button = event.target.closest("[data-session-menu]");
      const again = event.target.closest("[data-try-again]");
      if (button) openMenu(button);
      if (again) this.tryAgain(again);
      const scene = event.target.closest("[data-scene-link]");
      if (!(link ?? scene) || !isPlain(event)) return;
      event.preventDefault();
      closeDrawer();
      this.visit(link ? `session-${link.dataset.sessionLink}` : `message-${scene.dataset.sceneLink}`);
    });
    nav.addEventListener("input", ({ target }) => target.matches("[data-filter-scenes]") && filterScenes(target.value));
    // The row in which the focus was is gone from the list: archived, or forgotten.
    nav.addEventListener("htmx:afterSwap", () => {
      if (!chosen || buttonOf(chosen.id) || document.activeElement !== document.body) return;
      nav.querySelector("[data-session-link]")?.focus({ preventScroll: true });
      chosen = null;
    });
    nav.addEventListener("scroll", () => menu.hidePopover(), { passive: true });
    addEventListener("resize", () => menu.hidePopover());
  }

  watchMenu() {
    menu.addEventListener("click", (event) => {
      const item = event.target.closest("[data-act]");
      if (!item) return;
      menu.hidePopover();
      this.acts[item.dataset.act](chosen);
    });
    menu.addEventListener("toggle", ({ newState }) => {
      if (newState === "open") return;
      const button = buttonOf(chosen.id);
      button?.setAttribute("aria-expanded", "false");
      // The list may have been read anew meanwhile, and the button with it.
      if (document.activeElement === document.body) button?.focus();
    });
  }

  watchDialogs() {
    for (const dialog of [naming, asking]) {
      dialog.addEventListener("click", (event) => event.target.closest("[data-ask-close]") && dialog.close());
      dialog.addEventListener("close", () => buttonOf(dialog.dataset.session)?.focus());
    }
    naming.addEventListener("close", () => {
      const title = naming.querySelector("input").value.trim();
      if (naming.returnValue === "save") this.change(naming.dataset.session, { title: title || null });
    });
    asking.addEventListener("submit", (event) => {
      event.preventDefault();
      this.forget(event.target);
    });
  }
}

export function setUpSessions(context) {
  return new Sessions(context);
}
