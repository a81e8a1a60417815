"""Messages that a reply may quote, and those that are found without being looked for: behind what is recalled, and of a day."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import F, Max, Q
from django.db.models.functions import Abs

from echovessel.periods import Period
from memory.models import Message
from memory.recall.memories import RecallResult
from personas.models import Bond


@dataclass(frozen=True)
class QuotedMessage:
    """A message to quote, with its score."""

    message: Message
    score: float


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
