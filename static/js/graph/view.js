// What part of the graph the stage shows, and how large; moves are glided unless one wants less motion.
const CLOSEST = 3;
const FARTHEST = 0.2;
// However little there is to show.
const LARGEST = 1.4;
// Names do not shrink with the picture: room for them at its edges.
const NAME_ROOM = 36;
const GLIDE_MS = 180;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

export function isCalm() {
  return calm.matches;
}

// Calls `step` with 0 to 1; whoever glides anew ends the glide before.
export class Glide {
  start(step) {
    cancelAnimationFrame(this.frame);
    if (isCalm() || document.hidden) return step(1);
    const began = performance.now();
    const run = (now) => {
      const share = Math.min(1, Math.max(0, (now - began) / GLIDE_MS));
      step(1 - (1 - share) ** 3);
      if (share < 1) this.frame = requestAnimationFrame(run);
    };
    this.frame = requestAnimationFrame(run);
    return undefined;
  }
}

export class View {
  constructor(picture, onChange) {
    this.picture = picture;
    this.group = picture.querySelector("[data-view]");
    this.onChange = onChange;
    this.at = { x: 0, y: 0, zoom: 1 };
    this.glide = new Glide();
  }

  get size() {
    const { width, height } = this.picture.getBoundingClientRect();
    return { width, height };
  }

  set({ x, y, zoom }) {
    this.at = { x, y, zoom };
    this.group.setAttribute("transform", `translate(${x} ${y}) scale(${zoom})`);
    this.picture.style.setProperty("--zoom", zoom);
    this.onChange(zoom);
  }

  glideTo(end) {
    const begin = this.at;
    const between = (name, share) => begin[name] + (end[name] - begin[name]) * share;
    this.glide.start((share) => this.set({ x: between("x", share), y: between("y", share), zoom: between("zoom", share) }));
  }

  move(byX, byY) {
    this.set({ ...this.at, x: this.at.x + byX, y: this.at.y + byY });
  }

  // The point stays where it is while everything else grows or shrinks around it.
  scaled(by, point) {
    const zoom = Math.min(CLOSEST, Math.max(FARTHEST, this.at.zoom * by));
    const grown = zoom / this.at.zoom;
    return { zoom, x: point.x - (point.x - this.at.x) * grown, y: point.y - (point.y - this.at.y) * grown };
  }

  scale(by, { width, height } = this.size) {
    this.glideTo(this.scaled(by, { x: width / 2, y: height / 2 }));
  }

  whole({ left, top, right, bottom }) {
    const { width, height } = this.size;
    const fitting = Math.min((width - 2 * NAME_ROOM) / (right - left), (height - NAME_ROOM) / (bottom - top));
    const zoom = Math.min(LARGEST, Math.max(FARTHEST, fitting));
    return { zoom, x: width / 2 - (zoom * (left + right)) / 2, y: height / 2 - (zoom * (top + bottom)) / 2 };
  }

  // Where a point of the page is in the graph.
  inside({ x, y }) {
    const { left, top } = this.picture.getBoundingClientRect();
    return { x: (x - left - this.at.x) / this.at.zoom, y: (y - top - this.at.y) / this.at.zoom };
  }

  // Brings what is outside to the middle.
  showPoint({ x, y }) {
    const { width, height } = this.size;
    const { zoom } = this.at;
    const there = { x: this.at.x + x * zoom, y: this.at.y + y * zoom };
    const inside = there.x > 24 && there.y > 24 && there.x < width - 24 && there.y < height - 24;
    if (!inside) this.glideTo({ zoom, x: width / 2 - x * zoom, y: height / 2 - y * zoom });
  }
}
