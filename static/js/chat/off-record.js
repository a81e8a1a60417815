// A talk off the record: shown for as long as it lasts, and named with each line, so that none of it ever goes on the record.
const chat = document.querySelector("[data-chat]");
const sign = document.querySelector("[data-off-record]");
const beginButton = document.querySelector("[data-off-record-begin]");
const endButton = document.querySelector("[data-off-record-end]");

export class OffRecord {
  constructor({ bond, session, post, onTrouble }) {
    this.bond = bond;
    this.session = session;
    this.post = post;
    this.onTrouble = onTrouble;
    beginButton.addEventListener("click", () => this.change(true));
    endButton.addEventListener("click", () => this.change(false));
  }

  // Ending it begins a talk on the record in its place.
  async change(isOffRecord) {
    beginButton.disabled = endButton.disabled = true;
    const answer = await this.post("sessions/", { off_record: isOffRecord });
    beginButton.disabled = endButton.disabled = false;
    if (answer.ok) this.show(isOffRecord ? (await answer.json()).id : null);
    else this.onTrouble();
  }

  // Whether a session that began, here or on another page, is one off the record.
  async look(id) {
    const answer = await fetch(`/api/bonds/${this.bond}/sessions/${id}/`);
    if (!answer.ok) return false;
    const session = await answer.json();
    if (session.channel !== "web" || session.status !== "open") return false;
    this.show(session.off_record ? id : null);
    return session.off_record;
  }

  show(session) {
    const hadFocus = [beginButton, endButton].includes(document.activeElement);
    this.session = session;
    sign.hidden = session === null;
    beginButton.hidden = session !== null;
    chat.classList.toggle("is-off-record", session !== null);
    if (hadFocus) document.querySelector("[data-composer] textarea").focus();
  }
}
