// A long message of one's own is folded, so that its reply stands near it. What the browser finds in it opens it, and so does a link to it.
import { clone, list } from "./places.js";

// As a bubble on a wide page has room for; letters of East Asian scripts take two.
const COLUMNS = 60;
const MOST_LINES = 16;

function countLines(text) {
  const columnsOf = (line) => line.length + (line.match(/[\u2e80-\uffef]/g)?.length ?? 0);
  return text.split("\n").reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / COLUMNS)), 0);
}

export function foldLong(item) {
  const text = item.querySelector("[data-text]");
  item.querySelector("[data-unfold]")?.remove();
  const isLong = countLines(text.textContent) > MOST_LINES;
  item.classList.toggle("is-folded", isLong);
  if (isLong) text.after(clone("unfold"));
}

function setFolded(item, isFolded) {
  item.classList.toggle("is-folded", isFolded);
  item.querySelector("[data-unfold]").ariaExpanded = String(!isFolded);
  item.querySelector("[data-text]").scrollTop = 0;
}

export function unfold(item) {
  if (item.matches(".is-folded")) setFolded(item, false);
}

export function setUpFolding(scroll) {
  list.addEventListener("click", (event) => {
    const item = event.target.closest("[data-unfold]")?.closest(".message");
    if (!item) return;
    scroll.hold(item);
    setFolded(item, !item.matches(".is-folded"));
    if (item.matches(".is-folded")) scroll.show(item, "nearest");
  });
  // Only what the browser finds in it, or selects, scrolls it.
  list.addEventListener("scroll", ({ target }) => target.matches(".is-folded > [data-text]") && unfold(target.parentElement), true);
}
