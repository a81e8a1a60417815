// Lines that are not on the page: they come while one scrolls to where they are missing, and when something leads to one of them.
import { labelTimes } from "../times.js";
import * as lines from "./lines.js";

const list = document.querySelector("[data-lines]");
// They are asked for before one is there.
const AHEAD = "1200px 0px";

function number(id) {
  return id ? Number(id) : null;
}

// Where a line is missing; of a session whose lines are nowhere on the page the earliest gap.
function gapOf(id) {
  const gaps = [...list.querySelectorAll("[data-gap]")];
  if (!id) return gaps[0];
  return gaps.find(({ dataset }) => (number(dataset.after) ?? 0) < id && id < (number(dataset.before) ?? Infinity));
}

async function ask(linesUrl, gap, query) {
  const between = Object.entries({ after: gap.dataset.after, before: gap.dataset.before }).filter(([, id]) => id);
  const address = `${linesUrl}?${new URLSearchParams([...between, ...Object.entries(query)])}`;
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
  lines.renderMarkdown(fresh.content);
  labelTimes(fresh.content);
  return fresh.content;
}

// A stretch is marked with its day where it begins in the middle of one; the lines above it then bring the mark again.
export function dropDoubledMarks() {
  let day = null;
  for (const chip of list.querySelectorAll("[data-day]")) {
    if (chip.dataset.day === day) chip.remove();
    day = chip.dataset.day;
  }
}

export function setUpHistory({ scroll, linesUrl }) {
  const { view } = scroll;
  const observer = new IntersectionObserver(
    (entries) => entries.forEach(({ target, isIntersecting }) => isIntersecting && fill(target)),
    { root: view, rootMargin: AHEAD },
  );

  function watch() {
    for (const gap of list.querySelectorAll("[data-gap]")) observer.observe(gap);
  }

  // From the end one comes to, unless a line in it is asked for.
  async function fill(gap, query) {
    if (gap.ariaBusy === "true") return;
    gap.ariaBusy = "true";
    const isBelow = gap.dataset.after && gap.getBoundingClientRect().top > view.getBoundingClientRect().top + view.clientHeight / 2;
    const html = await ask(linesUrl, gap, query ?? (isBelow ? { down: "" } : {}));
    gap.ariaBusy = "false";
    if (html === null) return;
    const fresh = made(html);
    const isFocused = gap.contains(document.activeElement);
    observer.unobserve(gap);
    gap.replaceWith(fresh);
    if (isFocused) view.focus({ preventScroll: true });
    dropDoubledMarks();
    watch();
  }

  async function jumpTo(anchor) {
    const [kind, id] = anchor.split("-");
    if (!document.getElementById(anchor)) {
      const link = document.querySelector(`[data-session-link="${id}"]`);
      const gap = gapOf(kind === "line" ? Number(id) : number(link?.dataset.first));
      if (gap) await fill(gap, { [kind]: id });
    }
    const target = document.getElementById(anchor);
    if (!target) return;
    scroll.show(target, kind === "session" ? "start" : "center");
    lines.pointOut(target);
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  // Somewhere else in the conversation, from where the browser's back button leads to where one was.
  function visit(anchor) {
    history.replaceState({ reading: reading() }, "");
    if (location.hash !== `#${anchor}`) history.pushState(null, "", `#${anchor}`);
    return jumpTo(anchor);
  }

  function reading() {
    const at = scroll.atEnd ? null : scroll.reading();
    return at?.line.id ? { id: at.line.id, top: at.top } : null;
  }

  async function goBack({ state }) {
    const was = state?.reading;
    const line = was && document.getElementById(was.id);
    if (line) {
      scroll.putBack({ line, top: was.top });
      scroll.look();
    } else if (/^#(line|session)-\d+$/.test(location.hash)) await jumpTo(location.hash.slice(1));
    else scroll.goToEnd();
  }

  list.addEventListener("click", (event) => {
    const gap = event.target.closest("[data-gap]");
    if (gap) fill(gap);
  });
  addEventListener("popstate", goBack);
  watch();
  return { jumpTo, visit };
}
