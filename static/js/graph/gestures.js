// Pointer, wheel and keys on the stage: drag a node, move the picture, pinch and scroll to resize it.
const STILL_PX = 4;
const KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

export class Gestures {
  // `nodeAt` finds the node of an element; `actions` are `drag`, `drop`, `choose`, `open` and `whole`.
  constructor({ element, view, nodeAt, actions }) {
    Object.assign(this, { element, view, nodeAt, actions });
    this.fingers = new Map();
    const on = (name, listener) => element.addEventListener(name, (event) => listener.call(this, event));
    on("pointerdown", this.down);
    on("pointermove", this.move);
    on("pointerup", this.up);
    on("pointercancel", this.up);
    on("dblclick", (event) => this.open(event));
    on("keydown", this.key);
    element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  down(event) {
    if (event.button !== 0 || event.target.closest("button")) return;
    this.element.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    this.begin = { x: event.clientX, y: event.clientY, moved: this.fingers.size > 1 };
    this.held = this.fingers.size === 1 ? this.nodeAt(event.target) : null;
  }

  move(event) {
    const was = this.fingers.get(event.pointerId);
    if (!was) return;
    const now = { x: event.clientX, y: event.clientY };
    this.begin.moved ||= Math.hypot(now.x - this.begin.x, now.y - this.begin.y) > STILL_PX;
    if (this.begin.moved && this.fingers.size === 2) this.pinch(event.pointerId, was, now);
    else if (this.begin.moved && this.held) this.actions.drag(this.held, this.view.inside(now));
    else if (this.begin.moved) {
      this.view.picture.classList.add("is-panning");
      this.view.move(now.x - was.x, now.y - was.y);
    }
    if (this.begin.moved) this.fingers.set(event.pointerId, now);
  }

  pinch(id, was, now) {
    const [other] = [...this.fingers].filter(([finger]) => finger !== id).map(([, point]) => point);
    const apart = (point) => Math.max(1, Math.hypot(point.x - other.x, point.y - other.y));
    const { left, top } = this.element.getBoundingClientRect();
    const middle = { x: (now.x + other.x) / 2 - left, y: (now.y + other.y) / 2 - top };
    this.view.set(this.view.scaled(apart(now) / apart(was), middle));
    this.view.move((now.x - was.x) / 2, (now.y - was.y) / 2);
  }

  up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    this.view.picture.classList.remove("is-panning");
    if (this.begin.moved) {
      if (this.held) this.actions.drop();
    } else if (event.type === "pointerup") this.actions.choose(this.held);
    if (this.fingers.size === 0) this.held = null;
  }

  // The pointer is captured, so the event's own target is the stage.
  open(event) {
    const node = this.nodeAt(document.elementFromPoint(event.clientX, event.clientY));
    if (node) this.actions.open(node);
  }

  // Scrolling past the picture scrolls the page; once one is at it, or with Ctrl as a pinch sends it, it resizes.
  wheel(event) {
    if (!event.ctrlKey && !event.metaKey && !this.element.contains(document.activeElement)) return;
    event.preventDefault();
    const { left, top } = this.element.getBoundingClientRect();
    const by = Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002) * (event.ctrlKey ? 3 : 1));
    this.view.set(this.view.scaled(by, { x: event.clientX - left, y: event.clientY - top }));
  }

  key(event) {
    if (event.target !== this.element || event.ctrlKey || event.metaKey || event.altKey) return;
    if (KEYS[event.key]) this.view.move(...KEYS[event.key]);
    else if (event.key === "+" || event.key === "=") this.view.scale(1.3);
    else if (event.key === "-") this.view.scale(1 / 1.3);
    else if (event.key === "0") this.actions.whole();
    else return;
    event.preventDefault();
  }
}
