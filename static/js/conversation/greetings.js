// How a first chat begins: one greeting at a time, arrows to the others, and starters that fill the composer. Nothing is sent before
// the user answers.
import { showMarkdown } from "../messages/markdown.js";
import * as messages from "../messages/messages.js";

export class Greetings {
  constructor({ onStarter }) {
    this.beginning = document.querySelector("[data-beginning]");
    this.texts = [...document.querySelectorAll("[data-greeting]")].map((box) => ({
      box,
      id: box.dataset.greeting,
      content: box.textContent.trim(),
    }));
    this.at = 0;
    for (const { box, content } of this.texts) showMarkdown(box, content);
    this.beginning?.addEventListener("click", (event) => {
      const step = event.target.closest("[data-greeting-step]");
      if (step) this.show(this.at + Number(step.dataset.greetingStep));
      const starter = event.target.closest("[data-starter]");
      if (starter) onStarter(starter.textContent);
    });
  }

  show(number) {
    this.at = (number + this.texts.length) % this.texts.length;
    this.texts.forEach(({ box }, n) => (box.hidden = n !== this.at));
    const count = this.beginning.querySelector("[data-greeting-count]");
    if (count) count.textContent = `${this.at + 1} / ${this.texts.length}`;
  }

  // The id of the greeting that is answered, while one is shown; it stands above the answer from then on.
  take() {
    const isShown = this.beginning?.isConnected;
    this.drop();
    if (!isShown || !this.texts.length) return null;
    const { id, content } = this.texts[this.at];
    messages.addPendingGreeting(content);
    return id;
  }

  // An answer that was not sent yet when the page was left: with the greeting that it answers.
  takeUp(id) {
    const number = this.texts.findIndex((greeting) => greeting.id === id);
    if (number < 0) return;
    this.show(number);
    this.take();
  }

  drop() {
    this.beginning?.remove();
  }

  // The answer was refused: the greeting waits for another.
  putBack() {
    if (!messages.dropPendingGreeting()) return;
    document.querySelector(".conversation__column").prepend(this.beginning);
  }
}
