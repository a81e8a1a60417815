"""Lists the people and things of the events, with all their names."""

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.extraction.aliases import Alias
from echovessel.llm.offline.text import lexicon, names, naming, parties
from echovessel.llm.offline.text.topic_types import Topic

_KIN = "|".join(english.KIN.values())
# "We're brothers" tells what two people are to each other, and of no further one.
_ARE_TO_EACH_OTHER = re.compile(r"\b(?:we|they)(?:'re| are| were)(?: still| only| just| all| both)* \w+", re.IGNORECASE)
# "I'm to be a grandfather" tells of the user alone.
_USER_IS = re.compile(
    r"\b(?:i(?:'m| am| was)|be|being|becom\w+|became)(?: now| just| going| finally)* (?:to be |to become )?an? (?:\w+ )?\w+",
    re.IGNORECASE,
)
# A friend's dad and "the father" are nobody of the user's; of "my sister's husband" the sister is.
_OF_OTHERS = re.compile(
    rf"\b(?:his|her|their|your) (?:\w+ )?(?:{_KIN})\b|\b(?:(?P<owner>(?:my|our) \w+)|(?!(?:it|that|what|who|there|he|she|let|how|where)'s)[\w-]+)'s (?:\w+ )?(?:{_KIN})\b|\b(?:the|a|an|some|another) (?:\w+ )?(?!wife|husband|missus|in-laws)(?:{_KIN})\b(?! of mine)",
    re.IGNORECASE,
)
# "My name's Walter but folks call me Walt."
_OWN_NAME = re.compile(r"\b(?i:my (?:\w+ )?name(?:['’]s| is) )([A-Z][\w'-]+)")
# "My daughters" are several.
_MANY = re.compile(r"[^s]s$")
_UNNAMED_KIN = {"friend", "colleague", "neighbour", "teacher", "boss", "child", "parents", "in-law", "cousin"}


def list_entities(events: list[Topic], *, inputs: ExtractionInputs, named: list[Alias]) -> list[JsonValue]:
    texts = [topic.text for topic in events]
    kinds = _find_kinds(events, inputs=inputs, named=named)
    others = _find_others(kinds, inputs=inputs, named=named)
    # The user is nobody of theirs.
    own = {name for _, text in inputs.said_by_user for name in (naming.find_in(text), *_OWN_NAME.findall(text))}
    aliased = {name for more in others.values() for name in more} | own
    return [
        {
            "canonical_name": name,
            "kind": kind,
            "aliases": [*others.get(name, [])],
            "in_events": [at for at, text in enumerate(texts) if _occurs((name, *others.get(name, ())), text)],
            "description": None,
        }
        for name, kind in kinds.items()
        if name not in aliased
    ]


def _find_kinds(events: list[Topic], *, inputs: ExtractionInputs, named: list[Alias]) -> dict[str, str]:
    """Return each canonical name with its kind, in the order of the text."""
    kinds: dict[str, str] = {}
    for topic in events:
        spoken = {name.text: name.kind for name in topic.names.values() if name.text in topic.text}
        kinds |= {_find_canonical_name(name, inputs): _find_kind(name, kind, inputs) for name, kind in spoken.items()}
        for name in (one for one in names.find_acting(topic.text) if not any(one in known for known in kinds)):
            kinds.setdefault(_find_canonical_name(name, inputs), _find_kind(name, "person", inputs))
        kinds |= dict.fromkeys(_find_unnamed_kin(topic), "person")
    for entity in inputs.known:
        if any(_occurs(entity.names, topic.text) for topic in events):
            kinds[entity.name] = entity.kind
    for alias in named:
        for name in (alias.owner, alias.other):
            if name:
                kinds.setdefault(_find_canonical_name(name, inputs), _find_kind(name, "person", inputs))
    return kinds


def _find_others(kinds: dict[str, str], *, inputs: ExtractionInputs, named: list[Alias]) -> dict[str, list[str]]:
    """Return other names by canonical name. Two names of two known entities are no aliases: they may have to be merged."""
    found: dict[str, list[str]] = {}
    for alias in named:
        owner, other = inputs.entity_named(alias.owner), inputs.entity_named(alias.other)
        if not alias.owner or (owner and other):
            continue
        name = other.name if other else _find_canonical_name(alias.owner, inputs)
        more = alias.owner if other else alias.other
        if name in kinds and more.casefold() != name.casefold():
            found.setdefault(name, []).append(more)
    for name in kinds:
        if spoken := lexicon.shorten_kin(name):
            found.setdefault(name, []).append(spoken)
    return found


def _find_canonical_name(name: str, inputs: ExtractionInputs) -> str:
    entity = inputs.entity_named(name)
    return entity.name if entity else name


def _find_kind(name: str, kind: str, inputs: ExtractionInputs) -> str:
    entity = inputs.entity_named(name)
    return entity.kind if entity else kind


def _occurs(names: tuple[str, ...], text: str) -> bool:
    folded = text.casefold()
    return any(name.casefold() in folded for name in names)


def _find_unnamed_kin(topic: Topic) -> list[str]:
    if any(name.kind == "person" for name in topic.names.values()):
        return []
    spoken = _USER_IS.sub(" ", _ARE_TO_EACH_OTHER.sub(" ", lexicon.normalise(topic.text)))
    # 当爷爷 is told of the user, or of one who is named.
    if lexicon.is_chinese(spoken):
        spoken = parties.leave_out_others(spoken)
    else:
        spoken = _OF_OTHERS.sub(lambda match: match["owner"] or " ", spoken)
    words = lexicon.find_kin_words(spoken).items()
    is_one = (word for concept, word in words if concept not in _UNNAMED_KIN and word[0] != "当")
    return [word for word in is_one if not _MANY.search(word)]
