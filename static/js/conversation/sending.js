// What is said here: shown at once, kept until the server has it, sent again where it was not.
import * as messages from "../messages/messages.js";
import { takeAbout } from "./about.js";
import { showTrouble } from "./connection-state.js";
import { takeContinued } from "./continued.js";

export class Sending {
  // `send` gives a frame to the socket and tells whether it went; `post` asks the bond's API; `tell` puts a refusal into words.
  constructor({ outbox, composer, greetings, offRecord, scroll, strings, isOnline, send, post, tell, getBeginning }) {
    Object.assign(this, { outbox, composer, greetings, offRecord, scroll, strings, isOnline, send, post, tell, getBeginning });
  }

  async say(content) {
    const beginning = this.getBeginning();
    if (beginning && !(await this.composer.holdUntil(beginning, content))) return this.putBack(content);
    showTrouble(null);
    const session = takeContinued() ?? this.offRecord.session;
    const named = { session, about: takeAbout(), greeting: this.greetings.take() };
    const waiting = this.outbox.put(content, named);
    messages.addPending(waiting, this.isOnline() ? this.strings.sending : this.strings.waiting);
    this.scroll.goToEnd();
    return this.send({ type: "message.send", ...waiting });
  }

  // Spaced, since the server closes a connection that brings too much at once.
  async sendWaiting() {
    for (const waiting of this.outbox.all()) {
      if (!this.send({ type: "message.send", ...waiting })) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  // A refused frame does not name its message. Sent one by one, the server names it, and stores none twice.
  async settleWaiting() {
    for (const waiting of this.outbox.all()) {
      const answer = await this.post("messages/", waiting);
      if (answer.status < 400 || answer.status >= 500) continue;
      const error = await answer.json();
      // Another refused frame asked for the same.
      if (!this.outbox.has(waiting.client_id)) continue;
      const isChatGone = error.code === "not_found" && waiting.session;
      this.refuse(waiting, isChatGone ? this.strings.chat_gone : this.tell(error));
    }
  }

  // What the server will not take goes back to where it was written.
  refuse({ client_id: clientId, content, greeting }, detail) {
    this.outbox.remove(clientId);
    if (greeting) this.greetings.putBack();
    messages.dropPending(clientId);
    this.putBack(content);
    showTrouble(detail);
  }

  putBack(content) {
    this.composer.put([content, this.composer.content].filter(Boolean).join("\n"));
  }
}
