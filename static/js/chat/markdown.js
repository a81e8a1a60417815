// Markdown of replies, made safe twice: markup is shown as the text it is, and what comes out is sanitised. Nothing is loaded from
// elsewhere.
import DOMPurify from "../../vendor/dompurify/purify.es.js";
import { Marked } from "../../vendor/marked/marked.esm.js";

function escape(text) {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: { html: ({ text }) => escape(text), image: ({ text }) => escape(text) },
});
const RULES = {
  ALLOWED_TAGS: [
    "p", "br", "em", "strong", "del", "code", "pre", "blockquote", "ul", "ol", "li", "a", "hr",
    "h1", "h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td",
  ],
  ALLOWED_ATTR: ["href", "title", "start"],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
};

DOMPurify.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName !== "A") return;
  node.target = "_blank";
  node.rel = "noopener noreferrer nofollow";
});

export function showMarkdown(element, text) {
  element.innerHTML = DOMPurify.sanitize(marked.parse(text), RULES);
  element.classList.add("is-markdown");
}
