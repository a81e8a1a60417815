// Messages that are not on the page: they are loaded when the person scrolls to a gap or follows a link to one.
import { labelTimes } from "../times.js";
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

export class History {
  constructor({ scroll, messagesUrl }) {
    this.scroll = scroll;
    this.view = scroll.view;
    this.messagesUrl = messagesUrl;
    this.running = new Map();
    this.observer = new IntersectionObserver(
      (entries) => entries.forEach(({ target, isIntersecting }) => isIntersecting && this.fill(target)),
      { root: this.view, rootMargin: AHEAD },
    );
    list.addEventListener("click", (event) => {
      const gap = event.target.closest("[data-gap]");
      if (gap) this.fill(gap);
    });
    addEventListener("popstate", (event) => this.goBack(event));
    this.watch();
  }

  watch() {
    for (const gap of list.querySelectorAll("[data-gap]")) this.observer.observe(gap);
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
    gap.replaceWith(fresh);
    if (isFocused) this.view.focus({ preventScroll: true });
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
