// The live conversation: frames of the socket on one side, the page on the other.
import { labelTimes } from "../times.js";
import { toast } from "../toasts.js";
import { setUpActions } from "../messages/actions.js";
import { settingsChanged } from "./refresh.js";
import { announce } from "./announce.js";
import { asking } from "./api.js";
import { Composer } from "./composer.js";
import { learnedAtClose } from "./learned.js";
import { Greetings } from "./greetings.js";
import { Leaving } from "./leaving.js";
import { setUpDrawers } from "./drawers.js";
import { setUpEdit } from "../messages/edit.js";
import { setUpFind } from "../sessions/find.js";
import { setUpForget } from "../messages/forget.js";
import { setUpFolding } from "../messages/folding.js";
import { History } from "../messages/history.js";
import { keptChanged, setUpKeeping } from "../messages/keeping.js";
import { readOut } from "../messages/markdown.js";
import * as messages from "../messages/messages.js";
import { setUpBegin, setUpNewChat } from "./new-chat.js";
import * as notes from "../messages/notes.js";
import { OffRecord } from "./off-record.js";
import { Outbox } from "./outbox.js";
import * as places from "../messages/places.js";
import { ReplyStatus } from "./reply-status.js";
import { Scroll } from "./scroll.js";
import { Sending } from "./sending.js";
import { sessionFrames } from "./session-frames.js";
import { sessionsChanged, setUpSessions, spokenIn } from "../sessions/list.js";
import { Connection } from "./socket.js";
import { showState, showTrouble } from "./connection-state.js";
import { Stream } from "./stream.js";
import { tidyingChanged } from "./tidying.js";
import * as timeline from "./timeline.js";
import { setUpVoiceless } from "./voiceless.js";
import { countUnread } from "./unread.js";
import { Variants } from "../messages/variants.js";
import { setUpScene } from "../messages/scene.js";
import { setUpTold } from "../messages/told.js";
import { setUpWhy } from "../messages/reply-explanation.js";
import { setUpWrites } from "../messages/writes.js";

const page = JSON.parse(document.getElementById("page").textContent);
const { bond, strings } = page;
const csrf = document.body.dataset.csrf;
const ask = asking({ bond, csrf, refusals: page.refusals, strings });

const outbox = new Outbox(bond);
const scroll = new Scroll(document.querySelector("[data-conversation]"), document.querySelector("[data-to-end]"));
const stream = new Stream({
  show(turn, text) {
    messages.showReply(turn, text);
    if (text) status.say(null);
    scroll.followOrOffer();
  },
  askForWhole: () => connection.send({ type: "turn.snapshot" }),
});
const composer = new Composer({
  bond,
  onSend: (content) => sending.say(content),
  onStop: () => status.stop(stream.turn),
  onEditLast: () => edit(places.lastSent("user")),
});

const status = new ReplyStatus({ strings, send: (frame) => connection.send(frame) });

const greetings = new Greetings({ onStarter: (text) => composer.put(text) });

const { begin, getBeginning } = setUpBegin(beginChat);

const offRecord = new OffRecord({ session: page.off_record, begin, stop: (session) => isAnswering(session) && status.stop(stream.turn) });

const sending = new Sending({
  outbox,
  composer,
  greetings,
  offRecord,
  scroll,
  strings,
  isOnline: () => connection.isOpen,
  send: (frame) => connection.send(frame),
  post,
  tell: detailOf,
  getBeginning,
});

const leaving = new Leaving({ bond, csrf, session: page.open_session });

const showWrite = setUpWrites({ ask, bond, toast, announce, place: messages.placeLines });

const variants = new Variants({ ask, onTrouble: showTrouble });

function startReply(turn, text) {
  notes.drop(turn);
  variants.begin(turn);
  stream.start(turn, text);
  status.begin(turn);
  composer.showRunning(true);
}

function endReply(turn) {
  stream.end(turn);
  status.say(null);
  composer.showRunning(stream.isRunning);
}

function isAnswering(session) {
  return stream.isRunning && messages.sessionOf(stream.turn) === String(session);
}

// Of a chat that is erased nothing is left on the page, and no frame tells that its reply ended.
function dropReplyIn(session) {
  if (!isAnswering(session)) return;
  messages.dropReply(stream.turn);
  endReply(stream.turn);
}

// A chat that began, here or elsewhere: what the server says of it is what the page shows.
function showChat({ id, at, isOffRecord }) {
  leaving.session = null;
  offRecord.show(isOffRecord ? id : null);
  places.showChat(id, at, isOffRecord);
}

function memoryChanged() {
  timeline.refreshSoon();
}

const frames = {
  ...sessionFrames({ dropReplyIn, leaving, memoryChanged, offRecord, scroll, showChat, strings, variants }),
  "chat.connection.ready"({ reset, running_turn: running }) {
    if (reset) return location.reload();
    sending.sendWaiting();
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
    // The page was left before it heard that the message is stored, and came back with it.
    if (seq === null && messages.isKnown(message.id)) return messages.dropPending(clientId);
    greetings.drop();
    // Answered on another device first, in other words.
    messages.dropPendingGreeting();
    if (message.channel === "web") places.dropEmptyBut(message.session);
    messages.addUserMessage(message, clientId, isOffRecord);
    notes.settle(message.turn);
    variants.begin(message.turn);
    scroll.followOrOffer();
    spokenIn(message.session);
    if (message.channel === "web" && !isOffRecord) leaving.session = message.session;
  },
  "chat.message.greeted"({ seq, message, off_record: isOffRecord }) {
    if (seq === null && messages.isKnown(message.id)) return;
    greetings.drop();
    messages.addGreeting(message, isOffRecord);
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
  "chat.message.done"({ seq, turn, message, content, at, cut_off: cutOff, unnoted, error }) {
    if (seq === null && messages.isKnown(message)) return;
    endReply(turn);
    notes.drop(turn);
    messages.setReply(turn, { id: message, content, at, cutOff, unnoted });
    variants.end(turn, message, { error });
    countUnread();
    told.look(leaving.session);
    if (error) addNote(turn, error);
    announce([`${page.name}: ${readOut(content)}`, cutOff && !error && strings.unfinished].filter(Boolean).join(" · "));
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
  "chat.message.kept": keptChanged,
  "chat.message.chosen"({ turn, message, content, created_at: at, cut_off: cutOff, kept }) {
    messages.setReply(turn, { id: message, content, at, cutOff, kept });
    variants.choose(turn);
    announce(`${page.name}: ${readOut(content)}`);
  },
  "chat.message.deleted"({ message }) {
    variants.forget(message);
    messages.removeMessage(message);
    notes.dropOrphans();
    sessionsChanged();
  },
  async "chat.message.restored"({ message }) {
    messages.mayReturn(message);
    const answer = await fetch(`${location.pathname}lines/${message}/`).catch(() => null);
    // A reply comes back with those that were made in its place, of which only one is shown.
    if (!answer?.ok || answer.redirected) return;
    messages.putBack(await answer.text(), message);
    variants.look();
    sessionsChanged();
  },
  "chat.mood.update"({ episodic_state: state }) {
    const mood = strings.moods[state.mood] ?? state.mood;
    for (const slot of document.querySelectorAll(".chat__who [data-mood]")) {
      slot.textContent = mood;
      slot.closest(".mood").hidden = state.mood === "neutral";
    }
    memoryChanged();
  },
  "chat.settings.updated": ({ changed_fields: changed }) => settingsChanged(changed, page),
  error(error) {
    showTrouble(detailOf(error));
    sending.settleWaiting();
  },
};

function detailOf({ code, detail, stopped }) {
  if (stopped) return strings.stopped;
  return page.refusals[code] ?? detail;
}

function addNote(turn, error) {
  notes.add(turn, detailOf(error), error);
  if (page.refusals[error.code] && !error.stopped) notes.explain(turn);
}

function post(path, body) {
  return fetch(`/api/bonds/${bond}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRFToken": csrf },
    body: JSON.stringify(body),
  });
}

function onFrame(frame) {
  places.showAwaited(frame);
  if (frame.write?.turn) showWrite(frame.write);
  else if (frame.write?.by === "close") learnedAtClose(frame.write.session);
  if (frame.type === "memory.tidying.updated") tidyingChanged(frame);
  else if (frame.type.startsWith("memory.")) memoryChanged();
  else frames[frame.type]?.(frame);
}

// Begins a chat, or shows the empty one there is; true if it did. Other pages hear of it by a frame.
async function beginChat(isOffRecord) {
  const answer = await ask("sessions/", "POST", { off_record: isOffRecord });
  if (!answer.ok) return showTrouble(strings.not_started);
  const { id, started_at: at, off_record: isOff } = answer.body;
  showTrouble(null);
  showChat({ id, at, isOffRecord: isOff });
  scroll.goToEnd();
  announce(isOff ? strings.off_record : strings.new_chat);
  sessionsChanged();
  return true;
}

setUpNewChat({ composer, begin });

notes.setUpRetry({ retry: () => connection.send({ type: "turn.retry" }), field: composer.field });

setUpFolding(scroll);
messages.renderMarkdown();
document.querySelector("[data-messages]").dataset.ready = "";
labelTimes();
setUpDrawers();
setUpVoiceless();
const past = new History({ scroll, messagesUrl: `${location.pathname}lines/`, announce });
const visit = (anchor) => past.visit(anchor);
setUpSessions({ bond, csrf, visit });
setUpFind({ visit });
timeline.setUpTimeline({ ask, jumpTo: visit });
tidyingChanged({ waiting: 0, running: page.tidying });
for (const waiting of outbox.all()) {
  if (waiting.greeting) greetings.takeUp(waiting.greeting);
  messages.addPending(waiting, strings.waiting);
}
const isOffRecord = (one) => offRecord.session !== null && one.dataset.session === String(offRecord.session);
const pages = `${location.pathname}lines/`;
const told = setUpTold({ bond, pages, least: page.window_least, ask, strings, toast });
const edit = setUpEdit({ ask, pages, strings, toast, isOffRecord, stop: () => connection.send({ type: "turn.stop" }) });
setUpActions({
  edit,
  isOffRecord,
  told,
  endScene: setUpScene({ ask, strings, toast }),
  keeping: setUpKeeping({ ask, strings, toast, announce }),
  strings,
  announce,
  toast,
  why: setUpWhy({ bond, strings, jumpTo: visit }),
  forget: setUpForget({ ask, strings, toast, isOffRecord, hasOthers: (one) => variants.has(one) }),
});
told.look(page.open_session);
// A first chat begins with whom one talks to; on a small screen its end may hide that.
if (greetings.beginning?.isConnected) scroll.show(greetings.beginning, "start");
else scroll.goToEnd();
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
