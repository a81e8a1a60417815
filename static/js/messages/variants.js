// The replies of the newest turn: one stands, the others can be chosen as long as nothing came after them, and another can be asked for.
import { keepOrder } from "../order.js";
import * as messages from "./messages.js";

const bar = document.getElementById("replies").content.firstElementChild;
const another = bar.querySelector("[data-another-reply]");
const more = bar.querySelector("[data-continue-reply]");
const several = bar.querySelector("[data-several]");
const count = bar.querySelector("[data-reply-count]");
const steps = [...bar.querySelectorAll("[data-reply-step]")];

export class Variants {
  constructor({ ask, onTrouble }) {
    this.ask = ask;
    this.onTrouble = onTrouble;
    this.takeTurn = keepOrder();
    another.addEventListener("click", () => this.askFor("regenerate"));
    more.addEventListener("click", () => this.askFor("continue"));
    for (const step of steps) step.addEventListener("click", () => this.step(Number(step.dataset.replyStep)));
    this.clear();
    this.look();
  }

  // What the server says of a message it has rendered.
  look() {
    const item = document.querySelector(".message[data-replies]");
    if (!item) return;
    this.turn = item.dataset.turn;
    this.messages = item.dataset.replies.split(" ").map(Number);
    this.mayHaveAnother = item.dataset.another !== undefined;
    delete item.dataset.replies;
    this.show();
  }

  clear() {
    this.turn = null;
    this.messages = [];
    this.busy = false;
    bar.remove();
  }

  // Whatever begins anew makes all before it part of what came after.
  begin(turn) {
    if (turn !== this.turn) {
      this.clear();
      return;
    }
    this.busy = true;
    this.show();
  }

  end(turn, message, { error }) {
    if (turn !== this.turn) {
      this.turn = turn;
      this.messages = [];
    }
    if (!this.messages.includes(message)) this.messages.push(message);
    this.mayHaveAnother = !error;
    this.settle();
  }

  fail(turn) {
    if (turn !== this.turn) return;
    this.mayHaveAnother = false;
    this.settle();
  }

  settle() {
    this.busy = false;
    this.show();
  }

  choose(turn) {
    this.takeTurn()();
    if (turn === this.turn) this.show();
  }

  // A reply goes with all that were made in its place.
  forget(message) {
    if (this.messages.includes(message)) this.clear();
  }

  has(item) {
    return this.turn !== null && item.dataset.turn === this.turn && this.messages.length > 1;
  }

  close(session) {
    if (this.item?.dataset.session === String(session)) this.clear();
  }

  get item() {
    return this.turn && messages.replyOf(this.turn);
  }

  get place() {
    return this.messages.indexOf(Number(this.item?.dataset.message));
  }

  show() {
    const { item, place } = this;
    if (!item) return;
    const foot = item.querySelector(".message__foot");
    if (bar.parentElement !== foot) foot.append(bar);
    another.hidden = !this.mayHaveAnother;
    const hadFocus = document.activeElement === more;
    more.hidden = item.dataset.isCut === undefined;
    if (hadFocus && more.hidden) another.focus();
    several.hidden = this.messages.length < 2;
    count.textContent = `${place + 1} / ${this.messages.length}`;
    setDisabled(another, this.busy);
    setDisabled(more, this.busy);
    for (const step of steps) setDisabled(step, this.busy || !this.messages[place + Number(step.dataset.replyStep)]);
  }

  // Another reply, or the rest of one that was cut off.
  async askFor(act) {
    if (this.busy) return;
    this.onTrouble(null);
    this.busy = true;
    this.show();
    const answer = await this.ask(`turns/${this.turn}/${act}/`);
    if (!answer.ok) this.refused(answer);
  }

  async step(by) {
    const message = this.messages[this.place + by];
    if (!message || this.busy) return;
    this.onTrouble(null);
    this.busy = true;
    this.show();
    const isNewest = this.takeTurn();
    const answer = await this.ask(`messages/${message}/choose/`);
    if (!answer.ok) return this.refused(answer);
    const { turn, content, cut_off: cutOff, created_at: at } = answer.body;
    // The frame that tells every page may have come first, and after it that of another choice.
    if (isNewest()) messages.setReply(turn, { id: message, content, at, cutOff });
    return this.settle();
  }

  refused({ code, detail }) {
    this.onTrouble(detail);
    if (code === "too_late") this.clear();
    else this.settle();
  }
}

// Not by `disabled`, which would take the focus away in the middle.
function setDisabled(button, isOff) {
  button.setAttribute("aria-disabled", String(isOff));
}
