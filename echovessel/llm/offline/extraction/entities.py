"""Lists the people and things of the events, with all their names."""

from pydantic import JsonValue

from echovessel import lazy_re as re
from echovessel.llm.inputs import ExtractionInputs
from echovessel.llm.offline.extraction import own_kin, places
from echovessel.llm.offline.extraction.aliases import Alias
from echovessel.llm.offline.text import lexicon, names, naming, parties, sentences
from echovessel.llm.offline.text.topic_types import Topic

# "My name's Walter but folks call me Walt."
_OWN_NAME = re.compile(r"\b(?i:my (?:\w+ )?name(?:['’]s| is) |call(?:s|ed)? me )([A-Z][\w'-]+)")


def list_entities(events: list[Topic], *, inputs: ExtractionInputs, named: list[Alias]) -> list[JsonValue]:
    texts = [topic.text for topic in events]
    called = _find_called_kin(inputs)
    kinds = _find_kinds(events, inputs=inputs, named=named, called=called)
    others = _find_others(kinds, inputs=inputs, named=named, called=called)
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


def _find_called_kin(inputs: ExtractionInputs) -> dict[str, str]:
    """Return the name of each relative whom the user names: Mark of "my husband". Of two daughters the word means neither."""
    found: dict[str, set[str]] = {}
    for text in (one for _, line in inputs.said_by_user for one in sentences.split(line)):
        for kin in own_kin.find(text, _list_people(text)):
            if kin.name:
                found.setdefault(kin.word, set()).add(kin.name)
    return {word: next(iter(names)) for word, names in found.items() if len(names) == 1}


def _list_people(text: str) -> list[str]:
    found = [name.text for name in names.find(text) if name.kind == "person"]
    return found + [name for name in names.find_acting(text) if not any(name in known for known in found)]


def _find_kinds(
    events: list[Topic], *, inputs: ExtractionInputs, named: list[Alias], called: dict[str, str]
) -> dict[str, str]:
    """Return each canonical name with its kind, in the order of the text."""
    kinds: dict[str, str] = {}
    for topic in events:
        spoken = {
            name.text: name.kind
            for name in topic.names.values()
            if _occurs((name.text,), topic.text) and (name.kind not in ("place", "org") or places.is_name(name.text))
        }
        kinds |= {_find_canonical_name(name, inputs): _find_kind(name, kind, inputs) for name, kind in spoken.items()}
        for name in (one for one in names.find_acting(topic.text) if not any(one in known for known in kinds)):
            kinds.setdefault(_find_canonical_name(name, inputs), _find_kind(name, "person", inputs))
        _add_places(kinds, topic.text, inputs)
        for kin in own_kin.find(topic.text, [*spoken, *kinds]):
            kinds.setdefault(_find_canonical_name(kin.name or called.get(kin.word, kin.word), inputs), "person")
    for entity in inputs.known:
        if any(_occurs(entity.names, topic.text) for topic in events):
            kinds[entity.name] = entity.kind
    for alias in named:
        for name in (alias.owner, alias.other):
            if name:
                kinds.setdefault(_find_canonical_name(name, inputs), _find_kind(name, "person", inputs))
    return kinds


def _add_places(kinds: dict[str, str], told: str, inputs: ExtractionInputs) -> None:
    """Add places and organisations to the kinds, in place of what is told as a part of their names: 武汉 of 武汉大学."""
    found = places.find(told)
    for name, kind in found.items():
        if kinds.get(name, "") not in ("person", "pet") or " " in name:
            kinds[_find_canonical_name(name, inputs)] = _find_kind(name, kind, inputs)
    left = told
    for name in found:
        left = left.replace(name, " ")
    for part in [one for one in kinds if one not in found and any(one in name for name in found) and one in told]:
        if not (part in left or inputs.entity_named(part)):
            del kinds[part]


def _find_others(
    kinds: dict[str, str], *, inputs: ExtractionInputs, named: list[Alias], called: dict[str, str]
) -> dict[str, list[str]]:
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
    for word, name in called.items():
        owner = inputs.entity_named(word)
        if name in kinds and (owner is None or lexicon.is_kin_word(owner.name) or owner.name == name):
            found.setdefault(name, []).append(word)
    for name in kinds:
        for word in (name, *found.get(name, ())):
            if spoken := lexicon.shorten_kin(word):
                found.setdefault(name, []).append(spoken)
    return found


def _find_canonical_name(name: str, inputs: ExtractionInputs) -> str:
    entity = inputs.entity_named(name)
    return entity.name if entity else name


def _find_kind(name: str, kind: str, inputs: ExtractionInputs) -> str:
    entity = inputs.entity_named(name)
    return entity.kind if entity else kind


def _occurs(names: tuple[str, ...], told: str) -> bool:
    return any(parties.tells_of(name, told) for name in names)
