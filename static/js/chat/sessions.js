// The list of talks: where each leads, what can be done with it, and when it is read anew.
import { toast } from "../toasts.js";
import { closeDrawer } from "./drawers.js";

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

// A line that was said: the list is read anew only where that changes it, not in the midst of every talk.
export function spokenIn(session) {
  const first = nav.querySelector("[data-session-link]");
  if (first?.dataset.sessionLink !== String(session) || first.dataset.status !== "open") sessionsChanged();
}

function buttonOf(id) {
  return document.getElementById(`more-${id}`);
}

function show(name, isShown) {
  menu.querySelector(`[data-act="${name}"]`).hidden = !isShown;
}

function openMenu(button) {
  const { sessionMenu: id, title, status, archived } = button.dataset;
  chosen = { id, title, name: document.getElementById(`go-${id}`).querySelector(".sessions__title").textContent };
  show("archive", archived === undefined && status !== "open");
  show("unarchive", archived !== undefined);
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

export function setUpSessions({ bond, csrf, visit }) {
  async function send(path, { method = "POST", body } = {}) {
    const headers = { "X-CSRFToken": csrf, ...(typeof body === "string" && { "Content-Type": "application/json" }) };
    try {
      const answer = await fetch(path, { method, headers, body });
      if (answer.ok && !answer.redirected) return answer;
      const isText = answer.status === 409 && answer.headers.get("Content-Type")?.startsWith("text/plain");
      toast(isText ? await answer.text() : said.notDone, { alert: true });
    } catch {
      toast(said.notDone, { alert: true });
    }
    return null;
  }

  async function change(id, fields) {
    const answer = await send(`/api/bonds/${bond}/sessions/${id}/`, { method: "PATCH", body: JSON.stringify(fields) });
    if (answer) sessionsChanged();
    return answer !== null;
  }

  async function archive(id, archived) {
    if (!(await change(id, { archived }))) return;
    toast(archived ? said.archived : said.unarchived, { undo: () => change(id, { archived: !archived }) });
  }

  function rename({ id, title, name }) {
    const field = naming.querySelector("input");
    field.value = title;
    field.placeholder = name;
    naming.returnValue = "";
    naming.dataset.session = id;
    naming.showModal();
    field.select();
  }

  // What goes is shown before it goes.
  async function askToForget({ id }) {
    const answer = await send(`${location.pathname}sessions/${id}/forget/`, { method: "GET" });
    if (!answer) return;
    asking.innerHTML = await answer.text();
    asking.dataset.session = id;
    asking.showModal();
  }

  async function forget(form) {
    const id = asking.dataset.session;
    const answer = await send(form.action, { body: new FormData(form) });
    asking.close();
    if (!answer) return;
    sessionsChanged();
    toast(said.forgotten, { undo: () => send(`${location.pathname}sessions/${id}/restore/`) });
  }

  const acts = {
    rename,
    archive: ({ id }) => archive(id, true),
    unarchive: ({ id }) => archive(id, false),
    forget: askToForget,
  };

  nav.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-session-link]");
    const button = event.target.closest("[data-session-menu]");
    const again = event.target.closest("[data-try-again]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      closeDrawer();
      visit(`session-${link.dataset.sessionLink}`);
    }
    if (button) openMenu(button);
    if (again) {
      again.disabled = true;
      await send(`/api/bonds/${bond}/sessions/${again.dataset.tryAgain}/consolidate/`);
      sessionsChanged();
    }
  });
  menu.addEventListener("click", (event) => {
    const item = event.target.closest("[data-act]");
    if (!item) return;
    menu.hidePopover();
    acts[item.dataset.act](chosen);
  });
  menu.addEventListener("toggle", ({ newState }) => {
    if (newState === "open") return;
    const button = buttonOf(chosen.id);
    button?.setAttribute("aria-expanded", "false");
    // The list may have been read anew meanwhile, and the button with it.
    if (document.activeElement === document.body) button?.focus();
  });
  nav.addEventListener("scroll", () => menu.hidePopover(), { passive: true });
  addEventListener("resize", () => menu.hidePopover());
  naming.addEventListener("close", () => {
    const title = naming.querySelector("input").value.trim();
    if (naming.returnValue === "save") change(naming.dataset.session, { title: title || null });
    buttonOf(naming.dataset.session)?.focus();
  });
  for (const dialog of [naming, asking]) {
    dialog.addEventListener("click", (event) => event.target.closest("[data-ask-close]") && dialog.close());
  }
  asking.addEventListener("submit", (event) => {
    event.preventDefault();
    forget(event.target);
  });
  asking.addEventListener("close", () => buttonOf(asking.dataset.session)?.focus());
}
