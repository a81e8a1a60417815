"""Whether a text that stands in the prompt bears on a question: by the share of the question's terms that it holds, the rarer
ones counting more, by the kind of answer that is asked for, and by what is asked about.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache, wraps
from typing import TypeVar

from echovessel import chinese_script, text
from echovessel.llm.offline.text import lexicon
from memory.knowing import answer_kinds, asked_things, chinese_words, clauses, confidence, contrasts, paraphrases
from memory.knowing.answer_kinds import AskedKinds
from memory.knowing.asked_things import AskedThing
from memory.knowing.confidence import Bearing
from memory.knowing.contrasts import Contrasted
from memory.knowing.paraphrases import Paraphrases
from memory.recall import narration, query_intent, scoring, term_forms

Read = TypeVar("Read")

# How much of a text is read, and of a question for what it asks.
READ_MOST = 2000
# Messages up to so many characters are kept as they were read, so many of them: some 5 MB.
SHORT, SHORT_KEPT = 300, 2048
ASKED_READ = 400
# A title ends no sentence: "Which hospital does Dr. Lund work at?" is one question.
_SENTENCES = re.compile(r"(?<=[.!?。！？…\n])(?<!\b(?:Dr|Mr|Ms|St)\.)(?<!\bMrs\.)(?<!\bProf\.)\s*")
_MARKS = ("?", "？")
# Words that ask for a name mean the same: "called" and "name", 叫什么名字 and 叫什么.
_CALLED_CHINESE = re.compile("叫?(?:什么|啥)名字?|叫?名字|名叫|[取起]名叫?|叫做")
_CALLED = frozenset(text.extract_terms("called name names"))
_TELLS_NAME = frozenset(("called", "叫"))
# What parts a Chinese verb from its noun where one asks when or where: 哪天开的刀 asks for 开刀.
_PARTED_VERB = re.compile(
    "(?<=开)的(?=刀)|(?<=[结离订求])的(?=婚)|(?<=退)的(?=休)|(?<=[住出])的(?=院)|(?<=搬)的(?=家)|(?<=分)的(?=手)|(?<=[辞离])的(?=职)"
    "|(?<=毕)的(?=业)|(?<=退)的(?=学)|(?<=生)的(?=病)|(?<=吵)的(?=架)"
)
# Words that say little of what is asked for have so much of their weight.
GENERAL_SHARE = 0.3
# What stands in the place of the question's own words, but of those that lead to an answer: "called Biscuit", "when it rained".
_GAP = "·"
_LATIN_WORD = re.compile(r"[^\W\d_]+(?='s\b)|[^\W\d_]+(?:'[^\W\d_]+)?")
_KEPT = frozenset(("called", "when", "where", "who", "day"))
_GENERAL = (
    "again still now currently ever back away around about together much many long far old wrong matter kind sort mine myself "
    "originally change between "
    "儿干做样事拿用从常平老之前后来着点子话近本样直每次地方西东时候位"
)
GENERAL_TERMS = asked_things.GENERAL_VERBS | asked_things.WITHOUT_WORD | frozenset(text.extract_terms(_GENERAL))
# A name alone does not say which part of it this is.
_PART_OF_NAME = frozenset(text.extract_terms("first last middle maiden full surname 姓 全"))
_OF_COMPANION = re.compile(r"\byour(?:s|self)?\b|你的|你自己|你(?:家|妈|爸|妹|姐|哥|弟)", re.IGNORECASE)


def keep_short(read: Callable[[str], Read]) -> Callable[[str], Read]:
    """Keep what is read of short texts: a window holds many messages, and that of the next turn holds them again."""
    kept = lru_cache(maxsize=SHORT_KEPT)(read)

    @wraps(read)
    def read_once(said: str) -> Read:
        return kept(said) if len(said) <= SHORT else read(said)

    return read_once


@dataclass(frozen=True)
class Evidence:
    """A text that may answer, with its normalized terms; of a recalled memory its plain relevance, and whether it tells of whom the
    question names.
    """

    told: str
    terms: Collection[str]
    relevance: float | None = None
    is_of_named: bool = False


@dataclass(frozen=True)
class AskedQuestion:
    """One question of a burst: its terms with their weights by rarity, the kinds of its answer, what it asks about, whom it
    names, other words for its own, what else of the kind of a thing is another thing, and whether yes or no answers it.
    """

    weights: Mapping[str, float]
    kinds: AskedKinds = field(default_factory=lambda: AskedKinds(()))
    things: Sequence[AskedThing] = ()
    named: Collection[str] = ()
    paraphrases: Paraphrases = field(default_factory=lambda: Paraphrases({}))
    contrasts: Sequence[Contrasted] = ()
    # The names that it has, and its Chinese words of two or more characters.
    own_words: Sequence[str] = ()
    is_chinese: bool = False
    is_yes_no: bool = False

    def measure(self, told: Sequence[Evidence]) -> Bearing:
        """Measure what was found: a memory that answers, else what could, and where some of it tells of whom the question names,
        only such memories.
        """
        found = [self.add_paraphrased(one) for one in told]
        is_named = any(one.is_of_named for one in found)
        could = [one for one in found if self.is_kind_told_by(one.told) and not self.is_of_other(one)]
        answering = [one for one in could if self.is_spoken_of_by(one)]
        near = [one for one in could if one.relevance is not None and (one.is_of_named or not is_named)]
        telling = self.list_telling()
        held = max((compute_held(one.terms, telling) for one in answering), default=0.0)
        # A name makes all that is known of somebody near: something else of the question must be told, too.
        is_name_alone = bool(self.named) and not held and not telling.keys() <= GENERAL_TERMS
        return Bearing(
            relevance=find_best_relevance([one for one in near if one in answering] or near),
            held=held,
            is_of_nothing=not answering or is_name_alone or (self.is_yes_no and held < confidence.YES_NO_SHARE),
            is_chinese=self.is_chinese,
        )

    def list_telling(self) -> Mapping[str, float]:
        """List the terms, with their weights, but those that say only whom the question names or whose a thing is."""
        owners = {thing.owner for thing in self.things if thing.owner}
        whose = owners.union(*map(extract_bag, (*owners, *self.named)))
        return {term: weight for term, weight in self.weights.items() if term not in whose} or self.weights

    def is_half_held_by(self, told: Evidence) -> bool:
        """Whether a text holds well over half of the terms, and could answer."""
        found = self.add_paraphrased(told)
        of_kind = extract_bag(" ".join(word for word, _ in self.kinds.kinds))
        weights = {term: weight for term, weight in self.weights.items() if term not in of_kind} or self.weights
        bears = compute_held(found.terms, weights) >= confidence.HELD_SHARE
        return bears and self.is_kind_told_by(found.told) and self.is_spoken_of_by(found)

    def add_paraphrased(self, found: Evidence) -> Evidence:
        """Add to a text's terms those of the question that it tells in other words, or without any."""
        told = self.paraphrases.find_terms(found.told, found.terms)
        named = self.weights.keys() & _TELLS_NAME if self.is_named_in(found.told) else set()
        kinds = extract_bag(" ".join(self.list_kinds(found.told)))
        return replace(found, terms={*found.terms, *told, *kinds, *named})

    def remove_names(self, told: str) -> str:
        """Remove whom the question names: a name tells no colour and no trade."""
        for name in self.named:
            told = re.sub(re.escape(name), " ", told, flags=re.IGNORECASE)
        return told

    def is_kind_told_by(self, told: str) -> bool:
        """Whether a text could give the kind of answer."""
        return len(self.list_kinds(told)) == len(self.kinds.kinds) or self.is_named_in(told)

    def list_kinds(self, told: str) -> list[str]:
        """List the question's words for the kinds of answer that a text could give."""
        of_whom = self.remove_names(self.cut_to_whom(told))
        return self.kinds.list_answered(self.remove_names(told), of_whom=of_whom, beyond=self.remove_asked(told))

    def remove_asked(self, told: str) -> str:
        """Remove what the question says itself, and of whom it names the word before, too: "her nephew Callum"."""
        if self.own_words:
            own = "|".join(map(re.escape, self.own_words))
            told = re.sub(rf"(?:\b[a-z]+ )?(?:{own})", _GAP, told, flags=re.IGNORECASE)
        return _LATIN_WORD.sub(lambda word: _GAP if self.is_own_word(word[0]) else word[0], told)

    def is_own_word(self, word: str) -> bool:
        term = term_forms.normalize_term(text.stem(word.casefold()))
        return term in self.weights and term not in _KEPT

    def cut_to_whom(self, told: str) -> str:
        """Cut what a text says before it first names whom the question asks about: that is told of others."""
        found = (re.search(re.escape(name), told, re.IGNORECASE) for name in self.named)
        return told[min((name.start() for name in found if name), default=0) :]

    def is_named_in(self, told: str) -> bool:
        """Whether a name is asked for, and a text has it beside what is asked about."""
        is_asked = self.weights.keys() & _TELLS_NAME and not self.weights.keys() & _PART_OF_NAME
        return bool(is_asked and asked_things.list_named(told) & {thing.head for thing in self.things})

    def is_spoken_of_by(self, found: Evidence) -> bool:
        """Whether a text speaks of whom is named, and of all that is asked about, and of no other of its kind in its place."""
        if self.named and not found.is_of_named and not names_any(found.told, self.named):
            return False
        if self.is_of_other(found):
            return False
        return all(thing.is_held_by(found.told, found.terms, is_of_named=found.is_of_named) for thing in self.things)

    def is_of_other(self, found: Evidence) -> bool:
        """Whether a text speaks of another thing of the kind of one that is asked about, and not of that."""
        return any(contrast.is_of_other(found.told, found.terms) for contrast in self.contrasts)


@dataclass(frozen=True)
class WeighedQuestion:
    questions: Sequence[AskedQuestion]

    def is_half_held_by(self, told: str) -> bool:
        """Whether what a text tells holds half of the terms of a question; its own questions tell nothing."""
        found = read_said(told)
        return any(question.is_half_held_by(found) for question in self.questions)

    def measure(self, found: Sequence[Evidence]) -> list[Bearing]:
        return [question.measure(found) for question in self.questions]


def read_evidence(told: str, *, relevance: float | None = None, is_of_named: bool = False) -> Evidence:
    """Read what a text tells; the questions in somebody's words tell nothing, and a memory, which has a relevance, has none."""
    said = chinese_script.read(told)
    plain = said if relevance is not None else remove_questions(said[:READ_MOST])
    return Evidence(told=plain, terms=extract_terms(plain), relevance=relevance, is_of_named=is_of_named)


def names_any(told: str, names: Iterable[str]) -> bool:
    """Whether a text has one of these names, in lower case, too, as people write them: "yusuf won again"."""
    folded = text.fold(told)
    return any(text.contains_name(folded, text.fold(name)) for name in names)


def find_best_relevance(found: Iterable[Evidence]) -> float | None:
    return max((one.relevance for one in found if one.relevance is not None), default=None)


@keep_short
def read_said(said: str) -> Evidence:
    return read_evidence(said)


def compute_held(terms: Collection[str], weights: Mapping[str, float]) -> float:
    whole = sum(weights.values())
    return sum(weights[term] for term in weights.keys() & terms) / whole if whole else 0.0


def weigh_question(
    said: str, *, besides: Collection[str], texts: Iterable[Collection[str]], names: Collection[str] = ()
) -> WeighedQuestion:
    """Weigh the terms of each question of a burst by how few texts, given by their terms, hold them; `besides` are those of
    no weight, such as the names of the two who talk, and `names` those of whom it may ask about.
    """
    bags = [normalize_terms(terms) for terms in texts]
    holding = Counter(term for bag in bags for term in bag)

    def weigh(term: str) -> float:
        weight = scoring.weigh_terms([term]) * narration.compute_rarity(holding[term], of=len(bags))
        return weight * GENERAL_SHARE if term in GENERAL_TERMS else weight

    def read_question(question: str) -> AskedQuestion:
        asked = _PARTED_VERB.sub("", question[:ASKED_READ])
        terms = extract_terms(asked)
        return AskedQuestion(
            weights={term: weigh(term) for term in extract_bag(question) - normalize_terms(besides)},
            kinds=answer_kinds.find(asked),
            things=[thing for thing in asked_things.find(asked) if thing.owner not in besides],
            named=names,
            paraphrases=paraphrases.find(asked, terms),
            contrasts=contrasts.find(asked, terms),
            own_words=[
                *(name for name in names if names_any(asked, [name])),
                *(word for word, _ in chinese_words.split_question(asked) if len(word) > 1 and text.has_cjk(word)),
            ],
            is_chinese=text.has_cjk(asked),
            is_yes_no=clauses.asks_yes_or_no(asked),
        )

    plain = lexicon.normalise(chinese_script.read(said))
    return WeighedQuestion([read_question(question) for question in list_questions(plain)])


@keep_short
def extract_bag(said: str) -> frozenset[str]:
    """Extract the distinct terms of a text as `extract_terms`; of Chinese the characters, since pairs of them depend on the
    words between.
    """
    return frozenset(term for term in extract_terms(said) if len(term) == 1 or not text.has_cjk(term))


def extract_terms(said: str) -> set[str]:
    """Extract the distinct terms of a text but small talk, synonyms of relatives joined."""
    return normalize_terms(query_intent.extract_subject(_CALLED_CHINESE.sub("叫", said)) - query_intent.SMALL_TALK)


def normalize_terms(terms: Iterable[str]) -> set[str]:
    return {"called" if term in _CALLED else term_forms.normalize_term(term) for term in terms}


def is_of_companion(said: str) -> bool:
    """Whether a question asks about the companion's own life."""
    return any(_OF_COMPANION.search(question) for question in list_questions(said))


def list_questions(said: str) -> list[str]:
    """Return the sentences that ask; the whole text where none does."""
    return [sentence for sentence in split_sentences(said) if asks(sentence)] or [said]


def remove_questions(said: str) -> str:
    return " ".join(sentence for sentence in split_sentences(said) if not asks(sentence))


def split_sentences(said: str) -> Sequence[str]:
    return [sentence.strip() for sentence in _SENTENCES.split(said) if sentence.strip()]


def asks(sentence: str) -> bool:
    return sentence.rstrip("\"'”’)）").endswith(_MARKS) or clauses.is_interrogative(sentence)
