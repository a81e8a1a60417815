"""Drop from an extraction what was forgotten and is not said anew."""

from collections.abc import Sequence
from typing import Any

from memory import text, tombstones
from memory.answers import prune_answer
from memory.consolidation.parse_answer import ParsedExtraction
from memory.facts import changing
from memory.facts.checks.grounding import extract_own_terms
from memory.models import ConceptNode, Message, Tombstone
from personas.models import Bond


def drop(
    understood: ParsedExtraction, vectors: list[list[float] | None], *, bond: Bond, answer: dict[str, Any]
) -> None:
    """Drop forgotten events and facts: from the parsed answer, the events' vectors, and the answer to be stored."""
    events = [(found.event.description, [message.pk for message in found.sources]) for found in understood.found]
    facts = [(found.draft.content, [message.pk for message in found.sources]) for found in understood.facts]
    buried = tombstones.are_forgotten(bond=bond, told=[*events, *facts])
    sources = [*(found.sources for found in understood.found), *(found.sources for found in understood.facts)]
    stones = tombstones.find_forgotten_facts(bond, [message for messages in sources for message in messages])
    for at, ((said, _), messages) in enumerate(zip((*events, *facts), sources, strict=True)):
        buried[at] = buried[at] or retells_forgotten(stones, said, messages)
    for at in list_places(buried[: len(events)]):
        found = understood.found.pop(at)
        vectors.pop(at)
        blank_part(answer, "events", found.index)
        understood.notes.append(f"event {found.index} dropped: it was forgotten, and is not said anew")
    gone = tombstones.find_forgotten_messages(bond, [line.message for line in understood.chunk.lines])
    tells_more = not gone and not any(buried[: len(events)])
    for at in list_places(buried[len(events) :]):
        fact = understood.facts.pop(at)
        blank_part(answer, "facts", fact.index)
        understood.notes.append(f"fact {fact.index} dropped: it was forgotten or undone, and is not said anew")
        # Of what was undone the lines stay, and what else they tell.
        lines = {message.pk for message in fact.sources}
        tells_more = tells_more and not lines <= tombstones.find_forgotten_messages(bond, fact.sources)
    if not tells_more:
        # The rest of the answer may tell it in other words.
        said = "\n".join(line.text for line in understood.chunk.lines if line.message.pk not in gone)
        answer["session_summary"] = answer["self_check_notes"] = None
        answer["mentioned_entities"] = prune_answer.prune_entities(answer, said=said)


def retells_forgotten(stones: Sequence[tuple[Tombstone, ConceptNode]], said: str, messages: Sequence[Message]) -> bool:
    """Whether a text tells half of a forgotten fact and rests on its lines, on those that asked to forget it, or on none that
    was said since; and none of the messages since does.
    """
    terms = text.extract_terms(said)
    ids = {message.pk for message in messages}
    for stone, fact in stones:
        is_since = not stone.lines or max(ids, default=0) > stone.last_message_id
        if is_since and ids.isdisjoint(stone.lines):
            continue
        own = extract_own_terms(fact.description)
        later = (message.content for message in messages if message.pk > stone.last_message_id)
        is_said_anew = any(changing.tells_same(own, text.extract_terms(one)) for one in later)
        if not is_said_anew and changing.tells_same(own, terms):
            return True
    return False


def list_places(flags: list[bool]) -> list[int]:
    """Return the places of those that are set, the last one first."""
    return [at for at in reversed(range(len(flags))) if flags[at]]


def blank_part(answer: dict[str, Any], name: str, at: int) -> None:
    """Replace one part of a list by None, so that the others keep their places; a part told alone goes whole."""
    parts = answer[name]
    answer[name] = [*parts[:at], None, *parts[at + 1 :]] if isinstance(parts, list) else None
