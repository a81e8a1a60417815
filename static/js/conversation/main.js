// The live conversation: frames of the socket on one side, the page on the other.
import { labelTimes } from "../times.js";
import { toast } from "../toasts.js";
import { setUpActions } from "../messages/actions.js";
import { settingsChanged } from "./refresh.js";
import { takeAbout } from "./about.js";
import { asking } from "./api.js";
import { Composer } from "./composer.js";
import { Leaving } from "./leaving.js";
import { closeDrawer, setUpDrawers } from "./drawers.js";
import { setUpFind } from "../sessions/find.js";
import { setUpForget } from "../messages/forget.js";
import { History } from "../messages/history.js";
import { setUpKeeping } from "../messages/keeping.js";
import * as messages from "../messages/messages.js";
import { OffRecord } from "./off-record.js";
import { Outbox } from "./outbox.js";
import { Scroll } from "./scroll.js";
import { sessionsChanged, setUpSessions, spokenIn } from "../sessions/list.js";
import { Connection } from "./socket.js";
import { showState, showTrouble } from "./connection-state.js";
import { Stream } from "./stream.js";
import * as timeline from "./timeline.js";
import { Variants } from "../messages/variants.js";
import { setUpWhy } from "../messages/reply-explanation.js";
import { setUpWrites } from "../messages/writes.js";

const page = JSON.parse(document.getElementById("page").textContent);
const { bond, strings } = page;
const csrf = document.body.dataset.csrf;
const announcer = document.querySelector("[data-announce]");
const ask = asking({ bond, csrf, refusals: page.refusals, strings });

const outbox = new Outbox(bond);
const scroll = new Scroll(document.querySelector("[data-conversation]"), document.querySelector("[data-to-end]"));
const stream = new Stream({
  show(turn, text) {
    messages.showReply(turn, text);
    scroll.followOrOffer();
  },
  askForWhole: () => connection.send({ type: "turn.snapshot" }),
});
const composer = new Composer({ bond, strings, onSend: say, onStop: () => connection.send({ type: "turn.stop" }) });

const offRecord = new OffRecord({ session: page.off_record, begin });

const leaving = new Leaving({ bond, csrf, session: page.open_session });

const showWrite = setUpWrites({ ask, bond, toast, announce, place: messages.placeLines });

const variants = new Variants({ ask, onTrouble: showTrouble });

function say(content) {
  showTrouble(null);
  const waiting = outbox.put(content, { session: offRecord.session, about: takeAbout() });
  document.querySelector("[data-beginning]")?.remove();
  messages.addPending(waiting, connection.isOpen ? strings.sending : strings.waiting);
  scroll.goToEnd();
  connection.send({ type: "message.send", ...waiting });
}

// Spaced, since the server closes a connection that brings too much at once.
async function sendWaiting() {
  for (const waiting of outbox.all()) {
    if (!connection.send({ type: "message.send", ...waiting })) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function startReply(turn, text) {
  messages.dropNote(turn);
  variants.begin(turn);
  stream.start(turn, text);
  composer.showRunning(true);
}

function endReply(turn) {
  stream.end(turn);
  composer.showRunning(stream.isRunning);
}

// A chat that began, here or elsewhere: what the server says of it is what the page shows.
function showChat({ id, at, isOffRecord }) {
  leaving.session = null;
  offRecord.show(isOffRecord ? id : null);
  messages.showChat(id, at, isOffRecord);
}

function memoryChanged() {
  timeline.refreshSoon();
}

const frames = {
  "chat.connection.ready"({ reset, running_turn: running }) {
    if (reset) return location.reload();
    sendWaiting();
    if (running) startReply(running.id, running.text);
    else if (stream.isRunning) {
      messages.dropReply(stream.turn);
      variants.settle();
      endReply(stream.turn);
    }
    return undefined;
  },
  "chat.message.user_appended"({ seq, message, client_id: clientId, off_record: isOffRecord }) {
    if (clientId) outbox.remove(clientId);
    if (seq === null && messages.isKnown(message.id)) return;
    document.querySelector("[data-beginning]")?.remove();
    messages.addUserMessage(message, clientId, isOffRecord);
    messages.settleNotes(message.turn);
    variants.begin(message.turn);
    scroll.followOrOffer();
    spokenIn(message.session);
    if (message.channel === "web" && !isOffRecord) leaving.session = message.session;
  },
  "chat.message.typing"({ turn }) {
    if (stream.turn === turn) return;
    startReply(turn);
    messages.showReply(turn, "");
    scroll.followOrOffer();
  },
  "chat.message.token"(frame) {
    if (!stream.isRunning) startReply(frame.turn);
    stream.token(frame);
  },
  "chat.message.done"({ seq, turn, message, content, at, cut_off: cutOff, error }) {
    if (seq === null && messages.isKnown(message)) return;
    endReply(turn);
    messages.dropNote(turn);
    messages.setReply(turn, { id: message, content, at, cutOff });
    variants.end(turn, message, { error });
    if (error) addNote(turn, error);
    announce([`${page.name}: ${content}`, cutOff && !error && strings.stopped].filter(Boolean).join(" · "));
    scroll.followOrOffer();
  },
  "chat.message.error"({ turn, ...error }) {
    endReply(turn);
    messages.dropReply(turn);
    variants.fail(turn);
    addNote(turn, error);
    announce(detailOf(error));
    scroll.followOrOffer();
  },
  "chat.message.kept": ({ message, kept }) => messages.showKept(messages.find(message), kept),
  "chat.message.chosen"({ turn, message, content, created_at: at, cut_off: cutOff, kept }) {
    messages.setReply(turn, { id: message, content, at, cutOff, kept });
    variants.choose(turn);
    announce(`${page.name}: ${content}`);
  },
  "chat.message.deleted"({ message }) {
    variants.forget(message);
    messages.removeMessage(message);
    sessionsChanged();
  },
  async "chat.message.restored"({ message }) {
    const answer = await fetch(`${location.pathname}lines/${message}/`);
    // A reply comes back with those that were made in its place, of which only one is shown.
    if (!answer.ok || answer.redirected) return;
    messages.putBack(await answer.text(), message);
    variants.look();
    sessionsChanged();
  },
  "chat.session.restored": () => location.reload(),
  "chat.session.boundary"({ closed_session: closed, new_session: fresh, title, at, channel, off_record: isOffRecord }) {
    if (closed) {
      leaving.closed(closed);
      messages.titleRule(closed, title);
      variants.close(closed);
    }
    // Of a chat that is over and gone there is nothing to show, and pages do not talk in those of programs.
    if (fresh && channel === "web" && isOffRecord !== null) {
      showChat({ id: fresh, at, isOffRecord });
      scroll.followOrOffer();
    }
    sessionsChanged();
    memoryChanged();
  },
  "chat.session.forgotten"({ session }) {
    leaving.closed(session);
    messages.dropSession(session);
    if (offRecord.session === session) {
      offRecord.show(null);
      showTrouble(strings.off_record_over);
    }
    sessionsChanged();
    memoryChanged();
  },
  "chat.session.updated"({ session, title, changed }) {
    if (changed.includes("title") || changed.includes("auto_title")) messages.titleRule(session, title ?? strings.new_chat);
    if (changed.includes("status")) memoryChanged();
    sessionsChanged();
  },
  "chat.session.failed"() {
    sessionsChanged();
    memoryChanged();
  },
  "chat.mood.update"({ episodic_state: state }) {
    const mood = strings.moods[state.mood] ?? state.mood;
    document.querySelectorAll(".chat__who [data-mood]").forEach((slot) => (slot.textContent = mood));
    memoryChanged();
  },
  "chat.settings.updated": ({ changed_fields: changed }) => settingsChanged(changed, page),
  error(error) {
    showTrouble(detailOf(error));
    settleWaiting();
  },
};

// A refused frame does not name its message. Sent one by one, the server names it, and stores none twice.
async function settleWaiting() {
  for (const waiting of outbox.all()) {
    const answer = await post("messages/", waiting);
    if (answer.status >= 400 && answer.status < 500) refuse(waiting, (await answer.json()).detail);
  }
}

// What the server will not take goes back to where it was written.
function refuse({ client_id: clientId, content }, detail) {
  outbox.remove(clientId);
  messages.dropPending(clientId);
  composer.put([content, composer.content].filter(Boolean).join("\n"));
  showTrouble(detail);
}

function detailOf({ code, detail, stopped }) {
  if (stopped) return strings.stopped;
  return page.refusals[code] ?? detail;
}

function addNote(turn, error) {
  messages.addNote(turn, detailOf(error), error);
}

function announce(text) {
  announcer.textContent = text;
}

function post(path, body) {
  return fetch(`/api/bonds/${bond}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
    body: JSON.stringify(body),
  });
}

function onFrame(frame) {
  if (frame.write?.turn) showWrite(frame.write);
  if (frame.type.startsWith("memory.")) memoryChanged();
  else frames[frame.type]?.(frame);
}

// Begins a chat, or shows the empty one there is. Other pages hear of it by a frame.
async function begin(isOffRecord) {
  const answer = await post("sessions/", { off_record: isOffRecord }).catch(() => null);
  if (!answer?.ok) return showTrouble(strings.not_started);
  const { id, started_at: at, off_record: isOff } = await answer.json();
  showTrouble(null);
  showChat({ id, at, isOffRecord: isOff });
  scroll.goToEnd();
  announce(isOff ? strings.off_record : strings.new_chat);
  return sessionsChanged();
}

function newChat() {
  closeDrawer();
  composer.field.focus();
  return begin(false);
}

document.querySelector("[data-new-chat]").addEventListener("click", newChat);
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
  event.preventDefault();
  newChat();
});
if (/Mac|iPhone|iPad/.test(navigator.platform)) document.querySelector("[data-shortcut]").textContent = "⌘ K";

document.querySelector("[data-messages]").addEventListener("click", (event) => {
  const button = event.target.closest("[data-retry]");
  if (button && connection.send({ type: "turn.retry" })) button.disabled = true;
});

messages.renderMarkdown();
document.querySelector("[data-messages]").dataset.ready = "";
labelTimes();
setUpDrawers();
const past = new History({ scroll, messagesUrl: `${location.pathname}lines/` });
const visit = (anchor) => past.visit(anchor);
setUpSessions({ bond, csrf, visit });
setUpFind({ visit });
timeline.setUpTimeline({ bond, csrf, jumpTo: visit });
for (const waiting of outbox.all()) messages.addPending(waiting, strings.waiting);
if (page.failed_turn) addNote(page.failed_turn.id, page.failed_turn);
const isOffRecord = (one) => offRecord.session !== null && one.dataset.session === String(offRecord.session);
setUpActions({
  isOffRecord,
  keeping: setUpKeeping({ ask, strings, toast, announce }),
  strings,
  announce,
  toast,
  why: setUpWhy({ bond, strings, jumpTo: visit }),
  forget: setUpForget({
    ask,
    strings,
    toast,
    isOffRecord,
    hasOthers: (one) => variants.has(one),
  }),
});
scroll.goToEnd();
if (/^#(message|session)-\d+$/.test(location.hash)) past.jumpTo(location.hash.slice(1));
if (matchMedia("(width >= 48rem)").matches) composer.field.focus({ preventScroll: true });

const connection = new Connection({
  bond,
  after: page.seq,
  onFrame,
  onState(state) {
    showState(state, strings);
    messages.sayOfPending(state.state === "online" ? strings.sending : strings.waiting);
  },
});
document.querySelector("[data-connect-now]").addEventListener("click", () => connection.connectNow());
addEventListener("pagehide", () => {
  connection.socket.close();
  leaving.leave();
});
addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  connection.connectNow();
  leaving.comeBack();
});
