// What a dot tells: at the pointer's node, or at the one that is chosen, by key too.
const TOLD = ["event", "fact"];
const EDGE_PX = 8;

export class Tip {
  constructor(element, picture) {
    Object.assign(this, { element, picture, node: null });
  }

  show(node) {
    this.node = node && TOLD.includes(node.type) ? node : null;
    this.element.hidden = this.node === null;
    if (!this.node) return;
    const { name, told, signed } = this.node;
    this.element.firstElementChild.textContent = [signed, told].filter(Boolean).join(" · ");
    this.element.lastElementChild.textContent = name;
    this.follow();
  }

  // Above its node, below where there is no room, and never outside the picture.
  follow() {
    if (!this.node?.element.isConnected) return;
    const stage = this.picture.getBoundingClientRect();
    const dot = this.node.element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const left = dot.left + dot.width / 2 - stage.left - width / 2;
    const above = dot.top - stage.top - height - EDGE_PX;
    this.element.style.left = `${Math.max(EDGE_PX, Math.min(left, stage.width - width - EDGE_PX))}px`;
    this.element.style.top = `${above > EDGE_PX ? above : dot.bottom - stage.top + EDGE_PX}px`;
  }
}
