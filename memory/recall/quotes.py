"""Messages that a reply may quote, and those that are found without being looked for: behind what is recalled, and of a day."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from uuid import UUID

from django.db.models import F, Max, Q
from django.db.models.functions import Abs
from pgvector.django import CosineDistance

from echovessel import text
from echovessel.embeddings import embedding
from echovessel.llm.offline.text import sentences
from echovessel.periods import Period
from memory.models import Message
from memory.models.messages import MessageQuerySet
from memory.recall.memories import RecallResult
from personas.models import Bond

# Among so many of the nearest is one that asks nothing.
_COMPARED = 8


@dataclass(frozen=True)
class QuotedMessage:
    """A message to quote, with its score."""

    message: Message
    score: float


def find_nearest(
    *, turn_id: UUID, query: str, vector: Sequence[float] | None, among: MessageQuerySet
) -> tuple[Message, float] | None:
    """Find which of these messages of the user, but those of the turn itself, is nearest to a Chinese question by its vector, and the cosine.

    Questions tell nothing, and of English vectors it is not known from where on one answers.
    """
    if vector is None or not (text.has_cjk(query) and sentences.is_question(query)):
        return None
    told = among.filter(role=Message.Role.USER, embedding_model=embedding.get_model_name(), embedding__isnull=False)
    nearest = told.exclude(turn_id=turn_id).annotate(distance=CosineDistance("embedding", vector)).order_by("distance")
    for message in nearest.without_heavy_columns()[:_COMPARED]:
        message.content = message.remainder or message.content
        if text.has_cjk(message.content) and not sentences.is_question(message.content):
            return message, 1 - getattr(message, "distance")  # noqa: B009
    return None


def search_sources(
    *, bond: Bond, recalled: RecallResult, besides: Collection[int], not_session: int | None, most: int
) -> list[QuotedMessage]:
    """Find the user's messages that the recalled memories were told in: of each memory the longest."""
    said = Message.objects.for_bond(bond).told().not_hidden(bond).filter(role=Message.Role.USER)
    told = said.filter(nodes__in=[item.node.pk for item in recalled.kept]).annotate(node=F("nodes"))
    others = told.exclude(pk__in=besides).exclude(session=not_session).without_heavy_columns()
    longest = {getattr(one, "node"): one for one in others.order_by("token_count", "-id")}  # noqa: B009
    found = [
        QuotedMessage(message=longest[item.node.pk], score=item.score)
        for item in recalled.kept
        if item.node.pk in longest
    ]
    return list({quoted.message.pk: quoted for quoted in reversed(found)}.values())[::-1][:most]


def search_days(
    *, bond: Bond, named: Sequence[Period], besides: Collection[int], not_session: int | None, most: int
) -> list[QuotedMessage]:
    """Find the user's messages in the named periods: the strongest remembered first, then the longest."""
    in_any = reduce(or_, (Q(day__range=(period.start, period.end)) for period in named))
    weight = Max(Abs("nodes__emotional_impact"), filter=Q(nodes__deleted_at=None), default=-1)
    said = Message.objects.for_bond(bond).told().not_hidden(bond).filter(in_any, role=Message.Role.USER)
    told = said.exclude(pk__in=besides).exclude(session=not_session).without_heavy_columns()
    best = told.annotate(weight=weight).order_by("-weight", "-token_count", "id")[:most]
    return [QuotedMessage(message=message, score=float(getattr(message, "weight"))) for message in best]  # noqa: B009
