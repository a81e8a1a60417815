"""Exact words: the lines of earlier sessions that bear on this moment, found by terms and by meaning."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet
from pgvector.django import CosineDistance

from echovessel import embedding
from memory import recall, scoring, text
from memory.models import Message
from personas.models import Bond

NEAREST = 60
# Under this a line is no more about the burst than any other.
LEAST = 0.36
# What greets, thanks and agrees asks for nothing.
_SMALL_TALK = (
    "hi hello hey ok okay yes yeah yep yup nope thanks thank thx bye goodbye good great nice cool fine sure right well haha hahaha "
    "lol hm hmm ah oh wow please sorry morning evening night 哈哈 哈 嘿 嗨 呵 呵呵 嘻 嘻嘻 早 安 早安 晚 晚安 拜 拜拜 谢 谢谢 行 对 对对 喂"
)
SMALL_TALK = frozenset(term for word in _SMALL_TALK.split() for term in text.terms(word))


@dataclass(frozen=True)
class Word:
    """A line that was said, verbatim, and how well it fits."""

    message: Message
    score: float


def search(
    *,
    bond: Bond,
    query: str,
    vector: Sequence[float] | None,
    besides: Collection[int] = (),
    not_session: int | None = None,
    most: int = 6,
) -> list[Word]:
    """Lines of earlier sessions that bear on the text of a burst, best first; `besides` are ids to leave out.

    `vector` is the burst's (None where unusable), made outside any transaction; `not_session` the session of the burst.
    """
    asked = text.terms(query)
    if SMALL_TALK.issuperset(asked):
        return []
    lines = earlier(bond, besides=besides, not_session=not_session)
    ways = [*nearest(lines, vector), sharing(lines, asked)]
    found = lines.filter(pk__in=list(ways[0].union(*ways[1:]).values_list("pk", flat=True))).defer("search")
    scored = [Word(message=line, score=fit(line, asked=asked, vector=vector)) for line in found]
    ranked = sorted(scored, key=lambda word: (-word.score, -word.message.pk))
    return [word for word in ranked[:most] if word.score >= LEAST]


def earlier(bond: Bond, *, besides: Collection[int], not_session: int | None) -> QuerySet[Message]:
    """The lines a turn may quote: live, of sessions on the record, said by one of the two."""
    lines = Message.objects.of(bond).live().filter(session__off_record=False).exclude(role=Message.Role.SYSTEM)
    if not_session is not None:
        lines = lines.exclude(session=not_session)
    return lines.exclude(pk__in=besides)


def nearest(lines: QuerySet[Message], vector: Sequence[float] | None) -> list[QuerySet[Any]]:
    if vector is None:
        return []
    readable = lines.filter(embedding_model=embedding.model_name(), embedding__isnull=False)
    return [readable.order_by(CosineDistance("embedding", list(vector)), "-id").values("pk")[:NEAREST]]


def sharing(lines: QuerySet[Message], asked: Sequence[str]) -> QuerySet[Any]:
    looked_for = recall.rarest(asked)
    any_of = SearchQuery(looked_for[0], config="simple")
    for term in looked_for[1:]:
        any_of |= SearchQuery(term, config="simple")
    return lines.filter(search=any_of).order_by("-id").values("pk")[:NEAREST]


def fit(line: Message, *, asked: Sequence[str], vector: Sequence[float] | None) -> float:
    lexical = scoring.lexical_relevance(asked, text.terms(line.content))
    if vector is None or line.embedding is None or line.embedding_model != embedding.model_name():
        return lexical
    cosine = scoring.cosine(vector, line.embedding)
    return (scoring.vector_relevance(cosine, baseline=embedding.cosine_baseline()) + lexical) / 2
