"""A topic: the sentences about one thing, and the event that they tell."""

import re
from dataclasses import dataclass, field

from echovessel.llm.offline import fillers
from echovessel.llm.offline.feeling_types import Feeling
from echovessel.llm.offline.text import clauses, lexicon, sentences
from echovessel.llm.offline.text.feelings import PEAK
from echovessel.llm.offline.text.names import Name

# Room for the sentences of one event.
_MOST_WIDTH = 330
_LEAST_WIDTH = 66
# What a pet does not like, or does wrong.
_MISHAP = re.compile(
    r"\b(?:hate[sd]?|dislikes?|can't stand|threw up|vomit\w*|chewed|destroy\w*|ruin\w*|broke|bit|bites|scratch\w*|ran away|peed|pooed|growl\w*|hiss\w*|won't eat|lump|infection|diabet\w+|arthritis|overweight|too (?:fat|thin)|let (?:him|her|it|the \w+) go|g[ai]ve (?:him|her|my \w+|our \w+|the \w+) (?:away|up)|rehom\w+|escaped|flew (?:out|away|off)|ran off|missing|limping|swallowed)\b"
    r"|讨厌|受不了|吐了|咬了|抓[了伤]|拆了|弄坏|尿了|跑丢|丢了|走丢|飞走|送人|不肯?吃|感染|皮肤病|太胖|太瘦|生病|肿块|瘤|不舒服|瘸",
    re.IGNORECASE,
)
_CRIES = re.compile(r"\b(?:cr(?:y|ied|ying)|tears|sobb\w+|wept|weeping)\b|哭|泪", re.IGNORECASE)


@dataclass(frozen=True)
class Sentence:
    text: str
    line: int
    feelings: tuple[Feeling, ...] = ()

    @property
    def impact(self) -> int:
        return self.feelings[0].impact if self.feelings else 0

    @property
    def worded(self) -> list[Feeling]:
        return [feeling for feeling in self.feelings if not feeling.is_unworded]

    @property
    def is_peak(self) -> bool:
        return abs(self.impact) >= PEAK


@dataclass
class Topic:
    sentences: list[Sentence] = field(default_factory=list)
    names: dict[str, Name] = field(default_factory=dict)

    @property
    def text(self) -> str:
        gap = "" if lexicon.is_chinese("".join(sentence.text for sentence in self.chosen)) else " "
        return gap.join(dict.fromkeys(sentences.end(sentence.text) for sentence in self.chosen))

    @property
    def told(self) -> str:
        """Return the text as a memory tells it."""
        chosen = [sentence.text for sentence in self.chosen]
        telling = [text for text in chosen if not fillers.is_filler(text)] or chosen
        said = dict.fromkeys(sentences.end(clauses.write_told(text)) for text in telling)
        return ("" if lexicon.is_chinese("".join(said)) else " ").join(said)

    @property
    def lines(self) -> list[int]:
        return sorted({sentence.line for sentence in self.chosen})

    @property
    def chosen(self) -> list[Sentence]:
        """Return the sentences that say most, in the order they were said: up to three, or more short ones."""
        best: list[Sentence] = []
        room = _MOST_WIDTH
        for sentence in sorted(self.sentences, key=self._weight, reverse=True):
            room -= max(sentences.measure_width(sentence.text), _LEAST_WIDTH)
            if room >= 0 or not best:
                best.append(sentence)
        return [sentence for sentence in self.sentences if sentence in best]

    @property
    def concepts(self) -> set[str]:
        return set().union(*(lexicon.find_concepts(sentence.text) for sentence in self.sentences))

    @property
    def feelings(self) -> list[Feeling]:
        """Return the feelings of all sentences, the strongest first, each tag once."""
        found: dict[str, Feeling] = {}
        everything = [feeling for sentence in self.sentences for feeling in sentence.feelings]
        for feeling in sorted(everything, key=lambda feeling: -abs(feeling.impact)):
            found.setdefault(feeling.tag, feeling)
        return list(found.values())

    @property
    def impact(self) -> int:
        return self.feelings[0].impact if self.feelings else self._calm_impact

    @property
    def is_felt_alone(self) -> bool:
        """Whether nothing but the vectors of messages tells that it stands out."""
        return bool(self.feelings) and all(feeling.is_unworded for feeling in self.feelings) and not self.names

    @property
    def worded_impact(self) -> int:
        """The impact by words alone: a vector tells how grave an event is, and not that others should give way to it."""
        worded = [feeling for feeling in self.feelings if not feeling.is_unworded]
        return worded[0].impact if worded else self._calm_impact

    @property
    def _calm_impact(self) -> int:
        if "pet" in lexicon.widen(self.concepts) or any(name.kind == "pet" for name in self.names.values()):
            return -1 if _MISHAP.search(self.text) else 2
        return 1

    def is_other_peak(self, sentence: Sentence) -> bool:
        """Whether a sentence is as strong and of the other sign: a death and an engagement are two events."""
        is_as_strong = sentence.is_peak and any(said.is_peak for said in self.sentences)
        is_other = (sentence.impact < 0) != (self.impact < 0)
        return is_as_strong and is_other and not self.is_wept_over(sentence)

    def is_of_other_kind(self, sentence: Sentence) -> bool:
        """Whether a later message tells that another kind of thing happened: "I got fired today" behind "my girlfriend left me"."""
        before = self.sentences[-1]
        happened, happened_before = (lexicon.find_happenings(one.text) for one in (sentence, before))
        is_other = happened and happened_before and happened.isdisjoint(happened_before)
        return sentence.line > before.line and bool(is_other)

    def is_wept_over(self, sentence: Sentence) -> bool:
        """Whether it is good news, and a sentence tells of tears."""
        return self.impact >= PEAK and _CRIES.search(sentence.text) is not None

    def _weight(self, sentence: Sentence) -> tuple[bool, bool, int, int]:
        is_named = any(name in sentence.text for name in self.names)
        return sentence.is_peak, is_named, abs(sentence.impact), min(len(sentence.text), 80)
