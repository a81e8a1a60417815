"""A short, honest answer by rules: it takes up what was said, names what it remembers, and now and then asks on."""

import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from echovessel.llm.offline import chinese, lexicon, reading, remembering, sentences, topics, weighing
from echovessel.llm.offline.reading import Prompt
from echovessel.llm.offline.remembering import Remembered
from echovessel.llm.offline.weighing import Feeling
from echovessel.llm.protocol import ChatMessage

# Lines that want only their own answer, in the order they are looked for.
_PLAIN = (
    ("CRISIS", "crisis"),
    ("ASKS_WHAT_IT_IS", "what_it_is"),
    ("ASKS_WHO", "who"),
    ("ASKS_HOW_YOU_ARE", "how_i_am"),
    ("FAREWELL", "farewell"),
    ("THANKS", "thanks"),
    ("AFFECTION", "affection"),
)


# A promise for today, or one whose day is just past.
_DUE = re.compile(r"^(?:today|yesterday|[23] days ago)$")
_HEAVY = -5


def compose(messages: Sequence[ChatMessage]) -> str:
    prompt = reading.read(messages)
    heard = " ".join((*prompt.earlier[-2:], prompt.burst)) if not lexicon.has_words(prompt.burst) else prompt.burst
    return _Speaker(prompt, lexicon.language(heard)).reply()


@dataclass(frozen=True)
class _Speaker:
    prompt: Prompt
    words: ModuleType

    def reply(self) -> str:
        burst = self.prompt.burst
        if self._hears("CRISIS"):
            return self._say("crisis")
        if self._hears("ASKS_PROMISE") and self.prompt.promises:
            return self._say("promised", quote=self.prompt.promises[0].text)
        if self._hears("ASKS_MEMORY") and not self._hears("ASKS_WHO") and not self._hears("ASKS_WHAT_IT_IS"):
            return self._recollection()
        if not sentences.split(burst):
            return self._say("small")
        for pattern, saying in _PLAIN:
            if self._hears(pattern):
                return self._say(saying if saying != "who" or self.prompt.me else "what_it_is")
        told = topics.group(enumerate([*self.prompt.earlier[-3:], burst]))
        if self._hears("GREETING") and not topics.group([(0, burst)]):
            is_first = self.prompt.is_first_talk and self.prompt.me
            greeting = self._say("greet_first" if is_first else "greet")
            return (self._kept_word() or greeting) + self._clear_up()
        bridge = next(iter(remembering.best(self._recalled_only(), besides=burst)), None)
        return self._take_up(told, bridge) + self._clear_up()

    def _recollection(self) -> str:
        found = remembering.best(self.prompt, besides=self.prompt.burst)
        if not found and self._hears("ASKS_EVERYTHING"):
            found = remembering.everything(self.prompt)
        if not found:
            return self._say("forgot")
        first = found[0]
        kind = "remember_name" if self._hears("ASKS_NAME") else "remember"
        answer = self._told(kind if first.name else "remember_plain", first)
        more = next((other for other in found[1:] if other.quote != first.quote), None)
        also = self._say("also", quote=more.quote) if more and self._hears("ASKS_EVERYTHING") else ""
        return answer + also + self._clear_up()

    def _take_up(self, told: list[topics.Topic], bridge: Remembered | None) -> str:
        """An answer to what is new in the burst, and to what it brings back."""
        burst = self.prompt.burst
        topic = next((topic for topic in reversed(told) if any(said.text in burst for said in topic.sentences)), None)
        felt = [feeling for said in sentences.split(burst) for feeling in weighing.feelings(said)]
        is_felt = bool(topic) and any(abs(feeling.impact) >= 2 for feeling in felt)
        if bridge and bridge.name and bridge.is_verbatim and not is_felt:
            return self._told("again", bridge)
        if topic is None:
            kind = self._kind_of_small_line()
            taken_up = (self._kept_word() if kind == "other" else "") or self._say(kind)
        elif is_felt:
            strongest = max(felt, key=lambda feeling: abs(feeling.impact))
            taken_up = self._say(_tone(strongest, topic), thing=self._thing(topic))
        else:
            taken_up = self._answer_to(topic)
        return self._join(taken_up, self._told("bridge", bridge) if bridge else "")

    def _kind_of_small_line(self) -> str:
        said = sentences.split(self.prompt.burst)
        if self._hears("REQUEST"):
            return "request"
        if sentences.is_question(self.prompt.burst):
            return "question"
        return "small" if all(lexicon.matches("SMALL_TALK", sentence) for sentence in said) else "other"

    def _answer_to(self, topic: topics.Topic) -> str:
        burst = self.prompt.burst
        before = "\n".join(said.text for said in topic.sentences if said.text not in burst)
        new = [name for name in topic.names.values() if name.text in burst and name.text not in before]
        if new and new[0].kind in {"pet", "person", "other"}:
            return self._say("named", name=new[0].text)
        if name := lexicon.my_name(burst):
            return self._say("you_are", name=name)
        if "pet" in lexicon.widened(topic.concepts):
            if not before and not topic.names:
                return self._say("pet", thing_a=self._animal(topic))
            return self._say("pet_goes_on", name=next(iter(topic.names), self.words.SOMEBODY))
        if kin := lexicon.kin_words(burst):
            return self._say("kin", thing=next(iter(kin.values())))
        return self._say("life")

    def _recalled_only(self) -> Prompt:
        return replace(self.prompt, earlier=())

    def _told(self, kind: str, memory: Remembered) -> str:
        if not memory.is_verbatim:
            kind = "retold" if memory.name else "retold_plain"
        when = self._when(memory.when)
        return self._say(kind, name=memory.name, quote=memory.quote, when=when, when_low=when[:1].lower() + when[1:])

    def _when(self, when: str) -> str:
        if self.words is chinese:
            return remembering.in_chinese(when) or str(self.words.BEFORE if when else self.words.JUST_NOW)
        if not when:
            return str(self.words.JUST_NOW)
        is_past = re.search(r"ago$|today|yesterday|^last |this week|just now", when)
        return when[:1].upper() + when[1:] if is_past else str(self.words.BEFORE)

    def _thing(self, topic: topics.Topic) -> str:
        kin = lexicon.kin_words(topic.text)
        name = next(iter(topic.names), "")
        if name or not kin:
            return name or str(self.words.SOMEBODY)
        word = next(iter(kin.values()))
        return f"你{word}" if self.words is chinese else f"your {word}"

    def _animal(self, topic: topics.Topic) -> str:
        concept = next(iter(sorted(lexicon.pets(topic.text))), "")
        if self.words is chinese:
            return "只" + str(chinese.PETS[concept]).split("|")[0] if concept else "宠物"
        return f"A {concept or 'pet'}"

    def _kept_word(self) -> str:
        """A promise whose day has come, taken up; "" where there is none."""
        due = next((promise for promise in self.prompt.promises if _DUE.match(promise.when)), None)
        if due is None:
            return ""
        is_own_words = re.search(r"\bI\b|我", due.text)
        return self._say("kept_word" if is_own_words else "kept_promise", quote=due.text)

    def _clear_up(self) -> str:
        """The question that is due, but not to somebody who has just told of a loss."""
        felt = [feeling.impact for said in sentences.split(self.prompt.burst) for feeling in weighing.feelings(said)]
        if len(self.prompt.clear_up) < 2 or min(felt, default=0) <= _HEAVY:
            return ""
        first, second = self.prompt.clear_up
        return self._say("clear_up", a=first, b=second)

    def _join(self, *parts: str) -> str:
        return ("" if self.words is chinese else " ").join(part for part in parts if part)

    def _hears(self, pattern: str) -> bool:
        return any(lexicon.matches(pattern, said) for said in sentences.split(self.prompt.burst))

    def _say(self, kind: str, **values: str) -> str:
        """One of the sayings of a kind; which one depends on the talk alone, so that the same talk gets the same answer."""
        sayings: tuple[str, ...] = self.words.SAYINGS[kind]
        at = (zlib.crc32(self.prompt.burst.encode()) + len(self.prompt.earlier)) % len(sayings)
        return sayings[at].format_map({"me": self.prompt.me, **values})


def _tone(feeling: Feeling, topic: topics.Topic) -> str:
    if feeling.tag == "grief" or (feeling.tag == "sadness" and lexicon.kin(topic.text)):
        return "grief"
    if feeling.impact <= _HEAVY:
        return "heavy"
    if feeling.impact < 0:
        return "low"
    return "great" if feeling.impact >= 5 else "glad"
