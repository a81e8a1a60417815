// Follows the newest line while the reader is there, and stays put while the reader is elsewhere.
const NEAR = 56;

export class Scroll {
  constructor(view, toEnd) {
    this.view = view;
    this.toEnd = toEnd;
    this.atEnd = true;
    view.addEventListener("scroll", () => this.look(), { passive: true });
    new ResizeObserver(() => this.follow()).observe(view);
    toEnd.addEventListener("click", () => this.goToEnd());
  }

  look() {
    const { scrollHeight, scrollTop, clientHeight } = this.view;
    this.atEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    if (this.atEnd) this.toEnd.hidden = true;
  }

  goToEnd() {
    this.atEnd = true;
    this.toEnd.hidden = true;
    this.view.scrollTop = this.view.scrollHeight;
  }

  // After something was added at the end.
  follow() {
    if (this.atEnd) this.view.scrollTop = this.view.scrollHeight;
  }

  followOrOffer() {
    if (this.atEnd) this.follow();
    else this.toEnd.hidden = false;
  }

  // Keeps what is seen where it is while `change` adds lines above.
  hold(change) {
    const fromEnd = this.view.scrollHeight - this.view.scrollTop;
    change();
    this.view.scrollTop = this.view.scrollHeight - fromEnd;
  }
}
