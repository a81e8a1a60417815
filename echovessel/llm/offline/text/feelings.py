"""Weighs the feelings in a sentence: each cue by whom it happened to and whether it happened at all."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import islice
from types import ModuleType

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import feeling_context as chinese_context
from echovessel.llm.offline.chinese import feelings as chinese_feelings
from echovessel.llm.offline.english import feeling_context as english_context
from echovessel.llm.offline.english import feelings as english_feelings
from echovessel.llm.offline.feeling_types import SHARE, Cue, Feeling, Nature, Party
from echovessel.llm.offline.text import lexicon, names, parties, sentences
from echovessel.llm.offline.text.mentions import Known, Mention

PEAK = 6
_LATER = (Nature.LOSS_OF, Nature.LOSS_OF_PET)
_DOINGS = (Nature.SETBACK, Nature.JOY, Nature.BIRTH)
_TO_SOMEBODY = (Nature.HARM, Nature.RELIEF, Nature.RETURN)
_NEEDS_SOMEBODY = (Nature.LOSS, *_LATER)
_CLAUSE = {False: english_context.CLAUSE, True: chinese_context.CLAUSE}
# With whom, or to whom: in Chinese that stands before the verb, where the subject may be left out.
_BESIDE = re.compile(r"[跟和与同对把给向]$")
# Signs of laughing about it.
LAUGHED_AT = re.compile(r"(?<!not )\b(?:lol|lmao|rofl|ha(?:ha)+)\b|😂|🤣|😅|哈哈|233|笑[死喷疯]", re.IGNORECASE)
_WORDS_BESIDE = 12
# A sentence holds no more cues than this.
_CUES_MOST = 60
# How many sentences are kept: each is asked about many times for one reply.
_KEPT = 1024
# How many characters before a harm its good end may stand.
_NEAR = 30
_ELLIPTIC = {False: english_context.ELLIPTIC, True: chinese_context.ELLIPTIC}


@dataclass(frozen=True)
class Scene:
    """The context of a sentence: who is known, and whether a film, a book or a game is being retold."""

    known: Known = field(default_factory=Known)
    is_told: bool = False


NOWHERE = Scene()
# Of these an end may set free.
_ENDS = ("heartbreak", "shame", "disappointment")
_GLAD = Feeling("joy", 4)


def find_feelings(sentence: str, scene: Scene = NOWHERE) -> list[Feeling]:
    """Return the feelings of a sentence on the impact scale, the strongest first, each tag once."""
    found: dict[str, Feeling] = {}
    for feeling in sorted(_find(sentence[: sentences.MOST], scene), key=lambda feeling: -abs(feeling.impact)):
        if feeling.impact:
            found.setdefault(feeling.tag, feeling)
    return list(found.values())


def is_fiction(sentence: str) -> bool:
    """Whether it speaks of a film, a book, a game, a dream or the news."""
    words = _choose_context(lexicon.is_chinese(sentence))
    return _compile(words, words.FICTION).search(lexicon.normalise(sentence)) is not None


def has_glad_tears(text: str) -> bool:
    """Whether somebody cries for joy: "she cried when she saw the ring"."""
    return shows("TEARS", text) and shows("GLAD_AT", text) and not shows("HIDDEN", text)


def shows(cue: str, text: str) -> bool:
    """Whether a text shows a context by the words of its language: OF_EX, an old love has a new one; ENVIED, others have what the user has not."""
    words = _choose_context(lexicon.is_chinese(text))
    return _compile(words, getattr(words, cue)).search(text) is not None


def blank_idioms(plain: str) -> str:
    """Return a text with blanks for sayings in which strong words mean nothing strong."""
    words = _choose_context(lexicon.is_chinese(plain))
    return _compile(words, words.IDIOMS).sub(lambda match: " " * len(match.group()), plain)


def _find(sentence: str, scene: Scene) -> Iterator[Feeling]:
    hits = _find_hits(sentence)
    if has_glad_tears(sentence):
        tears = _choose_context(lexicon.is_chinese(sentence)).TEARS
        hits = tuple(hit for hit in hits if not re.fullmatch(tears, hit.text[hit.start : hit.end], re.IGNORECASE))
        yield _GLAD
    if shows("OF_EX", sentence) or shows("ENVIED", sentence):
        hits = tuple(hit for hit in hits if hit.cue.impact < 0)
    if not hits:
        return
    is_told = scene.is_told or is_fiction(sentence)
    people = parties.find_mentions(hits[0].text, in_chinese=hits[0].in_chinese, known=scene.known)
    for hit in hits:
        yield _weigh(hit, people, scene, is_told=is_told)


@dataclass(frozen=True)
class _Hit:
    cue: Cue
    start: int
    end: int
    text: str
    in_chinese: bool

    @cached_property
    def clause_start(self) -> int:
        return max((match.end() for match in _CLAUSE[self.in_chinese].finditer(self.text, 0, self.start)), default=0)

    @cached_property
    def clause_end(self) -> int:
        following = _CLAUSE[self.in_chinese].search(self.text, self.end)
        return following.start() if following else len(self.text)


@cache
def _list_cues(words: ModuleType) -> list[Cue]:
    keys = ((key.split(", "), pattern) for key, pattern in words.FEELINGS.items())
    return [Cue(Nature(nature), tag, int(impact), pattern) for (nature, tag, impact), pattern in keys]


@lru_cache(maxsize=_KEPT)
def _find_hits(sentence: str) -> tuple[_Hit, ...]:
    in_chinese = lexicon.is_chinese(sentence)
    words = _choose_context(in_chinese)
    text = blank_idioms(lexicon.normalise(sentence))
    hits = (
        _Hit(cue, match.start(), match.end(), text, in_chinese)
        for cue in _list_cues(chinese_feelings if in_chinese else english_feelings)
        for match in _compile(words, cue.pattern).finditer(text)
    )
    return tuple(islice(hits, _CUES_MOST))


def _weigh(hit: _Hit, people: list[Mention], scene: Scene, *, is_told: bool) -> Feeling:
    cue, words = hit.cue, _choose_context(hit.in_chinese)
    who = _find_whose(hit, people, scene)
    if cue.nature == Nature.LOSS_OF_PET and who.party == Party.NAMED:
        # "Our old cat, they put her down today": "her" is the cat.
        who = next((person for person in people if person.party == Party.PET), who)
    if is_told and not (_is_mine(hit, who) and (cue.nature != Nature.MOOD and cue.tag != "sadness")):
        return Feeling(cue.tag, max(-1, min(1, cue.impact)) if cue.nature == Nature.MOOD else 0)
    impact = float(cue.impact) * SHARE[cue.nature][who.party]
    before = hit.text[hit.clause_start : hit.start]
    if re.search(words.NEGATION, before, re.IGNORECASE) and cue.tag != "despair":
        return _reverse(impact, cue)
    if cue.nature == Nature.OWN and _is_joke(hit):
        impact /= 2
    if cue.tag == "despair" and cue.impact == -9:
        return Feeling(cue.tag, round(impact))
    if cue.nature == Nature.HARM and _is_mended(hit, words):
        return Feeling("relief", min(8, round(-impact)))
    if cue.nature != Nature.MOOD:
        impact = _temper(impact, hit, words)
    if cue.tag in _ENDS and impact < 0 and re.search(words.FREED, hit.text, re.IGNORECASE):
        return Feeling("relief", round(-impact / 2))
    return Feeling(cue.tag, max(-10, min(10, round(impact))))


def _is_mine(hit: _Hit, who: Mention) -> bool:
    """Whether the text says outright that somebody is the user's: in Chinese a bare 奶奶 may be one in a book."""
    if not hit.in_chinese or who.party == Party.SELF:
        return who.is_own
    return bool(re.search(r"[我咱]", hit.text[max(0, who.start - 3) : who.end]))


def _is_joke(hit: _Hit) -> bool:
    """Whether the user laughs about it and says more than the strong words alone."""
    beside = len(re.sub(r"\s", "", hit.text)) - (hit.end - hit.start)
    return bool(LAUGHED_AT.search(hit.text)) and beside > _WORDS_BESIDE * (1 if hit.in_chinese else 2)


def _is_mended(hit: _Hit, words: ModuleType) -> bool:
    """Whether the harm is past or passing: "the tumour has shrunk", "finished chemo"."""
    near = hit.text[max(hit.clause_start, hit.start - _NEAR) : hit.clause_end]
    return bool(re.search(words.MENDED, near, re.IGNORECASE)) and not re.search(words.NOT_MENDED, near, re.IGNORECASE)


def _temper(impact: float, hit: _Hit, words: ModuleType) -> float:
    """Lower the impact of what is only feared, wished or supposed, or long ago."""
    supposed = re.search(words.UNREAL, hit.text[hit.clause_start : hit.start], re.IGNORECASE)
    if hit.in_chinese:
        conditional = re.search(r"如果|要是|万一|假如|梦见|梦到", hit.text[: hit.clause_start])
    else:
        conditional = re.search(r"\bif\b", hit.text[: hit.start], re.IGNORECASE)
    if supposed or conditional:
        is_feared = hit.cue.nature == Nature.HARM and abs(impact) >= 7
        impact = impact * 0.65 if is_feared else max(-3.0, min(2.0, impact))
    if re.search(words.BEFORE_ME, hit.text, re.IGNORECASE):
        return impact * 0.3
    if re.search(words.LONG_AGO, hit.text, re.IGNORECASE):
        if hit.cue.nature in (*_NEEDS_SOMEBODY, Nature.HARM):
            return impact * 0.8
        if hit.cue.nature in _DOINGS:
            return impact * 0.5
    return impact


def _reverse(impact: float, cue: Cue) -> Feeling:
    """Turn what did not happen into a relief or a disappointment."""
    turned = round(max(-4.0, min(3.0, -impact / 2)))
    return Feeling("sadness" if turned < 0 else "relief", turned)


def _find_whose(hit: _Hit, people: list[Mention], scene: Scene) -> Mention:
    nature = hit.cue.nature
    if nature in (Nature.OWN, Nature.MOOD):
        own = any(person.is_own and hit.clause_start <= person.start <= hit.end for person in people)
        return Mention(Party.SELF, hit.start, hit.end, is_own=own or not people)
    if nature in _LATER:
        later = [
            person
            for person in people
            if hit.end - (0 if hit.in_chinese else 3) <= person.start and person.end <= hit.end + 45
        ]
        return later[0] if later else _mention_nobody(hit)
    within = [person for person in people if hit.clause_start <= person.start and person.end <= hit.start]
    if hit.in_chinese and nature in _DOINGS:
        within = [person for person in within if not _BESIDE.search(hit.text[: person.start])]
    before = [person for person in people if person.end <= hit.start]
    if not within and _ELLIPTIC[hit.in_chinese].match(hit.text[hit.clause_start : hit.start]):
        within = before[:1] if not hit.in_chinese else before[-1:]
    if not hit.in_chinese and re.search(r"\b(?:and|then)(?: \w+ly)? $", hit.text[: hit.start]):
        within = [person for person in before if person.party != Party.NOBODY][:1] or within
    chosen = _find_nearest(hit, within, people)
    return chosen or _find_unsaid(hit, scene)


def _find_nearest(hit: _Hit, within: list[Mention], people: list[Mention]) -> Mention | None:
    nature = hit.cue.nature
    if nature in _TO_SOMEBODY:
        humans = [person for person in within if person.party != Party.NOBODY]
        later = [
            person for person in people if hit.start <= person.start < hit.clause_end and person.party != Party.NOBODY
        ]
        nearest = humans[-1] if humans else None
        if later and (
            nearest is None
            or (nearest.party == Party.SELF and later[0].party != Party.SELF and later[0].start - hit.end < 8)
        ):
            return later[0]
        return nearest
    if not within:
        return None
    nearest = within[-1]
    if nature == Nature.BIRTH and nearest.party == Party.SELF and "born" in hit.text[hit.start : hit.end]:
        return Mention(Party.NOBODY, nearest.start, nearest.end, is_own=True)
    return nearest


def _find_unsaid(hit: _Hit, scene: Scene) -> Mention:
    """Choose a party where nobody is named: who was mentioned just before, else the user, who seldom says "I" in short messages."""
    nature = hit.cue.nature
    if nature in _NEEDS_SOMEBODY:
        lead = _read_lead(hit)
        if scene.known.referent and (hit.in_chinese or _ELLIPTIC[False].match(lead)):
            return Mention(scene.known.referent, hit.start, hit.end, is_own=False)
        return _mention_nobody(hit)
    if nature in _DOINGS and hit.in_chinese and names.ends_with_other(_read_lead(hit)):
        return Mention(Party.NAMED, hit.start, hit.end, is_own=False)
    if nature in _DOINGS and not hit.in_chinese and not _ELLIPTIC[False].match(_read_lead(hit)):
        return Mention(Party.STRANGER, hit.start, hit.end, is_own=False)
    if (
        nature == Nature.HARM
        and not scene.known.referent
        and not re.search(_choose_context(hit.in_chinese).OWN_BY_DEFAULT, _read_lead(hit), re.IGNORECASE)
    ):
        return _mention_nobody(hit)
    if nature in _TO_SOMEBODY and scene.known.referent not in (None, Party.STRANGER):
        return Mention(scene.known.referent, hit.start, hit.end, is_own=False)
    return Mention(Party.SELF, hit.start, hit.end, is_own=False)


def _read_lead(hit: _Hit) -> str:
    """Return the words of the clause before the cue."""
    return hit.text[hit.clause_start : hit.start].strip()


def _mention_nobody(hit: _Hit) -> Mention:
    return Mention(Party.NOBODY, hit.start, hit.end, is_own=False)


def _choose_context(in_chinese: bool) -> ModuleType:  # noqa: FBT001  (the language is its only argument)
    return chinese_context if in_chinese else english_context


@cache
def _compile(words: ModuleType, pattern: str) -> re.Pattern[str]:
    """Compile a pattern: English alternatives match whole words, Chinese ones match anywhere."""
    whole = rf"(?<!\w(?!'))(?:{pattern})(?:(?<=\W)|(?!\w))" if words is english_context else pattern
    return re.compile(whole, re.IGNORECASE)
