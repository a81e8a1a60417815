// Puts the pieces of a reply together. Offsets count characters as the server does: whole code points, not UTF-16 units.
export class Stream {
  constructor({ show, askForWhole }) {
    this.show = show;
    this.askForWhole = askForWhole;
    this.turn = null;
  }

  start(turn, text = "") {
    this.turn = turn;
    this.text = text;
    this.length = [...text].length;
    this.waiting = false;
    this.paint();
  }

  get isRunning() {
    return this.turn !== null;
  }

  token({ turn, delta, offset }) {
    if (this.turn !== turn) this.start(turn);
    const added = [...delta].length;
    if (offset === 0) {
      this.text = delta;
      this.length = added;
      this.waiting = false;
    } else if (offset === this.length) {
      this.text += delta;
      this.length += added;
    } else if (offset > this.length) {
      if (!this.waiting) this.askForWhole();
      this.waiting = true;
      return;
    } else {
      return;
    }
    this.paint();
  }

  end(turn) {
    if (this.turn === turn) this.turn = null;
  }

  // At most once a frame, however fast the pieces come.
  paint() {
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (this.turn !== null) this.show(this.turn, this.text);
    });
  }
}
