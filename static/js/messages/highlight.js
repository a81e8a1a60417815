// Colours code by highlight.js. Its core and each language are loaded when a block first needs them.
const MOST_CHARACTERS = 20_000;
// Each address is written out, since collected files have other names.
const LANGUAGES = {
  bash: () => import("../../vendor/highlight/languages/bash.min.js"),
  c: () => import("../../vendor/highlight/languages/c.min.js"),
  cpp: () => import("../../vendor/highlight/languages/cpp.min.js"),
  csharp: () => import("../../vendor/highlight/languages/csharp.min.js"),
  css: () => import("../../vendor/highlight/languages/css.min.js"),
  diff: () => import("../../vendor/highlight/languages/diff.min.js"),
  dockerfile: () => import("../../vendor/highlight/languages/dockerfile.min.js"),
  go: () => import("../../vendor/highlight/languages/go.min.js"),
  ini: () => import("../../vendor/highlight/languages/ini.min.js"),
  java: () => import("../../vendor/highlight/languages/java.min.js"),
  javascript: () => import("../../vendor/highlight/languages/javascript.min.js"),
  json: () => import("../../vendor/highlight/languages/json.min.js"),
  kotlin: () => import("../../vendor/highlight/languages/kotlin.min.js"),
  lua: () => import("../../vendor/highlight/languages/lua.min.js"),
  makefile: () => import("../../vendor/highlight/languages/makefile.min.js"),
  markdown: () => import("../../vendor/highlight/languages/markdown.min.js"),
  php: () => import("../../vendor/highlight/languages/php.min.js"),
  powershell: () => import("../../vendor/highlight/languages/powershell.min.js"),
  python: () => import("../../vendor/highlight/languages/python.min.js"),
  r: () => import("../../vendor/highlight/languages/r.min.js"),
  ruby: () => import("../../vendor/highlight/languages/ruby.min.js"),
  rust: () => import("../../vendor/highlight/languages/rust.min.js"),
  shell: () => import("../../vendor/highlight/languages/shell.min.js"),
  sql: () => import("../../vendor/highlight/languages/sql.min.js"),
  swift: () => import("../../vendor/highlight/languages/swift.min.js"),
  typescript: () => import("../../vendor/highlight/languages/typescript.min.js"),
  xml: () => import("../../vendor/highlight/languages/xml.min.js"),
  yaml: () => import("../../vendor/highlight/languages/yaml.min.js"),
};
const OTHER_NAMES = {
  "c#": "csharp",
  "c++": "cpp",
  cjs: "javascript",
  console: "shell",
  cs: "csharp",
  docker: "dockerfile",
  golang: "go",
  h: "c",
  hpp: "cpp",
  html: "xml",
  js: "javascript",
  json5: "json",
  jsonc: "json",
  jsx: "javascript",
  kt: "kotlin",
  make: "makefile",
  md: "markdown",
  mjs: "javascript",
  patch: "diff",
  ps1: "powershell",
  py: "python",
  python3: "python",
  rb: "ruby",
  rs: "rust",
  sh: "bash",
  svg: "xml",
  toml: "ini",
  ts: "typescript",
  tsx: "typescript",
  yml: "yaml",
  zsh: "bash",
};
const { DOMPurify } = globalThis;
const asked = new Map();
let core = null;

function languageOf(name) {
  const language = Object.hasOwn(OTHER_NAMES, name) ? OTHER_NAMES[name] : name;
  return Object.hasOwn(LANGUAGES, language) ? language : null;
}

// Colours the blocks below an element. `again` is called once a language that was missing is there.
export function colour(element, again) {
  for (const block of element.querySelectorAll("code[data-language]:not([data-coloured])")) {
    const language = languageOf(block.dataset.language);
    if (!language || block.textContent.length > MOST_CHARACTERS) continue;
    if (core?.getLanguage(language)) paint(block, language);
    else if (!asked.has(language)) asked.set(language, load(language, again));
  }
}

function paint(block, language) {
  const { value } = core.highlight(block.textContent, { language, ignoreIllegals: true });
  block.innerHTML = DOMPurify.sanitize(value, { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"] });
  block.dataset.coloured = "";
}

// What did not come is asked for again with the next block.
async function load(language, again) {
  try {
    const [loaded, grammar] = await Promise.all([import("../../vendor/highlight/core.min.js"), LANGUAGES[language]()]);
    core = loaded.default;
    core.registerLanguage(language, grammar.default);
  } catch {
    asked.delete(language);
    return;
  }
  again();
}
