"""Whether what is about to be written was forgotten and is not said anew: whoever writes what old messages tell asks here."""

from collections.abc import Iterable, Mapping, Sequence

from echovessel import text
from memory.facts import changing
from memory.facts.checks.grounding import extract_own_terms
from memory.messages import tombstones
from memory.models import ConceptNode, Message, Tombstone
from personas.models import Bond


def are_forgotten(
    *, bond: Bond, told: Sequence[tuple[str, Sequence[Message]]], rest: Mapping[int, str] | None = None
) -> list[bool]:
    """Whether each text, given with its messages, was forgotten or retells what was, and is not said anew. The caller has locked
    the bond.

    `rest` is what is left of messages of which something was left out: what that tells was not forgotten.
    """
    left = rest or {}
    stones = tombstones.find_forgotten_facts(bond, [message for _, messages in told for message in messages])
    retold = [retells_forgotten(stones, said, messages) for said, messages in told]
    # What only cites a later message must not clear a tombstone.
    others = [one for one, is_retold in zip(told, retold, strict=True) if not is_retold]
    by_text = [(said, [message.pk for message in messages]) for said, messages in others]
    gone = iter(tombstones.are_forgotten(bond=bond, told=by_text))
    return [
        is_retold or (next(gone) and not tells_any(said, [left.get(message.pk, "") for message in messages]))
        for (said, messages), is_retold in zip(told, retold, strict=True)
    ]


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


def rests_on_forgotten(bond: Bond, said: str, messages: Sequence[Message]) -> bool:
    """Whether all the messages that a text rests on are forgotten, and what prompts still hold of them does not tell it."""
    gone = tombstones.find_forgotten_messages(bond, messages)
    left = Message.objects.filter(pk__in=gone).values_list("remainder", flat=True)
    return {message.pk for message in messages} <= gone and not tells_any(said, left)


def tells_any(said: str, rest: Iterable[str]) -> bool:
    """Whether half of a text stands in what is left of one of its messages."""
    own = text.extract_terms(said)
    return any(changing.tells_same(own, text.extract_terms(one)) for one in rest)
