// Where the nodes of the graph stand: the vendored simulation, with this page's distances.
const { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } = globalThis.d3;

const PUSH = { entity: -340, event: -110 };
// The name below an entity needs room too.
const ROOM = { entity: 14, event: 4 };

export function radius({ type, count, impact }) {
  return type === "entity" ? 13 + Math.min(11, 3 * Math.sqrt(count)) : 7 + Math.abs(impact) / 2.5;
}

export function arrange(nodes, links) {
  return forceSimulation(nodes)
    .force("link", forceLink(links).distance(72))
    .force("push", forceManyBody().strength(({ type }) => PUSH[type]).distanceMax(420))
    .force("apart", forceCollide(({ type, radius: own }) => own + ROOM[type]))
    .force("x", forceX().strength(0.06))
    .force("y", forceY().strength(0.08))
    .stop();
}

// Nodes that have no place yet are spread first; what a person dragged stays where it was put.
export function settle(simulation, { anew }) {
  simulation.alpha(anew ? 1 : 0.4).tick(anew ? 300 : 120);
}

export function bounds(nodes) {
  const within = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of nodes) {
    const room = node.radius + 8;
    within.left = Math.min(within.left, node.x - room);
    within.right = Math.max(within.right, node.x + room);
    within.top = Math.min(within.top, node.y - room);
    within.bottom = Math.max(within.bottom, node.y + room);
  }
  return within;
}
