// The graph of people and things with the events they occur in: filters, what is chosen, the picture and the list that has the same.
import { List, fromTemplate } from "./list.js";
import { Stage } from "./stage.js";

const WAIT_MS = 250;
const root = document.querySelector("[data-graph]");
const form = root.querySelector("[data-filters]");
const card = root.querySelector("[data-card]");
const part = (name) => root.querySelector(`[data-${name}]`);

let chosen = null;
let asking = null;
let timer = null;

const actions = { onChoose: choose, onOpen: ({ url }) => location.assign(url) };
const stage = new Stage(part("stage"), actions);
const list = new List(part("list"), actions);

// Entities and events as nodes that know their neighbours.
function read({ entities, events, links }) {
  const byKey = new Map();
  for (const one of entities) byKey.set(`entity-${one.id}`, { ...one, type: "entity" });
  for (const { text, day, ...one } of events) byKey.set(`event-${one.id}`, { ...one, type: "event", kind: "event", name: text, told: day });
  for (const [key, node] of byKey) Object.assign(node, { key, near: [] });
  const drawn = links.map(([entity, event]) => ({ source: byKey.get(`entity-${entity}`), target: byKey.get(`event-${event}`) }));
  for (const { source, target } of drawn) {
    source.near.push(target);
    target.near.push(source);
  }
  return { nodes: [...byKey.values()], links: drawn };
}

function choose(node) {
  chosen = node;
  stage.choose(node);
  list.choose(node);
  showCard(node);
  keepAddress();
}

function showCard(node) {
  part("hint").hidden = node !== null;
  part("chosen").hidden = node === null;
  delete card.dataset.impact;
  if (!node) return;
  if (node.type === "event") card.dataset.impact = node.impact;
  part("word").textContent = node.type === "event" ? `${document.getElementById("sign-event").dataset.one} ${node.signed}` : node.word;
  part("told").textContent = `· ${node.told}`;
  part("name").textContent = node.name;
  part("description").textContent = node.description ?? "";
  part("open").href = node.url;
  part("near").replaceChildren(...node.near.map(nearButton));
}

function nearButton(node) {
  const row = fromTemplate("near", node);
  row.firstElementChild.addEventListener("click", () => {
    choose(node);
    // The button is gone with the card it stood in.
    part("open").focus({ preventScroll: true });
  });
  return row;
}

function asked() {
  const query = new URLSearchParams(new FormData(form));
  return new URLSearchParams([...query].filter(([, value]) => value));
}

// What one sees can be linked to, and is there again when one comes back from what one opened.
function keepAddress() {
  const query = asked().toString();
  history.replaceState(history.state, "", `${location.pathname}${query && `?${query}`}${chosen ? `#${chosen.key}` : ""}`);
}

async function load() {
  asking?.abort();
  asking = new AbortController();
  root.classList.add("is-loading");
  try {
    const answer = await fetch(`${root.dataset.url}?${asked()}`, { signal: asking.signal });
    part("trouble").hidden = answer.ok;
    if (answer.ok) show(await answer.json());
  } catch (error) {
    if (error.name === "AbortError") return;
    part("trouble").hidden = false;
  }
  root.classList.remove("is-loading");
}

function show(answer) {
  const graph = read(answer);
  const key = chosen?.key ?? location.hash.slice(1);
  part("found").hidden = graph.nodes.length === 0;
  part("none").hidden = graph.nodes.length > 0;
  part("said").textContent = graph.nodes.length ? answer.said : "";
  list.choose(null);
  list.show(graph.nodes);
  stage.show(graph);
  choose(graph.nodes.find((node) => node.key === key) ?? null);
}

function loadSoon() {
  clearTimeout(timer);
  timer = setTimeout(load, WAIT_MS);
}

form.addEventListener("input", loadSoon);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(timer);
  load();
});
part("drop").addEventListener("click", () => {
  choose(null);
  part("list").focus();
});
addEventListener("hashchange", () => choose(stage.nodes.find(({ key }) => `#${key}` === location.hash) ?? null));
load();
