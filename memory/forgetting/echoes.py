"""Find the companion's messages to forget with the user's: replies to them, and verbatim repetitions."""

from collections.abc import Collection

from django.db.models import Q

from echovessel import text
from memory.messages import retelling
from memory.models import ConceptNode, Message
from personas.models import Bond

# A text with fewer terms is too short to recognise.
TELLING = 3
LOOKED_FOR_MOST = 50


def find_echoes(*, bond: Bond, lines: Collection[int], nodes: Collection[ConceptNode]) -> list[int]:
    """Find the ids of replies to these messages alone, and of messages that repeat them or the nodes."""
    if not lines:
        return []
    said = Message.objects.for_bond(bond).filter(pk__in=lines).values_list("content", flat=True)
    replies = Message.objects.for_bond(bond).not_deleted().filter(role=Message.Role.PERSONA).exclude(pk__in=lines)
    texts = [*said, *(node.description for node in nodes)]
    [own] = retelling.find_replies(bond, [lines])
    found = replies.filter(Q(pk__in=own) | filter_repeating(texts))
    return list(found.order_by("id").values_list("pk", flat=True))


def filter_repeating(texts: Collection[str]) -> Q:
    """Filter messages that hold one of the texts; the first letter's case and the ending may differ."""
    found = Q(pk__in=[])
    for said in list(texts)[:LOOKED_FOR_MOST]:
        if len(text.extract_terms(said)) >= TELLING:
            found |= Q(content__contains=said.strip().rstrip(".!?。！？…")[1:])
    return found
