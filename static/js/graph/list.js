// The same nodes as a list of one tab stop: arrow keys choose, Enter opens, letters lead to a name.
function fill(element, node) {
  const mark = element.querySelector(".graph__mark");
  if (node.type === "event") {
    element.dataset.impact = node.impact;
    mark.textContent = node.signed;
  } else mark.append(document.getElementById(`sign-${node.kind}`).content.cloneNode(true));
  element.querySelector(".graph__label").textContent = node.name;
  const count = element.querySelector(".graph__count");
  if (count && node.type !== "fact") count.textContent = node.told;
}

export function fromTemplate(id, node) {
  const part = document.getElementById(id).content.firstElementChild.cloneNode(true);
  fill(part.matches("li") ? part.firstElementChild : part, node);
  return part;
}

export class List {
  constructor(element, { onChoose, onOpen }) {
    Object.assign(this, { element, onChoose, onOpen, nodes: [], chosen: null });
    element.addEventListener("click", (event) => {
      const node = this.nodeOf(event.target.closest("[role=option]"));
      if (node) onChoose(node);
    });
    element.addEventListener("dblclick", () => this.chosen && onOpen(this.chosen));
    element.addEventListener("keydown", (event) => this.key(event));
  }

  nodeOf(option) {
    return this.nodes.find(({ option: own }) => own === option) ?? null;
  }

  // In the order in which the page has its kinds.
  show(nodes) {
    const kinds = [...document.querySelectorAll("template[data-word]")];
    const groups = kinds.map((kind) => [kind, nodes.filter((node) => `sign-${node.kind}` === kind.id)]).filter(([, found]) => found.length);
    this.nodes = groups.flatMap(([, found]) => found);
    this.element.replaceChildren(...groups.map(([kind, found]) => this.group(kind, found)));
  }

  group(kind, found) {
    const group = document.createElement("div");
    const head = document.createElement("div");
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", kind.dataset.word);
    head.className = "graph__group";
    head.setAttribute("aria-hidden", "true");
    head.textContent = kind.dataset.word;
    group.append(head, ...found.map((node) => this.option(node)));
    return group;
  }

  option(node) {
    node.option = fromTemplate("option", node);
    node.option.id = `option-${node.key}`;
    node.option.setAttribute("aria-selected", "false");
    return node.option;
  }

  choose(node) {
    this.chosen?.option.setAttribute("aria-selected", "false");
    this.chosen = node;
    if (!node) return this.element.removeAttribute("aria-activedescendant");
    node.option.setAttribute("aria-selected", "true");
    this.element.setAttribute("aria-activedescendant", node.option.id);
    this.scrollTo(node.option);
    return undefined;
  }

  // Only the list scrolls, never the page under the hand.
  scrollTo(option) {
    const list = this.element.getBoundingClientRect();
    const place = option.getBoundingClientRect();
    if (place.top < list.top + 8) this.element.scrollTop -= list.top - place.top + 8;
    else if (place.bottom > list.bottom - 8) this.element.scrollTop += place.bottom - list.bottom + 8;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" && this.chosen) this.onOpen(this.chosen);
    else {
      const next = this.nextOf(event.key);
      if (!next) return;
      this.onChoose(next);
    }
    event.preventDefault();
  }

  nextOf(key) {
    const { nodes } = this;
    const at = nodes.indexOf(this.chosen);
    const places = { ArrowDown: Math.min(at + 1, nodes.length - 1), ArrowUp: Math.max(at - 1, 0), Home: 0, End: nodes.length - 1 };
    if (key in places) return nodes[places[key]];
    if ([...key].length !== 1 || key === " ") return null;
    const later = [...nodes.slice(at + 1), ...nodes.slice(0, at + 1)];
    return later.find(({ name }) => name.toLowerCase().startsWith(key.toLowerCase())) ?? null;
  }
}
