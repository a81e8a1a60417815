"""A short, honest answer by rules: it takes up what was said, answers what it can, and asks in one reply of three."""

import re
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType

from echovessel.llm.inputs import ReplyInputs
from echovessel.llm.offline import (
    answering,
    chinese_questions,
    chinese_sayings,
    context,
    cueing,
    english_questions,
    english_sayings,
    lexicon,
    selfhood,
    sentences,
    telling,
    wording,
)
from echovessel.llm.offline.answering import Told
from echovessel.llm.offline.context import ReplyContext
from echovessel.llm.offline.hearing import Heard
from echovessel.llm.offline.tones import Tone
from echovessel.llm.offline.wording import Wording

# Short lines that want only their own answer, in the order they are looked for.
_PLAIN = (
    ("ASKS_WHAT_IT_IS", "what_it_is"),
    ("ASKS_WHO", "who"),
    ("ASKS_HOW_YOU_ARE", "how_i_am"),
    ("FAREWELL", "farewell"),
    ("THANKS", "thanks"),
    ("AFFECTION", "affection"),
)
# What is said of these holds for a day or a life: nothing else is brought up beside it.
_WISHES = {"HUSH": "hush", "HOSTILE": "hostile", "INVITES": "invited", "PRAISE": "affection"}
_HEAVY_TONES = (Tone.GRIEF, Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.FATIGUE)
# A greeting that is longer greets and says something.
_GREETING, _GREETING_CHINESE = 30, 8
_CLOSE_FIT = 4
# Of a long line the beginning is taken up: nobody asks in thousands of words.
_HEARD_MOST = 2000


@dataclass(frozen=True)
class Reply:
    text: str
    tone: Tone


def compose(inputs: ReplyInputs) -> str:
    return think(inputs).text


def think(inputs: ReplyInputs) -> Reply:
    """The reply, with the tone in which it takes what was said."""
    known = context.read(inputs)
    burst = known.burst[:_HEARD_MOST]
    heard = burst if lexicon.has_words(burst) else " ".join((*known.earlier[-2:], burst))
    is_chinese = lexicon.is_chinese(heard)
    return _Speaker(known, Heard(known, burst, is_chinese), chinese_sayings if is_chinese else english_sayings).reply()


@dataclass(frozen=True)
class _Speaker:
    context: ReplyContext
    heard: Heard
    words: ModuleType

    @cached_property
    def wording(self) -> Wording:
        return Wording({**self.words.SAYINGS}, said=self.context.said, seed=self.heard.burst)

    @cached_property
    def questions(self) -> Wording:
        asked = chinese_questions if self.words is chinese_sayings else english_questions
        return Wording({**asked.QUESTIONS}, said=self.context.said, seed=self.heard.burst)

    def reply(self) -> Reply:
        if self._hears("CRISIS"):
            return Reply(self._say("crisis"), Tone.FEAR)
        return Reply(
            self._to_a_wish() or self._to_a_question() or self._to_small_words() or self._taken_up(), self.heard.tone
        )

    def _to_a_wish(self) -> str:
        """Where the user says how to go on, or what was promised."""
        if self._hears("ASKS_PROMISE") and self.context.promises:
            return self._say("promised", quote=self.context.promises[0].text)
        for cue, kind in _WISHES.items():
            if cueing.finds(cue, self.heard.burst):
                return self._say(kind)
        return ""

    # Questions.

    def _to_a_question(self) -> str:
        asked = next((said for said in reversed(self.heard.sentences) if self._is_asked(said)), "")
        if not asked or self.heard.tone == Tone.TEASING:
            return ""
        for pattern, kind in _PLAIN[:3]:
            if lexicon.matches(pattern, asked):
                return self._asking(kind if kind != "who" or self.context.persona_name else "what_it_is")
        return self._to_a_question_of_one(asked)

    def _is_asked(self, said: str) -> bool:
        return sentences.is_question(said) or any(
            lexicon.matches(name, said) for name in ("ASKS_MEMORY", "ASKS_WHO", "REQUEST")
        )

    def _to_a_question_of_one(self, asked: str) -> str:
        of_told = lexicon.matches("ASKS_MEMORY", asked) or bool(answering.kind_of(asked) in ("name", "job", "home"))
        if of_told:
            return self._recollection(asked)
        for cue, kind in (("ADVICE", "advice"), ("OPINION", "opinion")):
            if cueing.finds(cue, asked):
                return self._taken_up() if self.heard.tone in _HEAVY_TONES else self._asking(kind)
        if cueing.finds("STORY", asked) and (story := selfhood.story(self.context)):
            return self._say("of_me", text=story)
        if _is_of_you(asked):
            return self._of_me(asked)
        if lexicon.matches("REQUEST", asked):
            return self._asking("request")
        if self._is_of_told(asked):
            return self._recollection(asked)
        return "" if self.heard.tone in _HEAVY_TONES else self._asking("world")

    def _is_of_told(self, asked: str) -> bool:
        """Whether it asks of the user's own life, or of somebody they told of."""
        if lexicon.matches("MYSELF", asked):
            return bool(answering.kind_of(asked) or answering.best(self.context, asked))
        return bool(answering.kind_of(asked) in ("called", "when") or lexicon.concepts(asked)) and bool(
            answering.best(self.context, asked)
        )

    def _recollection(self, asked: str) -> str:
        found = answering.best(self.context, asked)
        is_wide = lexicon.matches("ASKS_EVERYTHING", asked)
        if not found and is_wide:
            found = [Told(memory, 1) for memory in answering.everything(self.context)]
        if not found:
            return self._not_told(asked)
        first = found[0]
        more = next(
            (
                one
                for one in found[1:]
                if first.memory.text not in one.memory.text and one.memory.text not in first.memory.text
            ),
            None,
        )
        also = (
            self._say("also", quote=telling.shortened(telling.addressed(more.memory.text))) if more and is_wide else ""
        )
        return self._join(
            telling.tell(first, self.wording, self.words, today=self.context.today), also, self._clear_up()
        )

    def _not_told(self, asked: str) -> str:
        if answering.kind_of(asked) == "name" and self.context.user_name:
            return self._say("by_account")
        near = answering.near(self.context, asked) if answering.kind_of(asked) not in ("name", "job", "home") else None
        if near is not None:
            quote = telling.shortened(telling.addressed(near.text))
            return self._say("partly", quote=quote, **telling.say_when(near, self.words))
        return self._asking("forgot")

    def _of_me(self, asked: str) -> str:
        found = [text for text in selfhood.answers(self.context, asked) if text]
        if not found:
            return self._asking("unknown_me")
        fresh = next((text for text in found if not self.wording.is_said(text)), found[0])
        return self._join(fresh, self._question("of_me"))

    # What is said without a question.

    def _to_small_words(self) -> str:
        if not self.heard.sentences:
            return self._say("small")
        topical = self.heard.topics
        for pattern, kind in _PLAIN[3:]:
            if self._hears(pattern) and (not topical or kind == "affection" or self._is_short()):
                return self._asking(kind)
        if self._hears("GREETING") and not topical and self._is_short():
            is_first = self.context.is_first_session and bool(self.context.persona_name)
            return self._join(
                self._kept_word() or self._asking("greet_first" if is_first else "greet"), self._clear_up()
            )
        if all(lexicon.matches("SMALL_TALK", said) or cueing.finds("NODS", said) for said in self.heard.sentences):
            return self._say("small")
        return ""

    def _is_short(self) -> bool:
        return len(self.heard.burst) <= (_GREETING_CHINESE if self.heard.is_chinese else _GREETING)

    def _taken_up(self) -> str:
        """An answer to what is new in the burst, and to what it brings back."""
        heard = self.heard
        bridge = "" if heard.tone in _HEAVY_TONES else self._bridge()
        said = "" if heard.is_heavy else self._kept_word()
        said = said or self._say(heard.kind, **heard.values) or self._say(str(heard.tone), **heard.values)
        asked = "" if bridge or _asks(said) else self._question(heard.kind, **heard.values)
        return self._join(said, bridge, asked, self._clear_up())

    def _bridge(self) -> str:
        """Something of earlier talks that this brings back."""
        recalled = (*self.context.memories, *self.context.words)
        found = next(
            (memory for memory in recalled if answering.fit(memory.text, self.heard.burst) >= _CLOSE_FIT), None
        )
        quote = telling.shortened(telling.addressed(found.text)) if found else ""
        if found is None or any(quote in said for said in self.context.said):
            return ""
        if quote != telling.shortened(found.text):
            return self._say("retold", quote=sentences.ended(quote))
        return self._say("bridge", quote=quote, **telling.say_when(found, self.words))

    def _kept_word(self) -> str:
        """A promise whose day has come, taken up; "" where there is none."""
        due = next((promise for promise in self.context.promises if promise.is_due), None)
        if due is None:
            return ""
        is_own_words = re.search(r"\bI\b|我", due.text)
        return self._say("kept_word" if is_own_words else "kept_promise", quote=due.text)

    def _clear_up(self) -> str:
        """The question that is due, but not to somebody who has just told of a loss."""
        if len(self.context.clear_up) < 2 or self.heard.is_heavy:
            return ""
        first, second = self.context.clear_up
        return self._say("clear_up", a=first, b=second)

    def _asking(self, kind: str) -> str:
        return self._join(self._say(kind), self._question(kind))

    def _question(self, kind: str, **values: str) -> str:
        if not wording.is_due(self.context.said) or len(self.context.clear_up) > 1:
            return ""
        return self.questions.choose(kind, **values)

    def _say(self, kind: str, **values: str) -> str:
        return self.wording.choose(kind, **{"me": self.context.persona_name, "you": self.context.user_name, **values})

    def _hears(self, pattern: str) -> bool:
        return any(lexicon.matches(pattern, said) for said in self.heard.sentences)

    def _join(self, *parts: str) -> str:
        return telling.joined(self.words, *parts)


def _is_of_you(asked: str) -> bool:
    """Whether it asks something of the companion."""
    return cueing.finds("TO_YOU", asked) and not cueing.finds("NOT_OF_YOU", asked)


def _asks(said: str) -> bool:
    return bool(re.search(r"[?？]", said))
