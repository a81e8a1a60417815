// An off-the-record chat: shown while it lasts, and named with each message, so that none of it goes on the record.
const chat = document.querySelector("[data-chat]");
const sign = document.querySelector("[data-off-record]");
const beginButton = document.querySelector("[data-off-record-begin]");
const endButton = document.querySelector("[data-off-record-end]");

export class OffRecord {
  // When it ends, a chat on the record begins; a reply that is being written ends with it.
  constructor({ session, begin, stop }) {
    this.session = session;
    this.begin = begin;
    this.stop = stop;
    beginButton.addEventListener("click", () => this.change(true));
    endButton.addEventListener("click", () => this.change(false));
  }

  async change(isOffRecord) {
    beginButton.disabled = endButton.disabled = true;
    if (!isOffRecord) this.stop(this.session);
    await this.begin(isOffRecord);
    beginButton.disabled = endButton.disabled = false;
    document.getElementById("say").focus();
  }

  show(session) {
    const hadFocus = [beginButton, endButton].includes(document.activeElement);
    this.session = session;
    sign.hidden = session === null;
    beginButton.hidden = session !== null;
    chat.classList.toggle("is-off-record", session !== null);
    if (hadFocus) document.getElementById("say").focus();
  }
}
