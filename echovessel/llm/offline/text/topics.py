"""Groups sentences about one thing: "We have a white cat", "He is called 小黑", "He jumps on my face"."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from echovessel import lazy_re as re
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.feeling_types import Feeling, Party
from echovessel.llm.offline.text import (
    changes,
    cue_matching,
    feelings,
    lexicon,
    mentions,
    names,
    parties,
    referents,
    sentences,
)
from echovessel.llm.offline.text.feelings import PEAK, Scene
from echovessel.llm.offline.text.mentions import Known
from echovessel.llm.offline.text.names import Name
from echovessel.llm.offline.text.topic_types import Sentence, Topic

_NEAR_LINES = 3
# The next line of the user, with a reply between.
_NEXT_LINE = 2
# A shorter line, which names nobody, is read together with the one before it.
_SHORT = 80
# A sentence of at most so many letters, with a feeling, tells nothing else.
_BARE = 24
_WORTH = 2
_OF_NOTHING = re.compile(r"\W*(?:thats|its|(?:that|this|it)\b)", re.IGNORECASE)
_BEGINS_WITH = re.compile(r"s?he\b|[他她](?!们)", re.IGNORECASE)
_IS_MY = re.compile(r"s?he(?:'?s| is| was) (?:my|our)\b", re.IGNORECASE)
_THEY, _MANY = re.compile(r"\W*they\b", re.IGNORECASE), re.compile(r"[^s]s$|children$")
_OF_IT = re.compile(r"\b(?:it|that|this)\b", re.IGNORECASE)
_IS_SOMEBODY = re.compile(
    r"\W*(?:(?:and|so|but) )?(?:is|was|has|did|does|will) (?P<name>\w+)\b(?!.*\.$)", re.IGNORECASE
)
_ASKS_FACT = re.compile(
    r"^\W*(?:(?:and|so|but)\W+)?(?:who|when|where|which|what (?:day|year|month|did)|how (?:old|many|long)|(?:am|are|were) (?:i|we|(?:\w+ )?\w+ and i))\b|什么时候|哪[年天里儿]|几[岁月号年回次天个]|多[少久大]|谁|(?:什么|啥)(?!意[思义]|用|盼头|劲)",
    re.IGNORECASE,
)


@dataclass
class _Session:
    """What was read so far: the topics, who is who, and whether a story is being retold."""

    topics: list[Topic] = field(default_factory=list)
    names: dict[str, Party] = field(default_factory=dict)
    referent: Party | None = None
    referent_at: int = 0
    # The last line, counted from 0, that retells a film, a book or a game.
    told_until: int = -1

    def hear(self, text: str, number: int, at: int, felt: Feeling | None) -> Sentence:
        """Read a sentence; `felt` is what moves in its message, and counts where no words of the sentence show a feeling."""
        is_told = feelings.is_fiction(text)
        scene = Scene(self.known(at), is_told=is_told or at <= self.told_until)
        if is_told:
            self.told_until = at + 1
        self._learn(text, at)
        heard = Sentence(text, number, tuple(feelings.find_feelings(text, scene)))
        is_silent = not (heard.feelings or scene.is_told or _is_idle(heard))
        return replace(heard, feelings=(felt,)) if felt and is_silent else heard

    def overhear(self, text: str, at: int) -> None:
        """Learn from a reply whom "she" refers to, and whether it speaks of a film."""
        for sentence in sentences.split(text):
            self._refer(sentences.turn_to_user(sentence), at)
            if feelings.is_fiction(sentence):
                self.told_until = max(self.told_until, at)

    def forget(self, said: list[Sentence]) -> None:
        """Remove sentences that are placed anew."""
        places = {(sentence.text, sentence.line) for sentence in said}
        for topic in self.topics:
            topic.sentences = [one for one in topic.sentences if (one.text, one.line) not in places]
        self.topics = [topic for topic in self.topics if topic.sentences]

    def known(self, at: int) -> Known:
        is_near = at - self.referent_at <= _NEAR_LINES
        return Known(self.names, self.referent if is_near else None)

    def _learn(self, text: str, at: int) -> None:
        self._refer(text, at)
        concepts = lexicon.find_pets(text) | lexicon.find_kin(text)
        of_concepts = parties.choose_party(concepts) if len(concepts) == 1 else None
        for name in names.find(text):
            if name.kind in ("pet", "person"):
                self.names.setdefault(name.text, Party.PET if name.kind == "pet" else of_concepts or Party.NAMED)

    def _refer(self, text: str, at: int) -> None:
        people = parties.find_mentions(
            lexicon.normalise(text), in_chinese=lexicon.is_chinese(text), known=self.known(at)
        )
        spoken = [one.party for one in people if one.party not in (Party.SELF, Party.NOBODY, Party.STRANGER)]
        if spoken:
            self.referent, self.referent_at = spoken[0], at


def group(
    lines: Iterable[tuple[int, str]],
    *,
    known: Mapping[str, Party] | None = None,
    before: Mapping[int, str] | None = None,
    implied: Mapping[int, int] | None = None,
    felt: Mapping[int, Feeling] | None = None,
) -> list[Topic]:
    """Group lines into topics worth remembering; small talk and questions are none.

    `known` are names of other sessions, `before` the reply before a line, `implied` the impact of lines that mean more than
    their words, `felt` what moves in a line that shows no feeling.
    """
    session = _Session(names=dict(known or {}))
    latest: list[Sentence] = []
    for at, (number, text) in enumerate(lines):
        session.overhear((before or {}).get(number, ""), at)
        said = [session.hear(raw, number, at, (felt or {}).get(number)) for raw in sentences.split(text)]
        if impact := (implied or {}).get(number, 0):
            is_short = sentences.measure_width(text) < _SHORT and not lexicon.matches("SHIFTS", text)
            of_somebody = lexicon.find_concepts(text) or names.find(text)
            said = _add_implied(said, impact, latest if is_short and not of_somebody else [])
            session.forget(said)
        before_it = latest[-1] if latest and said and referents.continues(said[0].text, latest[-1].text) else None
        for lead, sentence in zip([before_it, *said], said, strict=False):
            _find_place(sentence, session, lead)
        latest = said or latest
    return session.topics


def _add_implied(said: list[Sentence], impact: int, latest: list[Sentence]) -> list[Sentence]:
    """Return sentences with an implied feeling, after those of the line before where they say little."""
    if any(sentence.is_peak for sentence in said):
        return said
    heavier = Feeling("gladness" if impact > 0 else "hurt", impact)
    told = [one for one in said if not _is_idle(one)]
    lead = [one for one in latest if not (one.is_peak or _is_idle(one))][-2:]
    return [replace(one, feelings=(heavier, *one.feelings)) for one in (*lead, *told)]


def _is_idle(said: Sentence) -> bool:
    return sentences.is_question(said.text) or _is_small_talk(said)


def _is_small_talk(said: Sentence) -> bool:
    return sentences.is_small_talk(said.text) or cue_matching.has_cue("NODS", said.text)


def _find_place(sentence: Sentence, session: _Session, lead: Sentence | None) -> None:
    """Add a sentence to the topic it belongs to, or to a new one; `lead` is the sentence before it in its message."""
    topics = session.topics
    if _is_idle_question(sentence, session) or (_is_small_talk(sentence) and not sentence.is_peak):
        return
    latest = _find_latest(sentence, topics, lead)
    before = " ".join(said.text for said in latest.sentences) if latest else ""
    found = _find_named(sentence.text, session, before=before)
    answers = lead is not None and referents.answers_whom(sentence.text, lead.text)
    home = None if answers else _find_home(sentence, found, latest, topics)
    if home is None or home.is_other_peak(sentence):
        if not _is_worth_it(sentence, found):
            return
        is_led = lead and (_is_bare(sentence) or referents.continues(sentence.text, lead.text))
        home = Topic([lead] if lead and (answers or (is_led and _may_lead(lead, session))) else [])
        topics.append(home)
    home.sentences.append(sentence)
    for name in found:
        home.names.setdefault(name.text, name)


def _find_latest(sentence: Sentence, topics: list[Topic], lead: Sentence | None) -> Topic | None:
    """Return the topic that was spoken of just before: that of the sentence before in the message, else the latest of the last lines."""
    if lead and lead.line == sentence.line and not _is_idle(lead):
        return next((topic for topic in topics if lead in topic.sentences), None)
    return topics[-1] if topics and sentence.line - topics[-1].sentences[-1].line <= _NEAR_LINES else None


def _find_named(text: str, session: _Session, *, before: str) -> list[Name]:
    """Return the names in a sentence: those its words show to be names, and those known already."""
    found = names.find(text, before=before)
    shown = " ".join(name.text for name in found)
    known = [
        (name, party) for name, party in session.names.items() if name not in shown and mentions.is_named(name, text)
    ]
    return [*found, *(Name(name, "pet" if party == Party.PET else "person") for name, party in known)]


def _is_bare(sentence: Sentence) -> bool:
    """Whether it says how the user feels and not about what: "I'm really scared."."""
    is_short = sentences.measure_width(sentence.text) <= _BARE
    return is_short and bool(sentence.worded) and not lexicon.find_concepts(sentence.text)


def _may_lead(said: Sentence, session: _Session) -> bool:
    """Whether the sentence before a bare feeling says what it is about: "I have an exam. I'm so nervous."."""
    is_placed = any(said in topic.sentences for topic in session.topics)
    return not (is_placed or said.worded or _is_idle(said))


def _continues_peak(sentence: Sentence, latest: Topic) -> bool:
    """Whether a strong sentence continues the strong one before it: in the same line, or lightly in the next ones."""
    before = latest.sentences[-1]
    if not before.is_peak or latest.is_other_peak(sentence) or latest.is_of_other_kind(sentence):
        return False
    is_light = any(feeling.tag in ("hurt", "gladness", "sadness") for feeling in sentence.feelings[:1])
    return sentence.line == before.line or (is_light and sentence.line - before.line <= _NEAR_LINES)


def _find_home(sentence: Sentence, found: list[Name], latest: Topic | None, topics: list[Topic]) -> Topic | None:
    """Return the topic that the sentence continues, or sets right."""
    if latest and sentence.line > (last := latest.sentences[-1]).line and referents.is_about(sentence.text, last.text):
        return latest
    for topic in reversed(topics):
        # Behind more lines somebody's name begins another matter.
        is_near = sentence.line - topic.sentences[-1].line <= 2 * _NEAR_LINES
        is_named = is_near and any(name in sentence.text for name in topic.names)
        if is_named or changes.sets_right(sentence.text, topic.text):
            return topic
    if latest and sentence.is_peak and _continues_peak(sentence, latest):
        return latest
    own = lexicon.find_pets(sentence.text) | lexicon.find_kin(sentence.text)
    for topic in reversed(topics):
        same = lexicon.find_pets(sentence.text) & topic.concepts
        if same and not (found and topic.names):
            return topic
    if latest and own and own <= latest.concepts and not found:
        return latest
    if latest and ((not own and _goes_on(sentence, found, latest)) or _is_of_same(sentence, latest)):
        return latest
    return None


def _is_of_same(sentence: Sentence, latest: Topic) -> bool:
    """Whether a sentence begins with "she" or 他 just after one relative was spoken of, and names others: "she lives with my stepdad"."""
    begins = _BEGINS_WITH.match(sentence.text)
    is_next = sentence.line - latest.sentences[-1].line <= _NEXT_LINE
    is_of_one = len(latest.concepts & {*english.KIN}) == 1 or _IS_MY.match(sentence.text) is not None
    return begins is not None and is_next and is_of_one and not _is_of_other_sex(sentence, latest)


def _is_of_other_sex(sentence: Sentence, latest: Topic) -> bool:
    """Whether a sentence begins with "he" and its topic spoke of women alone, or the other way round."""
    begins = _BEGINS_WITH.match(sentence.text)
    kin = latest.concepts & {*english.KIN}
    others = english.MEN if begins and begins[0].lower() in ("she", "她") else english.WOMEN
    return begins is not None and bool(kin) and kin <= others


def _is_of_nobody(sentence: Sentence, latest: Topic) -> bool:
    """Whether a message begins with "they" behind one relative, no friend, and nothing heavy of which doctors may speak."""
    words = [word for kin, word in lexicon.find_kin_words(latest.text).items() if kin not in ("friend", "partner")]
    is_next = sentence.line > latest.sentences[-1].line and latest.impact > -_WORTH
    return is_next and len(words) == 1 and bool(_THEY.match(sentence.text)) and not any(map(_MANY.search, words))


def _goes_on(sentence: Sentence, found: list[Name], latest: Topic) -> bool:
    """Whether a sentence without names refers or reacts to the latest topic."""
    if _is_of_other_sex(sentence, latest) or _is_of_nobody(sentence, latest):
        return False
    if lexicon.matches("REFERS_BACK", sentence.text):
        return True
    if found:
        return False
    if latest.concepts and lexicon.matches("THIRD_PERSON", sentence.text):
        return True
    lines_after = sentence.line - latest.sentences[-1].line
    last = latest.sentences[-1].text
    if lines_after == 0 and lexicon.stem_content(sentence.text) & lexicon.stem_content(last):
        # "I quit. I actually quit my job."
        return True
    is_short = sentences.measure_width(sentence.text) <= 2 * _BARE and _OF_IT.search(sentence.text)
    is_of_it = lines_after == 0 and not latest.feelings and bool(_is_bare(sentence) or is_short)
    is_alike = is_of_it or (sentence.impact < 0) == (latest.impact < 0) or latest.is_wept_over(sentence)
    return bool(sentence.worded) and lines_after <= _NEXT_LINE and is_alike and not latest.is_of_other_kind(sentence)


def _is_worth_it(sentence: Sentence, found: list[Name]) -> bool:
    if _is_bare(sentence) and not sentence.is_peak and _OF_NOTHING.match(sentence.text):
        # "That's sad", of what was not told.
        return False
    is_of_own = lexicon.find_concepts(sentence.text) and lexicon.matches("MYSELF", sentence.text)
    return bool(
        abs(sentence.impact) >= _WORTH
        or found
        or is_of_own
        or lexicon.matches("LIFE", sentence.text)
        or changes.is_correction(sentence.text)
        or changes.is_change(sentence.text)
    )


def _is_idle_question(sentence: Sentence, session: _Session) -> bool:
    """Whether it is a question that tells no blow: "when did dad have his stroke" only asks, and "is morel ok" of a known name."""
    match = _IS_SOMEBODY.match(sentence.text)
    is_of_named = match is not None and match["name"].casefold() in map(str.casefold, session.names)
    is_blow = any(feeling.impact <= -PEAK for feeling in sentence.feelings) and not _ASKS_FACT.search(sentence.text)
    return (is_of_named or sentences.is_question(sentence.text)) and not is_blow
