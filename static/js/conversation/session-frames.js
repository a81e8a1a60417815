// Frames about chats: what the page does when one begins, ends, is renamed, forgotten or back again.
import * as notes from "../messages/notes.js";
import * as places from "../messages/places.js";
import { sessionsChanged } from "../sessions/list.js";
import { showTrouble } from "./connection-state.js";

export function sessionFrames({ dropReplyIn, leaving, memoryChanged, offRecord, scroll, showChat, strings, variants }) {
  return {
    "chat.session.restored": () => location.reload(),
    "chat.session.boundary"({ closed_session: closed, new_session: fresh, title, at, channel, off_record: isOffRecord }) {
      if (closed) {
        leaving.closed(closed);
        places.titleRule(closed, title);
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
      dropReplyIn(session);
      places.dropSession(session);
      notes.dropOrphans();
      if (offRecord.session === session) {
        offRecord.show(null);
        showTrouble(strings.off_record_over);
      }
      sessionsChanged();
      memoryChanged();
    },
    "chat.session.updated"({ session, title, changed }) {
      if (changed.includes("title") || changed.includes("auto_title")) places.titleRule(session, title ?? strings.new_chat);
      if (changed.includes("status")) memoryChanged();
      sessionsChanged();
    },
    "chat.session.failed"() {
      sessionsChanged();
      memoryChanged();
    },
  };
}
