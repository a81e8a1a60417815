// Markdown of replies, made safe twice: markup is shown as the text it is, and what comes out is sanitised. Nothing is loaded from
// elsewhere.
import "../../vendor/dompurify/purify.min.js";
import { addCopyButtons, colourCode } from "./code.js";
import { Marked } from "../../vendor/marked/marked.esm.js";

const { DOMPurify } = globalThis;

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// An image is not fetched: its text leads to it.
function linkToImage({ href, text }) {
  return `<a href="${escape(href)}">${escape(text || href)}</a>`;
}

// The language is for `code.js`: classes do not pass the rules below.
function showCode({ text, lang }) {
  const language = (lang ?? "").match(/^\S*/)[0].toLowerCase();
  return `<pre><code data-language="${escape(language)}">${escape(text)}\n</code></pre>\n`;
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escape(text), image: linkToImage, code: showCode },
});
const RULES = {
  ALLOWED_TAGS: [
    "p", "br", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a", "hr",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td", "input",
  ],
  ALLOWED_ATTR: ["href", "title", "start", "align", "checked"],
  // Without this, the pattern of addresses is asked of these values too.
  ADD_URI_SAFE_ATTR: ["start", "align"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
};

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") leadOutside(node);
  if (node.tagName === "INPUT") showBox(node);
});

function leadOutside(link) {
  link.target = "_blank";
  link.rel = "noopener noreferrer nofollow";
}

// The box of a task: it shows, and cannot be ticked.
function showBox(box) {
  box.type = "checkbox";
  box.disabled = true;
  box.setAttribute("aria-label", box.parentElement.textContent.trim());
}

function render(text) {
  return DOMPurify.sanitize(marked.parse(text), RULES);
}

// A reply as it is read out: without stars and bars.
export function readOut(text) {
  const holder = document.createElement("template");
  holder.innerHTML = render(text);
  return holder.content.textContent.trim();
}

export function showMarkdown(element, text) {
  element.innerHTML = render(text);
  colourCode(element);
  addCopyButtons(element);
  element.classList.add("is-markdown");
}
