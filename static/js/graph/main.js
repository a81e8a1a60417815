// The graph of people and things with their events and facts: filters, what is chosen, the picture and the list that has the same.
import { List, fromTemplate } from "./list.js";
import { Stage } from "./stage.js";

const WAIT_MS = 250;
const root = document.querySelector("[data-graph]");
const form = document.querySelector("[data-filters]");
const card = document.querySelector("[data-card]");
const part = (name) => document.querySelector(`[data-${name}]`);

let chosen = null;
let asking = null;
let timer = null;

const actions = { onChoose: choose, onOpen: ({ url }) => location.assign(url) };
const stage = new Stage(part("stage"), actions);
const list = new List(part("list"), actions);

// Entities, events and facts as nodes that know their neighbours, around the user, who stands in the middle and is linked to whoever they told of.
function read({ entities, events, facts, links, fact_links: factLinks, relations }) {
  const byKey = new Map();
  const you = { key: "you", type: "you", kind: "you", name: document.getElementById("sign-you").dataset.one, near: [], fx: 0, fy: 0 };
  for (const one of entities) byKey.set(`entity-${one.id}`, { ...one, type: "entity" });
  for (const { text, day, ...one } of events) byKey.set(`event-${one.id}`, { ...one, type: "event", kind: "event", name: text, told: day });
  for (const { text, ...one } of facts) byKey.set(`fact-${one.id}`, { ...one, type: "fact", kind: "fact", name: text });
  for (const [key, node] of byKey) Object.assign(node, { key, near: [] });
  const whose = (entity) => (entity === null ? you : byKey.get(`entity-${entity}`));
  const drawn = [
    ...links.map(([entity, event]) => ({ type: "event", source: whose(entity), target: byKey.get(`event-${event}`) })),
    ...factLinks.map(([entity, fact]) => ({ type: "fact", source: whose(entity), target: byKey.get(`fact-${fact}`) })),
    ...relations.map(([a, b]) => ({ type: "relation", source: byKey.get(`fact-${a}`), target: byKey.get(`fact-${b}`) })),
  ];
  for (const { source, target } of drawn) {
    source.near.push(target);
    target.near.push(source);
  }
  const told = entities.map(({ id }) => ({ type: "you", source: you, target: byKey.get(`entity-${id}`) }));
  const nodes = [...byKey.values()];
  return { nodes: nodes.length ? [you, ...nodes] : [], links: [...told, ...drawn] };
}

function choose(node) {
  chosen = node;
  stage.choose(node);
  list.choose(node);
  showCard(node);
  keepAddress();
}

function showCard(node) {
  card.hidden = node === null;
  delete card.dataset.impact;
  if (!node) return;
  if (node.type === "event") card.dataset.impact = node.impact;
  part("word").textContent = node.word ?? `${document.getElementById(`sign-${node.type}`).dataset.one} ${node.signed ?? ""}`;
  part("told").textContent = `· ${node.told}`;
  part("name").textContent = node.name;
  part("description").textContent = node.description ?? "";
  part("open").href = node.url;
  part("near").replaceChildren(...node.near.filter(({ type }) => type !== "you").map(nearButton));
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
  list.show(graph.nodes.filter(({ type }) => type !== "you"));
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
// Beside the picture the list is open; below it, on a phone, it waits.
part("listing").open = matchMedia("(width >= 64rem)").matches;
addEventListener("hashchange", () => choose(stage.nodes.find(({ key }) => `#${key}` === location.hash) ?? null));
load();
