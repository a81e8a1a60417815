// Says what a reply waits for: a model that is silent, or a connection by which to stop it.
const SILENT = 8000; // ms
const place = document.querySelector("[data-reply-status]");

export class ReplyStatus {
  constructor({ strings, send }) {
    this.strings = strings;
    this.send = send;
    this.stopped = null;
  }

  say(text) {
    clearTimeout(this.timer);
    place.hidden = !text;
    place.querySelector("span").textContent = text ?? "";
  }

  begin(turn) {
    this.say(null);
    this.timer = setTimeout(() => this.say(this.strings.silent), SILENT);
    // What was stopped while the connection was away.
    if (this.stopped === turn) this.stop(turn);
  }

  stop(turn) {
    const isSent = this.send({ type: "turn.stop" });
    // A turn that was stopped may be continued.
    this.stopped = isSent ? null : turn;
    this.say(isSent ? null : this.strings.stops_later);
  }
}
