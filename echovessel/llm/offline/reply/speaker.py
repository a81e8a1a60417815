"""Composes a short reply by rules: responds to the message, answers questions, and asks in one reply of three."""

from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from echovessel import crisis
from echovessel.llm.inputs import ReplyInputs
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.english import sayings as english_sayings
from echovessel.llm.offline.reply import (
    context,
    due_matters,
    known_facts,
    memory_sentences,
    our_story,
    persona_answers,
    question_kinds,
    recollection,
    retrieval,
    saying_choice,
    user_statements,
)
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.reply.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.retrieval import FoundAnswer
from echovessel.llm.offline.reply.saying_choice import SayingChoice
from echovessel.llm.offline.reply.tones import HEAVY_TONES, Tone
from echovessel.llm.offline.text import cue_matching, lexicon, referents, sentences

# Short messages that get a fixed answer, in the order they are looked for.
_PLAIN = (
    ("ASKS_WHAT_IT_IS", "what_it_is"),
    ("ASKS_WHO", "who"),
    ("ASKS_HOW_YOU_ARE", "how_i_am"),
    ("GOOD_NIGHT", "good_night"),
    ("FAREWELL", "farewell"),
    ("THANKS", "thanks"),
    ("AFFECTION", "affection"),
)
# Wishes of the user: the reply to them says nothing else.
_WISHES = {
    "HUSH": "hush",
    "ASKS_FONDNESS": "fond",
    "HOSTILE": "hostile",
    "INVITES": "invited",
    "PRAISE": "affection",
    "SORRY": "sorry",
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
    return Speaker(known, heard, chinese_sayings if known.is_in_chinese else english_sayings).reply()


@dataclass(frozen=True)
class Speaker:
    context: ReplyContext
    heard: MessageAnalysis
    words: ModuleType

    @cached_property
    def wording(self) -> SayingChoice:
        return SayingChoice({**self.words.SAYINGS}, said=self.context.replies, seed=self.heard.burst)

    @cached_property
    def questions(self) -> SayingChoice:
        return SayingChoice({**self.words.QUESTIONS}, said=self.context.replies, seed=self.heard.burst)

    def reply(self) -> str:
        if crisis.is_voiced(self.heard.burst):
            return self._say("crisis")
        return (
            self._take_up_noted()
            or self._answer_wish()
            or due_matters.tell_ahead(self.context, self.heard.asked, self.wording, self.words)
            or our_story.answer(self.heard.sentences, self.context, self.wording, self.words)
            or self._answer_question()
            or self._answer_small_talk()
            or self._take_up()
        )

    def _take_up_noted(self) -> str:
        """Say what of the message was noted or forgotten; grief and the like are answered first, and not with what ended so."""
        noted = known_facts.take_up(self.context, self.wording, self.words)
        is_forgotten = any(one.is_new and one.op == "forgotten" for one in self.context.noted) or self.context.unmet
        if not noted or is_forgotten or self.heard.tone not in HEAVY_TONES:
            return self._join_doubt(noted) if noted else ""
        noted = "" if {one.op for one in self.context.noted if one.is_new} == {"ended"} else noted
        return self._join(self._say(self.heard.kind, **self.heard.values), noted)

    def _answer_wish(self) -> str:
        """Answer a wish about how to go on or to be reminded, or a question about a promise."""
        if lexicon.matches("REMINDER", self.heard.asked):
            return self._say("reminder", promise=pronouns.turn_reminder(self.heard.asked))
        if self._hears("ASKS_PROMISE") and self.context.promises:
            return self._say("promised", quote=self.context.promises[0].text)
        if crisis.is_denied(self.heard.burst, before=self.context.earlier[-1:]):
            return self._say("denied_harm")
        for cue, kind in _WISHES.items() if self.heard.kind != "set_right" else ():
            if cue_matching.has_cue(cue, self.heard.burst):
                return self._say(kind)
        return ""

    def _answer_question(self) -> str:
        earlier = [line.text for line in self.context.user_messages]
        asked = self.heard.asked or referents.carry_over(self.heard.burst, "".join(earlier[-1:]))
        greets = lexicon.matches("GREETING", asked) and sentences.is_small_talk(asked) and not self.heard.known_animal
        if not asked or greets or lexicon.matches("FAREWELL", asked) or self.heard.is_teased:
            return ""
        for pattern, kind in _PLAIN[:3]:
            if lexicon.matches(pattern, asked):
                fitting = kind if kind != "who" or self.context.persona_name else "what_it_is"
                return (kind == "how_i_am" and self._tell_mood()) or self._say_and_ask(fitting)
        if cue_matching.has_cue("CLOCK", asked):
            today, words = self.context.today, self.words
            told = {"weekday": words.WEEKDAYS[today.weekday()], "date": words.DATE.format(today)}
            return self._say("clock", time=self.context.time, **told)
        if cue_matching.has_cue("ASKS_LAST", asked) and (last := user_statements.find_last_statement(self.context)):
            return memory_sentences.tell(FoundAnswer(last, 1), self.wording, self.words, today=self.context.today)
        earlier += [said for said in self.heard.sentences if sentences.is_question(said) and said not in asked]
        named = recollection.name_asked(self.context, asked, earlier)
        return self._answer_one_question(referents.complete(named, earlier=earlier))

    def _tell_mood(self) -> str:
        """Say how the companion feels; "" where that is as always, or told in another language than the reply's."""
        if not (mood := self.context.mood) or lexicon.is_chinese(mood) != self.heard.is_chinese:
            return ""
        return self._join(self._say("how_i_feel", mood=mood), self._ask("how_i_am"))

    def _answer_one_question(self, asked: str) -> str:
        asks_told = any(lexicon.matches(name, asked) for name in ("ASKS_MEMORY", "ASKS_WHAT_IS_KNOWN"))
        asks_own = asks_told or question_kinds.classify_question(asked) in question_kinds.OWN
        if asks_own and not cue_matching.has_cue("YEARNS", asked):
            return self._recall(asked)
        # "How do I take my tea?" asks for what was told.
        is_told, is_known = known_facts.is_told(self.context, asked), self.context.certainty is not None
        for cue, kind in question_kinds.VIEWS.items():
            is_of_told = (is_told and cue == "ADVICE") or (is_known and not self.heard.is_chinese)
            if not (is_of_told and cue in ("ADVICE", "OPINION")) and cue_matching.has_cue(cue, asked):
                wants_comfort = self.heard.is_told_heavily and kind not in question_kinds.COMFORTING
                return self._take_up() if wants_comfort else self._say_and_ask(kind)
        if cue_matching.has_cue("STORY", asked) and (story := persona_answers.tell_story(self.context)):
            return self._say("of_me", text=story)
        is_of_companion = persona_answers.asks_of_companion(self.context, asked)
        is_of_somebody = self.heard.is_chinese or (" about " in asked and not is_of_companion)
        if is_of_somebody and lexicon.matches("REQUEST", asked) and not persona_answers.asks_of_own(asked):
            named = retrieval.find_answers(self.context, asked)
            return self._recall(asked) if named and named[0].is_named else self._refuse(asked)
        if is_of_companion:
            return self._answer_about_persona(asked)
        if is_known and (is_told or self.heard.tone not in HEAVY_TONES or self.heard.only_asks_facts):
            return self._recall(asked)
        if lexicon.matches("REQUEST", asked):
            return self._refuse(asked)
        is_of_told = not lexicon.matches("DEFINITION", asked) and known_facts.is_of_told(self.context, asked)
        return self._recall(asked) if is_of_told else self._say_unknown(asked)

    def _say_unknown(self, asked: str) -> str:
        """Say that it does not know; "" where that is no answer: to what is told heavily, or wants none."""
        if self.heard.tone in HEAVY_TONES or cue_matching.has_cue("RHETORICAL", asked):
            return ""
        near = "" if lexicon.matches("DEFINITION", asked) else self._tell_near(asked, [])
        return near or ("" if sentences.is_tagged(asked) else self._say("unknown"))

    def _refuse(self, asked: str) -> str:
        """Say what takes a model server, once in a session at length."""
        said, kind = self._say("request"), "play" if cue_matching.has_cue("PLAY", asked) else "request"
        return self._join(self._say("request_again") if self.wording.is_said(said) else said, self._ask(kind))

    def _recall(self, question: str) -> str:
        asked = lexicon.normalise(question)
        if hedged := recollection.hedge(self.context, self.wording, self.words, asked):
            return hedged
        is_wide = lexicon.matches("ASKS_EVERYTHING", asked) and not question_kinds.asks_of_one(asked)
        if is_wide and (noted := known_facts.list_known(self.context, self.wording, self.words)):
            return self._join_doubt(noted, self._quote(known_facts.list_besides(self.context, noted)))
        found = retrieval.find_answers(self.context, asked)
        if facts := known_facts.find_noted(self.context, asked, found):
            further = self._quote(known_facts.list_further(asked, found, facts))
            return self._join_doubt(known_facts.tell(self.context, facts, self.wording, self.words), further)
        if is_wide and not (found and found[0].is_related):
            found = [FoundAnswer(memory, 1) for memory in known_facts.list_about_user(self.context)]
        if not found or (not is_wide and recollection.is_beside(found[0], asked)):
            return self._say("nothing_yet") if is_wide else self._say_not_told(asked, found)
        told = memory_sentences.tell(found[0], self.wording, self.words, today=self.context.today)
        besides = known_facts.list_besides(self.context, told) if is_wide else known_facts.list_further(asked, found)
        return self._join_doubt(told, self._quote(besides))

    def _quote(self, texts: list[str]) -> str:
        return self._say("also", quote=self._join(*map(memory_sentences.cite, texts))) if texts else ""

    def _say_not_told(self, asked: str, found: list[FoundAnswer]) -> str:
        kind = question_kinds.classify_question(asked)
        if kind == "name" and self.context.user_name:
            return self._say("by_account")
        if kind not in question_kinds.OWN and (near := self._tell_near(asked, found)):
            return near
        return self._say_and_ask("forgot") if self.context.certainty is None else self._say("never_told")

    def _tell_near(self, asked: str, found: list[FoundAnswer]) -> str:
        near = recollection.find_nearest(found) if found else recollection.find_related(self.context, asked)
        if near is None or question_kinds.asks_one_thing_of_kin(asked):
            return ""
        return recollection.say_of(near, "partly", self.wording, self.words)

    def _answer_about_persona(self, asked: str) -> str:
        found = list(filter(None, persona_answers.find_answers(self.context, asked)))
        is_told = not self.heard.is_chinese and known_facts.is_told(self.context, asked)
        if not found and self.context.certainty is not None and (is_told or lexicon.matches("MYSELF", asked)):
            return self._recall(asked)
        told = found or [self._say("unknown_me")]
        as_ever = self._say("as_ever") if found and persona_answers.asks_how_it_is(asked) else ""
        return self._join(as_ever, self.wording.choose_unsaid(told), self._ask("of_me"))

    def _answer_small_talk(self) -> str:
        if not self.heard.sentences:
            return self._say("small")
        topical = self.heard.topics
        for pattern, kind in _PLAIN[3:]:
            ends = kind in ("good_night", "farewell") and self.heard.tone == Tone.CALM and self._hears(pattern, of=-1)
            if self._hears(pattern) and (not topical or kind == "affection" or ends or self._is_short()):
                return self._say_and_ask(kind)
        if self.heard.only_greets and not topical and self._is_short() and self.heard.kind != "you_are":
            return self._join_doubt(self._greet())
        is_idle = all(sentences.is_small_talk(one) or cue_matching.has_cue("NODS", one) for one in self.heard.sentences)
        return self._say("small") if is_idle or self.heard.is_bare else ""

    def _greet(self) -> str:
        if promised := due_matters.take_up_promise(self.context, self.wording):
            return promised
        if asked := self._ask_after_event():
            return self._join(self._say("greet"), asked)
        is_first = self.context.is_first_session and bool(self.context.persona_name)
        return self._say_and_ask("greet_first" if is_first else "greet")

    def _is_short(self) -> bool:
        return len(self.heard.burst) <= _GREETING[self.heard.is_chinese] and not self.heard.is_heavy

    def _take_up(self) -> str:
        """Respond to what is new in the burst, and to the memory it recalls; greet who begins with a greeting."""
        heard = self.heard
        if heard.kind in _PLAIN_KINDS and self.context.is_first_session and self._hears("GREETING"):
            return self._greet()
        is_quiet = heard.felt is not None or heard.tone in HEAVY_TONES
        bridge = "" if is_quiet else recollection.bridge(self.context, self.wording, self.words)
        said = "" if heard.is_heavy else due_matters.take_up_promise(self.context, self.wording)
        said = said or self._say(heard.kind, **heard.values) or self._say(str(heard.tone), **heard.values)
        if not (bridge or saying_choice.asks(said)):
            bridge = ("" if is_quiet else self._ask_after_event()) or self._ask(heard.kind, **heard.values)
        return self._join_doubt(said, bridge)

    def _ask_after_event(self) -> str:
        return "" if self.heard.is_heavy else due_matters.ask_after_event(self.context, self.wording, self.words)

    def _join_doubt(self, *parts: str) -> str:
        """Join the parts of a reply, and ask about what is not certain at its end."""
        said = self._join(*parts)
        return self._join(said, self._ask_about_doubt(said))

    def _ask_about_doubt(self, said: str) -> str:
        """Ask about what is not certain, unless the user has just told of a loss or the reply asks something already."""
        doubt = self.context.doubt
        if doubt is None or self.heard.is_heavy or saying_choice.asks(said):
            return ""
        if doubt.kind == "ambiguous":
            return self._say("clear_up", a=doubt.this, b=doubt.that)
        kind = "alone" if doubt.kind == "contradiction" and not doubt.that else doubt.kind
        this, that = (pronouns.address(side) for side in (doubt.this, doubt.that))
        return self._say(f"clear_up_{kind}", a=this, b=that)

    def _say_and_ask(self, kind: str) -> str:
        return self._join(self._say(kind), self._ask(kind))

    def _ask(self, kind: str, **values: str) -> str:
        if not saying_choice.is_question_due(self.context.replies) or self.context.doubt is not None:
            return ""
        return self.questions.choose(kind, **values)

    def _say(self, kind: str, **values: str) -> str:
        # Sentences that end in the name have their own full stop.
        me = self.context.persona_name.rstrip(".")
        return self.wording.choose(kind, **{"me": me, "you": self.context.user_name, **values})

    def _hears(self, pattern: str, of: int = 0) -> bool:
        """Whether a sentence from the place `of` on matches: with -1 the last one."""
        return any(lexicon.matches(pattern, said) for said in self.heard.sentences[of:])

    def _join(self, *parts: str) -> str:
        return memory_sentences.join(self.words, *parts)
