// Where the nodes of the graph stand: the vendored simulation, with this page's distances.
const { forceCollide, forceLink, forceManyBody, forceSimulation, forceX, forceY } = globalThis.d3;

const PUSH = { you: -600, entity: -420, event: -70, fact: -90 };
const DISTANCE = { you: 150, event: 64, fact: 58, relation: 90 };
// Whoever is only known to the user is held loosely; what belongs to somebody stays with them.
const HOLD = { you: 0.12, event: 0.8, fact: 0.7, relation: 0.2 };
// The name below an entity needs room too, in width as well.
const ROOM = { you: 18, event: 4, fact: 4 };
const NAME_PX = 3.4;

export function radius({ type, count, impact }) {
  if (type === "you") return 24;
  if (type === "fact") return 6;
  return type === "entity" ? 13 + Math.min(11, 3 * Math.sqrt(count)) : 4.5 + Math.abs(impact) / 2.5;
}

function room({ type, radius: own, name }) {
  return type === "entity" ? Math.max(own + 14, Math.min(64, [...name].length * NAME_PX)) : own + ROOM[type];
}

export function arrange(nodes, links) {
  return forceSimulation(nodes)
    .force("link", forceLink(links).distance(({ type }) => DISTANCE[type]).strength(({ type }) => HOLD[type]))
    .force("push", forceManyBody().strength(({ type }) => PUSH[type]).distanceMax(480))
    .force("apart", forceCollide(room))
    .force("x", forceX().strength(0.04))
    .force("y", forceY().strength(0.07))
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
