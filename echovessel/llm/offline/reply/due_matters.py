"""Takes up what has come due: a promise of the companion, or what the user told of before its day."""

import re
from types import ModuleType

from echovessel.llm.offline.reply import memory_sentences, retrieval
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.saying_choice import SayingChoice

# Whom it is to ask, the companion asks now: "Ask the user how the interview went."
_ASK_THE_USER = re.compile(r"^(?:to )?ask the user (?=how|about|what|whether|if)|^问(?:问|一下)?用户", re.IGNORECASE)


def take_up_promise(context: ReplyContext, wording: SayingChoice) -> str:
    """Keep a promise whose day has come; "" where there is none."""
    due = next((promise for promise in context.promises if promise.is_due), None)
    if due is None:
        return ""
    if re.search(r"\bI\b|我", due.text):
        return wording.choose("kept_word", quote=due.text)
    asked = _ASK_THE_USER.sub("", due.text)
    return wording.choose("kept_promise", quote=asked if asked != due.text else memory_sentences.address_user(due.text))


def ask_after_event(context: ReplyContext, wording: SayingChoice, words: ModuleType) -> str:
    """Ask after what is due since the last talk; "" where nothing is, or the user tells of it."""
    due = next((one for one in context.due if not retrieval.score(one.text, context.burst)), None)
    if due is None:
        return ""
    quote = memory_sentences.cite(due.text)
    if due.days_ahead < 0:
        return wording.choose("due_past", quote=quote)
    return wording.choose("due_ahead", quote=quote, when=memory_sentences.say_day(due.day, words, context.today))
