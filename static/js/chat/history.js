// Earlier lines: htmx loads them while one scrolls up; a jump to an old session or line loads what lies between.
import { labelTimes } from "../times.js";
import { closeDrawer } from "./drawers.js";
import * as lines from "./lines.js";

const list = document.querySelector("[data-lines]");

function keepInPlace(scroll) {
  let fromEnd = 0;
  list.addEventListener("htmx:beforeSwap", () => {
    fromEnd = scroll.view.scrollHeight - scroll.view.scrollTop;
  });
  list.addEventListener("htmx:afterSwap", () => {
    lines.renderMarkdown();
    labelTimes(list);
    scroll.view.scrollTop = scroll.view.scrollHeight - fromEnd;
  });
}

async function loadBackTo(query, { scroll, linesUrl }) {
  const older = list.querySelector("[data-older]");
  if (!older) return;
  const first = list.querySelector("[data-line]");
  const answer = await fetch(`${linesUrl}?before=${first.dataset.line}&${query}`);
  if (!answer.ok) return;
  const html = await answer.text();
  scroll.hold(() => {
    older.outerHTML = html;
    lines.renderMarkdown();
    labelTimes(list);
  });
  window.htmx.process(list);
}

export function setUpHistory(context) {
  const { scroll } = context;
  keepInPlace(scroll);

  async function jumpTo(anchor) {
    if (!document.getElementById(anchor)) {
      const [kind, id] = anchor.split("-");
      if (kind === "session" || kind === "line") await loadBackTo(`${kind}=${id}`, context);
    }
    const target = document.getElementById(anchor);
    if (!target) return;
    target.scrollIntoView({ block: anchor.startsWith("session") ? "start" : "center", behavior: "smooth" });
    lines.pointOut(target);
  }

  document.querySelector("[data-sessions]").addEventListener("click", (event) => {
    const link = event.target.closest("[data-session-link]");
    if (!link) return;
    event.preventDefault();
    closeDrawer();
    jumpTo(`session-${link.dataset.sessionLink}`);
  });
  return { jumpTo };
}
