// The picture: nodes and links as SVG, placed by the layout, coloured by the style sheet.
import { Gestures } from "./gestures.js";
import { arrange, bounds, radius, settle } from "./layout.js";
import { Tip } from "./tip.js";
import { Glide, View, isCalm } from "./view.js";

const SVG = "http://www.w3.org/2000/svg";
const NAME_CHARACTERS = 22;
const NAME_PX = 13;

function make(name, attributes, text) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
}

function short(name) {
  const characters = [...name];
  return characters.length > NAME_CHARACTERS ? `${characters.slice(0, NAME_CHARACTERS - 1).join("")}…` : name;
}

function drawSign(node, group) {
  const side = node.radius * 1.1;
  const sign = document.getElementById(`sign-${node.kind}`).content.firstElementChild.cloneNode(true);
  for (const [key, value] of Object.entries({ x: -side / 2, y: -side / 2, width: side, height: side })) sign.setAttribute(key, value);
  group.append(sign);
}

function drawNode(node) {
  const group = make("g", { class: `node node--${node.type}`, "data-key": node.key });
  if (node.type === "event") group.dataset.impact = node.impact;
  group.append(make("circle", { class: "node__ground", r: node.radius }));
  if (node.type === "event" || node.type === "fact") return group;
  drawSign(node, group);
  node.label = make("text", { class: "node__name" }, short(node.name));
  group.append(node.label);
  return group;
}

export class Stage {
  constructor(element, { onChoose, onOpen }) {
    this.element = element;
    this.picture = element.querySelector("svg");
    this.nodes = [];
    this.links = [];
    this.glide = new Glide();
    this.tip = new Tip(element.querySelector("[data-tip]"), this.picture);
    this.view = new View(this.picture, (zoom) => this.zoomed(zoom));
    const actions = {
      drag: (node, point) => this.drag(node, point),
      drop: () => this.simulation.alphaTarget(0),
      // The user is where one lets go of what one chose.
      choose: (node) => onChoose(node?.type === "you" ? null : node),
      open: (node) => node.url && onOpen(node),
      whole: () => this.showAll(),
    };
    const nodeAt = (target) => this.nodes.find(({ key }) => key === target?.closest("[data-key]")?.dataset.key) ?? null;
    for (const name of ["pointerover", "pointerout"]) this.picture.addEventListener(name, (event) => this.tip.show(name === "pointerover" ? nodeAt(event.target) : this.chosen));
    this.gestures = new Gestures({ element, view: this.view, nodeAt, actions });
    const tools = { nearer: () => this.view.scale(1.3), farther: () => this.view.scale(1 / 1.3), whole: actions.whole, tidy: () => this.tidy() };
    for (const button of element.querySelectorAll("[data-tool]")) button.addEventListener("click", tools[button.dataset.tool]);
    new ResizeObserver(() => this.nodes.length && !this.touched && this.view.set(this.view.whole(bounds(this.nodes)))).observe(element);
    for (const name of ["pointerdown", "wheel", "keydown"]) element.addEventListener(name, () => (this.touched = true));
  }

  // What was there before keeps its place, as far as its new neighbours let it.
  show({ nodes, links }) {
    const before = new Map(this.nodes.map((node) => [node.key, node]));
    for (const node of nodes) {
      node.radius = radius(node);
      const { x, y, fx, fy } = before.get(node.key) ?? {};
      if (x !== undefined) Object.assign(node, { x, y, fx, fy });
    }
    this.simulation?.stop();
    this.nodes = nodes;
    this.links = links;
    this.simulation = arrange(nodes, links).on("tick", () => this.place());
    this.draw();
    this.touched = false;
    this.settle({ anew: before.size === 0 });
  }

  draw() {
    this.lines = this.links.map((link) => Object.assign(make("line", { class: `link link--${link.type}` }), { link }));
    for (const node of this.nodes) node.element = drawNode(node);
    this.picture.querySelector("[data-links]").replaceChildren(...this.lines);
    // The most mentioned are drawn last, on top.
    this.picture.querySelector("[data-nodes]").replaceChildren(...this.nodes.map(({ element }) => element).reverse());
    for (const { label } of this.nodes) if (label) label.dataset.width = label.getComputedTextLength() * this.view.at.zoom;
  }

  settle({ anew }) {
    const begin = this.nodes.map(({ x, y }) => ({ x, y }));
    settle(this.simulation, { anew });
    const end = this.nodes.map(({ x, y }) => ({ x, y }));
    const view = this.view.whole(bounds(this.nodes));
    if (anew) {
      this.view.set(view);
      this.place();
      return;
    }
    this.view.glideTo(view);
    this.glide.start((share) => {
      this.nodes.forEach((node, at) => {
        node.x = begin[at].x + (end[at].x - begin[at].x) * share;
        node.y = begin[at].y + (end[at].y - begin[at].y) * share;
      });
      this.place();
    });
  }

  place() {
    for (const { element, label, x, y, radius: r } of this.nodes) {
      element.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
      label?.setAttribute("y", (r + 4 + NAME_PX / this.view.at.zoom).toFixed(1));
    }
    for (const line of this.lines) {
      const { source, target } = line.link;
      for (const [name, value] of [["x1", source.x], ["y1", source.y], ["x2", target.x], ["y2", target.y]]) line.setAttribute(name, value.toFixed(1));
    }
    this.tip.follow();
    this.declutterSoon();
  }

  zoomed(zoom) {
    this.tip.follow();
    for (const { label, radius: r } of this.nodes) label?.setAttribute("y", (r + 4 + NAME_PX / zoom).toFixed(1));
    this.declutterSoon();
  }

  declutterSoon() {
    cancelAnimationFrame(this.decluttering);
    this.decluttering = requestAnimationFrame(() => this.declutter());
  }

  // Names that would lie over a more mentioned one wait until one is nearer.
  declutter() {
    const { zoom } = this.view.at;
    const taken = [];
    for (const { label, x, y, radius: r } of this.nodes) {
      if (!label) continue;
      const half = label.dataset.width / 2 + 2;
      const top = (y + r + 4) * zoom;
      const box = { left: x * zoom - half, right: x * zoom + half, top, bottom: top + NAME_PX + 3 };
      const crowded = taken.some((one) => box.left < one.right && box.right > one.left && box.top < one.bottom && box.bottom > one.top);
      label.classList.toggle("is-crowded", crowded);
      if (!crowded) taken.push(box);
    }
  }

  drag(node, { x, y }) {
    this.tip.show(null);
    Object.assign(node, { fx: x, fy: y });
    if (isCalm()) {
      Object.assign(node, { x, y });
      this.place();
    } else this.simulation.alphaTarget(0.2).restart();
  }

  tidy() {
    for (const node of this.nodes) if (node.type !== "you") Object.assign(node, { fx: null, fy: null });
    this.settle({ anew: false });
  }

  showAll() {
    this.view.glideTo(this.view.whole(bounds(this.nodes)));
  }

  choose(node) {
    this.picture.classList.toggle("has-chosen", node !== null);
    for (const one of this.nodes) {
      one.element.classList.toggle("is-chosen", one === node);
      one.element.classList.toggle("is-near", Boolean(node?.near.includes(one)));
    }
    for (const line of this.lines) {
      const { source, target } = line.link;
      line.classList.toggle("is-near", source === node || target === node);
    }
    this.chosen = node;
    this.tip.show(node);
    if (node) this.view.showPoint(node);
  }
}
