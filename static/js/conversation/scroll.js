// Keeps one's place. The view is laid out from its end, so at the newest message it follows by itself, from the first paint on; elsewhere
// what is read stays where it is, whatever grows or goes above and below it.
const NEAR = 56;
// Below the upper edge, since there may be space between two messages.
const LOOK_AT = [4, 20, 48, 96];
const SETTLING = 400; // ms

// What was out of sight until now has a guessed height. Only Chromium lays it out before it comes into view.
function isLaidOut(item) {
  return (item.firstElementChild ?? item).checkVisibility({ contentVisibilityAuto: true });
}

export class Scroll {
  constructor(view, toEnd) {
    this.view = view;
    this.toEnd = toEnd;
    this.atEnd = true;
    this.anchor = null;
    this.heldUntil = 0;
    view.addEventListener("scroll", () => this.look(), { passive: true });
    for (const moved of ["wheel", "touchstart", "keydown"]) view.addEventListener(moved, () => (this.heldUntil = 0), { passive: true });
    const sizes = new ResizeObserver(() => this.stay());
    sizes.observe(view);
    sizes.observe(view.firstElementChild);
    toEnd.addEventListener("click", () => this.goToEnd());
  }

  look() {
    const fromEnd = -this.view.scrollTop;
    const isHeld = performance.now() <= this.heldUntil;
    this.atEnd = !isHeld && fromEnd < NEAR;
    if (!isHeld) this.anchor = this.atEnd ? null : this.reading();
    if (this.atEnd) this.toEnd.hidden = true;
    else if (fromEnd > this.view.clientHeight) this.toEnd.hidden = false;
  }

  // The message at the upper edge, and how far from it.
  reading() {
    const { left, top, width } = this.view.getBoundingClientRect();
    for (const below of LOOK_AT) {
      let item = document.elementFromPoint(left + width / 2, top + below)?.closest("[data-messages] > *");
      while (item && !isLaidOut(item)) item = item.nextElementSibling;
      if (item) return { item, top: item.getBoundingClientRect().top - top };
    }
    return null;
  }

  // Runs before what changed is painted.
  stay() {
    if (this.atEnd) this.view.scrollTop = 0;
    else if (this.anchor?.item.isConnected) this.putBack(this.anchor);
  }

  putBack({ item, top }) {
    const moved = item.getBoundingClientRect().top - this.view.getBoundingClientRect().top - top;
    if (Math.abs(moved) >= 1) this.view.scrollTop += moved;
  }

  // What is around a message has a guessed height until it is in view: meanwhile the message itself stays where it was brought.
  show(target, block) {
    target.scrollIntoView({ block, behavior: "instant" });
    this.look();
    // Near the end is not at the end: what was brought into view stays there.
    this.atEnd = this.view.scrollTop > -1;
    if (this.atEnd) return;
    this.hold(target);
    this.heldUntil = performance.now() + SETTLING;
  }

  // What is opened or folded in it grows and shrinks below its first line, also where the view followed the end.
  hold(item) {
    this.atEnd = false;
    this.anchor = { item, top: item.getBoundingClientRect().top - this.view.getBoundingClientRect().top };
  }

  goToEnd() {
    this.heldUntil = 0;
    this.atEnd = true;
    this.anchor = null;
    this.toEnd.hidden = true;
    this.view.scrollTop = 0;
  }

  // After something was added at the end.
  followOrOffer() {
    if (this.atEnd) this.goToEnd();
    else this.toEnd.hidden = false;
  }
}
