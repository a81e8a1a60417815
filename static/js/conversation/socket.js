// The socket: connects, resumes, retries with growing pauses, and reports its state.
const FIRST_PAUSE = 800;
const LONGEST_PAUSE = 5000; // a server that was killed is back in seconds
const SILENCE = 75_000; // more than two heartbeats

// Codes after which trying again is of no use.
const NOT_SIGNED_IN = 4401;
const NOT_FOUND = 4404;

export class Connection {
  constructor({ bond, after, onFrame, onState }) {
    this.address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/bonds/${bond}/`;
    this.seq = after;
    this.onFrame = onFrame;
    this.onState = onState;
    this.pause = FIRST_PAUSE;
    addEventListener("online", () => this.connectNow());
    addEventListener("offline", () => this.socket?.close());
    document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && this.connectNow());
    this.connect();
  }

  get isOpen() {
    return this.ready === true;
  }

  connect() {
    clearTimeout(this.timer);
    this.ready = false;
    const socket = new WebSocket(`${this.address}?after=${this.seq}`);
    this.socket = socket;
    this.onState({ state: "connecting" });
    socket.addEventListener("message", (event) => this.receive(socket, JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lost(event.code));
  }

  connectNow() {
    if (this.socket.readyState === WebSocket.CLOSED) this.connect();
  }

  receive(socket, frame) {
    if (socket !== this.socket) return;
    this.expectSignOfLife();
    if (frame.type === "chat.connection.ready") {
      this.ready = true;
      this.pause = FIRST_PAUSE;
      this.onState({ state: "online" });
    }
    // A frame may come twice, live and on resuming; the log's order tells which is new.
    if (frame.seq !== null && frame.seq !== undefined) {
      if (frame.seq <= this.seq) return;
      this.seq = frame.seq;
    }
    this.onFrame(frame);
  }

  lost(code) {
    this.ready = false;
    clearTimeout(this.silence);
    if (code === NOT_SIGNED_IN || code === NOT_FOUND) {
      this.onState({ state: "offline", gone: true });
      return;
    }
    const wait = this.pause * (0.75 + Math.random() / 2);
    this.pause = Math.min(this.pause * 2, LONGEST_PAUSE);
    this.onState({ state: "offline", retryAt: Date.now() + wait });
    this.timer = setTimeout(() => this.connect(), wait);
  }

  expectSignOfLife() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.socket.close(), SILENCE);
  }

  // Says whether it went out; nothing is queued here.
  send(frame) {
    if (!this.isOpen || this.socket.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(frame));
    return true;
  }
}
