// Code in replies: coloured where its language is known, and each block has a button that copies it.
const blank = document.getElementById("copy-code");
// Loaded with the first block that names a language. Until it is there, and where it does not come, code has one colour.
let highlighter = null;
let loading = null;

export function addCopyButtons(element) {
  for (const block of element.querySelectorAll("pre")) {
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, blank.content.firstElementChild.cloneNode(true));
  }
}

// At once where it can be, so that a reply keeps its colours while it is rendered anew with each piece that comes.
export function colourCode(element) {
  if (!element.querySelector("[data-language]:not([data-language=''])")) return;
  if (highlighter) highlighter.colour(element, colourPage);
  else loading ??= load();
}

async function load() {
  highlighter = await import("./highlight.js").catch(() => null);
  loading = null;
  if (highlighter) colourPage();
}

function colourPage() {
  highlighter.colour(document, colourPage);
}
