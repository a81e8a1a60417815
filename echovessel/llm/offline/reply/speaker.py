"""Composes a short reply by rules: each message goes this way, and the first that has something to say to it does."""

from dataclasses import dataclass

from echovessel import crisis, text
from echovessel.llm.inputs import ReplyInputs
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.english import sayings as english_sayings
from echovessel.llm.offline.reply import context, saying_choice
from echovessel.llm.offline.reply.answers import due_matters, looking_back, our_story
from echovessel.llm.offline.reply.answers.questions import Answerer
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.hearing.tones import HEAVY_TONES, Tone
from echovessel.llm.offline.reply.recall import known_facts, recollection
from echovessel.llm.offline.reply.writer import Writer
from echovessel.llm.offline.text import cue_matching, lexicon, sentences, unwelcome

# Short messages that get a fixed answer, in the order they are looked for.
_PLAIN = {"GOOD_NIGHT": "good_night", "FAREWELL": "farewell", "THANKS": "thanks", "AFFECTION": "affection"}
# Wishes of the user: the reply to them says nothing else.
_WISHES = {
    "HUSH": "hush",
    "ASKS_FONDNESS": "fond",
    "HOSTILE": "hostile",
    "INVITES": "invited",
    "PRAISE": "affection",
    "SORRY": "sorry",
    "HUG": "hug",
}
# What may wait for a greeting.
_PLAIN_KINDS = ("calm", "echoed", "taken_up", "kin")
# A longer message is more than a greeting; in Chinese, and else.
_GREETING = {True: 8, False: 30}
# Of a long message only the beginning is read.
_HEARD_MOST = 2000


def compose(inputs: ReplyInputs) -> str:
    known = context.read(inputs)
    burst = sentences.remove_attention(known.burst[:_HEARD_MOST])
    heard = MessageAnalysis(known, burst, known.is_in_chinese, inputs.felt)
    words = chinese_sayings if known.is_in_chinese else english_sayings
    return Speaker(Writer(known, heard, words)).reply().replace(text.MASK, words.NOT_KEPT)


@dataclass(frozen=True)
class Speaker:
    writer: Writer

    @property
    def context(self) -> ReplyContext:
        return self.writer.context

    @property
    def heard(self) -> MessageAnalysis:
        return self.writer.heard

    def reply(self) -> str:
        if crisis.is_voiced(self.heard.burst):
            return self.writer.say("crisis")
        return (
            self._take_up_noted()
            or self._tell_of_product()
            or self._answer_wish()
            or due_matters.tell_ahead(self.heard.asked, self.writer)
            or looking_back.tell_back(self.heard.asked, self.writer)
            or our_story.answer(self.heard.sentences, self.writer)
            or Answerer(self.writer, comfort=self._take_up).answer()
            or self._answer_small_talk()
            or self._take_up()
        )

    def _take_up_noted(self) -> str:
        """Say what of the message was noted or forgotten; grief and the like are answered first, and not with what ended so."""
        noted = known_facts.take_up(self.writer)
        is_forgotten = (
            any(one.is_new and one.op == "forgotten" for one in self.context.inputs.noted) or self.context.inputs.unmet
        )
        is_hushed = any(map(unwelcome.read_subject, self.heard.sentences))
        if not noted or is_forgotten or is_hushed or self.heard.tone not in HEAVY_TONES:
            return self.writer.join_doubt(noted) if noted else ""
        noted = "" if {one.op for one in self.context.inputs.noted if one.is_new} == {"ended"} else noted
        return self.writer.join(self.writer.say(self.heard.kind, **self.heard.values), noted)

    def _tell_of_product(self) -> str:
        """Answer what one asks about memory and this server: how it works, where it lies, who reads it."""
        kinds = filter(None, map(cue_matching.find_product_kind, self.heard.sentences))
        return next(map(self.writer.say_and_ask, kinds), "")

    def _answer_wish(self) -> str:
        """Answer a wish about how to go on or to be reminded, or a question about a promise."""
        if lexicon.matches("REMINDER", self.heard.asked):
            return self.writer.say("reminder", promise=pronouns.turn_reminder(self.heard.asked))
        if self._hears("ASKS_PROMISE") and self.context.promises:
            return self.writer.say("promised", quote=self.context.promises[0].text)
        if crisis.is_denied(self.heard.burst, before=self.context.earlier[-1:]):
            return self.writer.say("denied_harm")
        if self.context.earlier and sentences.takes_back(self.heard.burst):
            return self.writer.say("joked")
        for cue, kind in _WISHES.items() if self.heard.kind != "set_right" else ():
            # 先不说了，拜拜 only takes leave.
            is_leave = cue == "HUSH" and any(lexicon.matches("FAREWELL", said) for said in self.heard.sentences)
            if cue_matching.has_cue(cue, self.heard.burst) and not is_leave:
                return self.writer.say(kind)
        return ""

    def _answer_small_talk(self) -> str:
        if not self.heard.sentences:
            return self.writer.say("small")
        topical = self.heard.topics
        for pattern, kind in _PLAIN.items():
            is_last_word = self.heard.tone in (Tone.CALM, Tone.FATIGUE) and self._hears(pattern, of=-1)
            ends = kind in ("good_night", "farewell") and is_last_word
            if self._hears(pattern) and (not topical or kind == "affection" or ends or self._is_short()):
                return self.writer.say_and_ask(kind)
        if self.heard.only_greets and not topical and self._is_short() and self.heard.kind != "you_are":
            return self.writer.join_doubt(self._greet())
        is_idle = all(sentences.is_small_talk(one) or cue_matching.has_cue("NODS", one) for one in self.heard.sentences)
        return self.writer.say("small") if is_idle or self.heard.is_bare else ""

    def _greet(self) -> str:
        if self.context.is_opening and self.context.inputs.is_birthday:
            return self.writer.say("birthday")
        if promised := due_matters.take_up_promise(self.writer):
            return promised
        if asked := self._ask_after_event():
            return self.writer.join(self.writer.say("greet"), asked)
        is_first = self.context.is_first_session and bool(self.context.persona_name)
        return self.writer.say_and_ask("greet_first" if is_first else "greet")

    def _is_short(self) -> bool:
        return len(self.heard.burst) <= _GREETING[self.heard.is_chinese] and not self.heard.is_heavy

    def _take_up(self) -> str:
        """Respond to what is new in the burst, and to the memory it recalls; greet who begins with a greeting."""
        heard = self.heard
        if heard.kind in _PLAIN_KINDS and self.context.is_first_session and self._hears("GREETING"):
            return self._greet()
        is_quiet = heard.felt is not None or heard.tone in HEAVY_TONES
        bridge = "" if is_quiet else recollection.bridge(self.writer)
        said = "" if heard.is_heavy else due_matters.take_up_promise(self.writer)
        said = said or self.writer.say(heard.kind, **heard.values) or self.writer.say(str(heard.tone), **heard.values)
        if not (bridge or saying_choice.asks(said)):
            bridge = ("" if is_quiet else self._ask_after_event()) or self.writer.ask(heard.kind, **heard.values)
        return self.writer.join_doubt(said, bridge)

    def _ask_after_event(self) -> str:
        return "" if self.heard.is_heavy else due_matters.ask_after_event(self.writer)

    def _hears(self, pattern: str, of: int = 0) -> bool:
        """Whether a sentence from the place `of` on matches: with -1 the last one."""
        return any(lexicon.matches(pattern, said) for said in self.heard.sentences[of:])
