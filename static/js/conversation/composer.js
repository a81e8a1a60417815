// Where one writes: grows, keeps its draft per bond, sends on Enter but not in the middle of an input method's word.
const MOST = 20_000;
// Who meant to stop a reply that has just ended does not send instead.
const STOPPING = 500; // ms

export const TOUCH = matchMedia("(pointer: coarse)");

export class Composer {
  constructor({ bond, onSend, onStop, onEditLast }) {
    this.form = document.querySelector("[data-composer]");
    this.field = this.form.querySelector("textarea");
    this.sendButton = this.form.querySelector("[data-send]");
    this.stopButton = this.form.querySelector("[data-stop]");
    this.length = this.form.querySelector("[data-length]");
    this.draft = `echovessel.draft.${bond}`;
    // What was said and is not sent yet, which is part of the draft: nothing is lost where the page is left before.
    this.held = [];
    this.onSend = onSend;
    this.onStop = onStop;
    this.onEditLast = onEditLast;
    this.runningUntil = -STOPPING;
    this.takeUpDraft(localStorage.getItem(this.draft));
    this.field.addEventListener("input", () => this.changed());
    this.field.addEventListener("keydown", (event) => this.pressed(event));
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (performance.now() > this.runningUntil + STOPPING) this.send();
    });
    this.stopButton.addEventListener("click", onStop);
    addEventListener("resize", () => this.grow());
    addEventListener("storage", (event) => event.key === this.draft && this.takeOver(event.newValue));
    this.changed();
  }

  // What was typed before this script came follows the draft, which some browsers put back themselves.
  takeUpDraft(draft) {
    if (draft && !this.field.value.startsWith(draft)) this.field.value = [draft, this.field.value].filter(Boolean).join("\n");
  }

  takeOver(value) {
    if (document.activeElement === this.field && document.hasFocus()) return;
    this.field.value = value ?? "";
    this.changed();
  }

  get content() {
    return this.field.value.trim();
  }

  pressed(event) {
    const act = this.actOf(event.key);
    if (!act || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    act();
  }

  actOf(key) {
    if (key === "Enter") return () => this.send();
    if (key === "Escape" && !this.stopButton.hidden) return this.onStop;
    if (key === "ArrowUp" && !this.field.value) return this.onEditLast;
    return null;
  }

  changed() {
    const { value } = this.field;
    this.keepDraft();
    this.grow();
    const characters = value.length > MOST / 2 ? [...this.content].length : 0;
    const over = characters > MOST;
    this.length.textContent = characters > MOST * 0.9 ? `${characters.toLocaleString()} / ${MOST.toLocaleString()}` : "";
    this.length.classList.toggle("is-over", over);
    this.sendButton.disabled = !this.content || over;
  }

  keepDraft() {
    const draft = [...this.held, this.field.value].filter(Boolean).join("\n");
    if (draft) localStorage.setItem(this.draft, draft);
    else localStorage.removeItem(this.draft);
  }

  async holdUntil(ready, content) {
    this.held.push(content);
    this.keepDraft();
    const answer = await ready;
    this.held.splice(this.held.indexOf(content), 1);
    this.keepDraft();
    return answer;
  }

  // For browsers without `field-sizing`.
  grow() {
    if (CSS.supports("field-sizing", "content")) return;
    this.field.style.height = "auto";
    this.field.style.height = `${this.field.scrollHeight}px`;
  }

  send() {
    if (this.sendButton.disabled) return;
    const { content } = this;
    this.field.value = "";
    this.changed();
    this.field.focus();
    this.onSend(content);
  }

  put(content) {
    this.field.value = content;
    this.changed();
    this.field.focus();
  }

  showRunning(running) {
    if (!running && !this.stopButton.hidden) this.runningUntil = performance.now();
    const hadFocus = [this.sendButton, this.stopButton].includes(document.activeElement);
    this.stopButton.hidden = !running;
    this.sendButton.hidden = running;
    if (!hadFocus) return;
    if (running) this.stopButton.focus();
    // On a phone the keyboard would come up and move all that is above it.
    else if (!TOUCH.matches) this.field.focus();
  }
}
