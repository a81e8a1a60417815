"""Why a reply was said: the trace of its turn, told in words first and in figures beside them.

The trace holds ids and numbers; what was forgotten since has no text any more and is counted only.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from chat.models import Turn
from chat.pages.memories import day
from chat.pages.timeline import WORDS
from memory.models import ConceptNode, Entity, Message, MoodChange
from memory.recall import scoring
from personas.models import MOOD_LASTS, NEUTRAL_ENERGY, NEUTRAL_MOOD

# Of what came to mind and was left out, the best so many are shown.
LEFT_OUT_MOST = 30
# From which value on a term is told in words.
TELLING = {"recency": 0.8, "impact": 0.5, "relational": 0.01, "graph": 0.01}
# The width of the widest bar, in the units of its drawing.
BAR = 100
TERMS = {
    "relevance": gettext_lazy("How close it is to what was said"),
    "impact": gettext_lazy("How much it weighs"),
    "anchor": gettext_lazy("Named, or of the time that was named"),
    "recency": gettext_lazy("How new it is"),
    "relational": gettext_lazy("How much it is about the two of you"),
    "graph": gettext_lazy("What it is connected with"),
}
REASONS = {
    "floor": gettext_lazy("too far from what was said"),
    "beyond_k": gettext_lazy("others fitted better"),
    "session_limit": gettext_lazy("enough came from the same talk already"),
    "budget": gettext_lazy("there was no room left for it"),
}
STEPS = {
    "embed_ms": gettext_lazy("Taking in what was said"),
    "recall_ms": gettext_lazy("Remembering"),
    "prompt_ms": gettext_lazy("Putting it together"),
    "first_token_ms": gettext_lazy("Until the first word"),
    "total_ms": gettext_lazy("All of it"),
}
TOKENS = {
    "tokens_in": gettext_lazy("Read by the model"),
    "tokens_cached": gettext_lazy("of these known from before"),
    "tokens_out": gettext_lazy("Written by the model"),
}
CUT = {
    "words": gettext_lazy("lines quoted from earlier talks"),
    "expectations": gettext_lazy("expectations"),
    "own_thoughts": gettext_lazy("thoughts about oneself"),
    "about": gettext_lazy("descriptions of people and things"),
    "promises": gettext_lazy("promises"),
    "recalled": gettext_lazy("memories"),
    "user_thoughts": gettext_lazy("thoughts about you"),
    "lines": gettext_lazy("earlier lines of the talk"),
    "talks": gettext_lazy("summaries of talks"),
}


@dataclass(frozen=True)
class Term:
    """One term of a score: its value, what it is weighed by, and what that comes to."""

    word: str
    value: float
    weight: float

    @property
    def points(self) -> float:
        return self.value * self.weight

    @property
    def bar(self) -> float:
        return round(BAR * min(1.0, self.points / scoring.RELEVANCE_WEIGHT), 1)


@dataclass(frozen=True)
class Remembered:
    """A memory that came to mind at a turn."""

    node: ConceptNode
    item: Mapping[str, Any]
    named: Sequence[str]

    @property
    def word(self) -> str:
        return str(WORDS[self.node.type])

    @property
    def reason(self) -> str:
        return str(REASONS.get(self.item["reason"], ""))

    @property
    def terms(self) -> list[Term]:
        return [Term(str(word), self.item["terms"].get(name, 0.0), weights()[name]) for name, word in TERMS.items()]

    @property
    def because(self) -> str:
        """What speaks for it, in words."""
        terms = self.item["terms"]
        told = [closeness(terms["relevance"])]
        if self.named:
            told.append(_("has to do with %(names)s") % {"names": _(", ").join(self.named)})
        told += [str(word) for name, word in BECAUSE.items() if terms[name] >= TELLING[name]]
        return _(", ").join(told)


BECAUSE = {
    "impact": gettext_lazy("weighs much"),
    "relational": gettext_lazy("matters between you"),
    "graph": gettext_lazy("connected with others that fit"),
    "recency": pgettext_lazy("of a memory", "new"),
}


def closeness(relevance: float) -> str:
    if relevance >= 0.6:
        return _("very close to what was said")
    if relevance >= 0.5:
        return _("close to what was said")
    if relevance >= scoring.RELEVANCE_FLOOR:
        return _("has something to do with what was said")
    return _("by itself it is far from what was said")


def weights() -> dict[str, float]:
    return {
        "recency": scoring.RECENCY_WEIGHT,
        "relevance": scoring.RELEVANCE_WEIGHT,
        "impact": scoring.IMPACT_WEIGHT,
        "relational": settings.RELATIONAL_BONUS_WEIGHT,
        "anchor": scoring.ANCHOR_WEIGHT,
        "graph": 1.0,
    }


@dataclass(frozen=True, kw_only=True)
class Why:
    """What a page tells of a turn."""

    turn: Turn
    reply: Message | None
    # Whether it was made anew since: the trace tells of the last time.
    has_later_reply: bool
    kept: list[Remembered]
    left_out: list[Remembered]
    left_out_more: int
    forgotten_count: int
    quoted: list[Message]
    mood: str
    energy: int

    @property
    def has_trace(self) -> bool:
        return "items" in self.turn.trace

    @property
    def steps(self) -> list[tuple[str, float]]:
        """What took how many seconds."""
        took = self.turn.timings
        return [(str(word), took[name] / 1000) for name, word in STEPS.items() if took.get(name) is not None]

    @property
    def tokens(self) -> list[tuple[str, int]]:
        counted = [(str(word), getattr(self.turn, name)) for name, word in TOKENS.items()]
        return [] if self.turn.offline else [(word, count) for word, count in counted if count is not None]

    @property
    def cut(self) -> list[tuple[str, int]]:
        return [(str(CUT[name]), count) for name, count in self.turn.trace.get("cut", {}).items() if name in CUT]


def of(turn: Turn) -> Why:
    """Read what the trace of a turn, which comes with its bond and session, stands for now."""
    items = turn.trace.get("items", [])
    known = nodes_of(turn, items)
    names = names_of(turn, items)
    memories = [Remembered(known[item["node"]], item, anchors(item, names)) for item in items if item["node"] in known]
    left_out = [one for one in memories if not one.item["kept"]]
    mood, energy = felt(turn)
    replies = replies_of(turn)
    reply = next((one for one in replies if one.chosen), None)
    return Why(
        turn=turn,
        reply=reply,
        has_later_reply=reply is not None and reply is not replies[-1],
        kept=[one for one in memories if one.item["kept"]],
        left_out=left_out[:LEFT_OUT_MOST],
        left_out_more=max(0, len(left_out) - LEFT_OUT_MOST),
        forgotten_count=len(items) - len(memories),
        quoted=quoted(turn),
        mood=mood,
        energy=energy,
    )


def nodes_of(turn: Turn, items: Iterable[Mapping[str, Any]]) -> dict[int, ConceptNode]:
    nodes = ConceptNode.objects.of(turn.bond).filter(deleted_at=None).defer("embedding", "terms")
    return nodes.in_bulk([item["node"] for item in items])


def names_of(turn: Turn, items: Iterable[Mapping[str, Any]]) -> dict[int, str]:
    ids = {anchor for item in items for anchor in item["anchored_by"] if isinstance(anchor, int)}
    return dict(Entity.objects.of(turn.bond).live().filter(pk__in=ids).values_list("pk", "canonical_name"))


def anchors(item: Mapping[str, Any], names: Mapping[int, str]) -> list[str]:
    """What was named that a memory belongs to: people, things and times, as far as they are still known."""
    named = [period(one) if isinstance(one, str) else names.get(one, "") for one in item["anchored_by"]]
    return [name for name in named if name]


def period(anchor: str) -> str:
    """`2026-03-01/2026-03-31` in words."""
    first, last = (day(date.fromisoformat(one)) for one in anchor.split("/"))
    return first if first == last else f"{first} – {last}"


def replies_of(turn: Turn) -> list[Message]:
    replies = Message.objects.of(turn.bond).filter(turn_id=turn.pk, role=Message.Role.PERSONA, deleted_at=None)
    return list(replies.only("content", "variant", "chosen").order_by("variant"))


def quoted(turn: Turn) -> list[Message]:
    """The lines of earlier talks that were given to the model word for word, the best first."""
    ids = [one["message"] for one in turn.trace.get("words", [])]
    lines = Message.objects.of(turn.bond).live().on_record().defer("embedding", "search", "sketch").in_bulk(ids)
    return [lines[pk] for pk in ids if pk in lines]


def felt(turn: Turn) -> tuple[str, int]:
    """The mood and the energy in which it was said, by the last change before."""
    at = turn.started_at or turn.created_at
    lasting = MoodChange.objects.left_in(turn.bond).filter(created_at__lte=at, created_at__gte=at - MOOD_LASTS)
    change = lasting.order_by("-created_at", "-id").first()
    return (NEUTRAL_MOOD, NEUTRAL_ENERGY) if change is None else (change.mood, change.energy)
