// Says so when the last tab of a bond is closed, so that its chat need not wait until it is idle.
// Tabs of one browser know of each other here; pages elsewhere report to the server by their sockets.
export class Leaving {
  // The session is the open chat, once something was said in it on the record.
  constructor({ bond, csrf, session }) {
    this.path = `/api/bonds/${bond}/sessions/`;
    this.csrf = csrf;
    this.session = session;
    this.tab = Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-");
    this.others = new Set();
    this.channel = new BroadcastChannel(`echovessel.tabs.${bond}`);
    this.channel.addEventListener("message", ({ data }) => this.hear(data));
    this.say("opened");
  }

  say(what) {
    this.channel.postMessage({ tab: this.tab, what });
  }

  hear({ tab, what }) {
    if (what === "closed") this.others.delete(tab);
    else this.others.add(tab);
    if (what === "opened") this.say("here");
  }

  closed(session) {
    if (this.session === session) this.session = null;
  }

  // A form, since a beacon has no headers for the token.
  leave() {
    this.say("closed");
    if (this.session === null || this.others.size) return;
    navigator.sendBeacon(`${this.path}${this.session}/leave/`, new URLSearchParams({ csrfmiddlewaretoken: this.csrf }));
  }

  // From the browser's memory of pages: others may have come and gone meanwhile.
  comeBack() {
    this.others.clear();
    this.say("opened");
  }
}
