"""Leave out of an extraction what was forgotten and is not said anew: of what it reads, and of what it answers."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from memory.answers import prune_answer
from memory.consolidation.parse_answer import ParsedExtraction
from memory.consolidation.transcript import Chunk, NumberedMessage
from memory.facts.checks import forgotten, remainder
from memory.facts.rules import wishes_to_forget
from memory.messages import tombstones
from memory.models import Message, Tombstone
from personas.models import Bond

# Stands for a message of which nothing else is left.
NOTHING = "…"
Wishes = Sequence[tuple[Tombstone, str]]


def leave_out(chunk: Chunk, *, bond: Bond) -> Chunk:
    """Leave out the sentences that tell what a chat asked to forget, or ask for it, and the replies to them."""
    wishes = tombstones.find_wishes(bond, [line.message for line in (*chunk.earlier, *chunk.lines)])
    if not wishes:
        return chunk
    earlier, lines = (tuple(shorten(line, wishes) for line in part) for part in (chunk.earlier, chunk.lines))
    return replace(chunk, earlier=earlier, lines=lines)


def shorten(line: NumberedMessage, wishes: Wishes) -> NumberedMessage:
    about = [said for stone, said in wishes if line.message.pk in {*stone.lines, *stone.hidden}]
    if not about:
        return line
    is_reply = line.message.role == Message.Role.PERSONA
    left = "" if is_reply or not all(about) else remainder.leave_out(line.text, about)
    return replace(line, text=left or NOTHING)


def list_rest(chunk: Chunk) -> Mapping[int, str]:
    """List what is left of the messages of which something was left out, by their ids."""
    cut = [line for line in chunk.lines if line.text not in (NOTHING, line.message.content) and not line.part]
    return {line.message.pk: line.text for line in cut}


def drop(
    understood: ParsedExtraction, vectors: list[list[float] | None], *, bond: Bond, answer: dict[str, Any]
) -> None:
    """Drop forgotten events and facts: from the parsed answer, the events' vectors, and the answer to be stored."""
    events = [(found.event.description, found.sources) for found in understood.found]
    facts = [(found.draft.content, found.sources) for found in understood.facts]
    rest, has_forgotten = list_rest(understood.chunk), tombstones.has_any(bond)
    told = [*events, *facts]
    buried = forgotten.are_forgotten(bond=bond, told=told, rest=rest) if has_forgotten else [False] * len(told)
    # What the companion said to a wish makes no fact of the user either.
    of_user = [[one for one in messages if one.role == Message.Role.USER] for _, messages in facts]
    for at, messages in enumerate([*(messages for _, messages in events), *of_user]):
        buried[at] = buried[at] or (bool(messages) and all(map(is_only_wish, messages)))
    for at in list_places(buried[: len(events)]):
        found = understood.found.pop(at)
        vectors.pop(at)
        blank_part(answer, "events", found.index)
        understood.notes.append(f"event {found.index} dropped: it was forgotten, and is not said anew")
    lines = [line.message for line in understood.chunk.lines]
    gone = tombstones.find_forgotten_messages(bond, lines) if has_forgotten else set()
    tells_more = not gone and not any(buried[: len(events)])
    for at in list_places(buried[len(events) :]):
        fact = understood.facts.pop(at)
        blank_part(answer, "facts", fact.index)
        understood.notes.append(f"fact {fact.index} dropped: it was forgotten or undone, and is not said anew")
        # Of what was undone the lines stay, and what else they tell.
        told_in = {message.pk for message in fact.sources}
        tells_more = tells_more and not told_in <= tombstones.find_forgotten_messages(bond, fact.sources)
    if not tells_more:
        # The rest of the answer may tell it in other words.
        left = (line for line in understood.chunk.lines if line.message.pk not in gone or line.message.pk in rest)
        said = "\n".join(line.text for line in left)
        answer["session_summary"] = answer["self_check_notes"] = None
        answer["mentioned_entities"] = prune_answer.prune_entities(answer, said=said)


def is_only_wish(message: Message) -> bool:
    return message.role == Message.Role.USER and wishes_to_forget.asks_for_nothing_else(message.content)


def list_places(flags: list[bool]) -> list[int]:
    """Return the places of those that are set, the last one first."""
    return [at for at in reversed(range(len(flags))) if flags[at]]


def blank_part(answer: dict[str, Any], name: str, at: int) -> None:
    """Replace one part of a list by None, so that the others keep their places; a part told alone goes whole."""
    parts = answer[name]
    answer[name] = [*parts[:at], None, *parts[at + 1 :]] if isinstance(parts, list) else None
