// Messages that are not on the page: they are loaded when the person scrolls to a gap or follows a link to one. A folded scene is a gap
// that opens when its row is pressed, and closes again.
import { labelTimes } from "../times.js";
import { unfold } from "./folding.js";
import * as messages from "./messages.js";

const list = document.querySelector("[data-messages]");
// They are asked for before one is there.
const AHEAD = "1200px 0px";

function number(id) {
  return id ? Number(id) : null;
}

// Where a message is missing; of a session whose messages are nowhere on the page the earliest gap.
function gapOf(id) {
  const gaps = [...list.querySelectorAll("[data-gap]")];
  if (!id) return gaps[0];
  return gaps.find(({ dataset }) => (number(dataset.after) ?? 0) < id && id < (number(dataset.before) ?? Infinity));
}

async function ask(messagesUrl, gap, query) {
  const between = Object.entries({ after: gap.dataset.after, before: gap.dataset.before }).filter(([, id]) => id);
  const address = `${messagesUrl}?${new URLSearchParams([...between, ...Object.entries(query)])}`;
  try {
    const answer = await fetch(address);
    return answer.ok && !answer.redirected ? await answer.text() : null;
  } catch {
    return null;
  }
}

function made(html) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  messages.dropRemoved(fresh.content);
  messages.renderMarkdown(fresh.content);
  labelTimes(fresh.content);
  return fresh.content;
}

// A stretch is marked with its day where it begins in the middle of one; the messages above it then bring the mark again.
function dropDoubledMarks() {
  let day = null;
  for (const chip of list.querySelectorAll("[data-day]")) {
    if (chip.dataset.day === day) chip.remove();
    day = chip.dataset.day;
  }
}

function nextMessage(item) {
  let next = item.nextElementSibling;
  while (next && !next.matches("[data-message], [data-fold-end]")) next = next.nextElementSibling;
  return next?.matches("[data-message]") ? next : null;
}

export class History {
  constructor({ scroll, messagesUrl, announce }) {
    this.scroll = scroll;
    this.view = scroll.view;
    this.messagesUrl = messagesUrl;
    this.announce = announce;
    this.running = new Map();
    this.observer = new IntersectionObserver(
      (entries) => entries.forEach(({ target, isIntersecting }) => isIntersecting && this.fill(target)),
      { root: this.view, rootMargin: AHEAD },
    );
    list.addEventListener("click", (event) => {
      const fold = event.target.closest("[data-fold]");
      if (fold) this.toggle(fold);
      const gap = event.target.closest("[data-gap]:not([data-fold])");
      if (gap) this.fill(gap);
    });
    addEventListener("popstate", (event) => this.goBack(event));
    this.watch();
  }

  watch() {
    for (const gap of list.querySelectorAll("[data-gap]:not([data-fold])")) this.observer.observe(gap);
  }

  async toggle(fold) {
    if (!("gap" in fold.dataset)) {
      this.close(fold);
      return;
    }
    await this.fill(fold, { down: "" });
    const first = nextMessage(fold);
    if (!first) return;
    first.tabIndex = -1;
    first.focus();
    this.announce(fold.querySelector("[data-count]").textContent);
  }

  // What is loaded of a scene stands between its row and a mark.
  open(fold, fresh) {
    const end = document.createElement("li");
    end.hidden = true;
    end.dataset.foldEnd = "";
    delete fold.dataset.gap;
    fold.querySelector("button").ariaExpanded = "true";
    fold.after(fresh, end);
  }

  close(fold) {
    while (fold.nextElementSibling && !fold.nextElementSibling.matches("[data-fold-end]")) fold.nextElementSibling.remove();
    fold.nextElementSibling?.remove();
    fold.dataset.gap = "";
    fold.querySelector("button").ariaExpanded = "false";
  }

  // From the end one comes to, unless a message in it is asked for.
  fill(gap, query) {
    if (!this.running.has(gap)) {
      this.running.set(gap, this.load(gap, query).finally(() => this.running.delete(gap)));
    }
    return this.running.get(gap);
  }

  async load(gap, query) {
    gap.ariaBusy = "true";
    const html = await ask(this.messagesUrl, gap, query ?? (this.isBelow(gap) ? { down: "" } : {}));
    gap.ariaBusy = "false";
    if (html === null) return;
    const fresh = made(html);
    const isFocused = gap.contains(document.activeElement);
    this.observer.unobserve(gap);
    // Of a scene whose messages are all deleted there is nothing to open.
    if ("fold" in gap.dataset && fresh.querySelector("[data-message]")) this.open(gap, fresh);
    else gap.replaceWith(fresh);
    if (isFocused && !gap.isConnected) this.view.focus({ preventScroll: true });
    dropDoubledMarks();
    this.watch();
  }

  isBelow(gap) {
    const middle = this.view.getBoundingClientRect().top + this.view.clientHeight / 2;
    return gap.dataset.after !== "" && gap.getBoundingClientRect().top > middle;
  }

  async jumpTo(anchor) {
    const [kind, id] = anchor.split("-");
    // Twice, where other messages of the same gap are already on their way.
    for (let times = 0; times < 2 && !document.getElementById(anchor); times += 1) {
      const link = document.querySelector(`[data-session-link="${id}"]`);
      const gap = gapOf(kind === "message" ? Number(id) : number(link?.dataset.first));
      if (gap) await this.fill(gap, { [kind]: id });
    }
    const target = document.getElementById(anchor);
    if (!target) return;
    const folded = target.closest("details:not([open])");
    if (folded) folded.open = true;
    unfold(target);
    this.scroll.show(target, kind === "session" ? "start" : "center");
    messages.pointOut(target);
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  // Somewhere else in the conversation, from where the browser's back button leads to where one was.
  visit(anchor) {
    history.replaceState({ reading: this.reading() }, "");
    if (location.hash !== `#${anchor}`) history.pushState(null, "", `#${anchor}`);
    return this.jumpTo(anchor);
  }

  reading() {
    const at = this.scroll.atEnd ? null : this.scroll.reading();
    return at?.item.id ? { id: at.item.id, top: at.top } : null;
  }

  goBack({ state }) {
    const was = state?.reading;
    const item = was && document.getElementById(was.id);
    if (item) {
      this.scroll.putBack({ item, top: was.top });
      this.scroll.look();
    } else if (/^#(message|session)-\d+$/.test(location.hash)) this.jumpTo(location.hash.slice(1));
    else this.scroll.goToEnd();
  }
}
