"""Why a reply was said: its turn's trace in words, with figures beside them.

The trace holds ids and numbers. What was forgotten since has no text any more and is only counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from chat.models import Turn
from chat.pages.conversation import talk_explanation
from chat.pages.conversation.talk_explanation import TalkExplanation
from chat.pages.display.formats import format_days
from chat.turns.trace import Trace, TracedMemory
from echovessel.models import LedgerEntry
from memory.models import ConceptNode, Entity, Message, MoodChange
from memory.recall import scoring
from personas.models import MOOD_LASTS, NEUTRAL_ENERGY, NEUTRAL_MOOD

# How many of the candidates that were left out are shown.
LEFT_OUT_MOST = 30
# How long after its end a turn's calls are written to the ledger at most.
LEDGER_WITHIN = timedelta(minutes=5)
# From which value on a term is mentioned.
MENTION_THRESHOLDS = {"recency": 0.8, "impact": 0.5, "relational": 0.01, "graph": 0.01}
# The width of the widest bar, in SVG units.
BAR_WIDTH = 100
TERM_LABELS = {
    "relevance": gettext_lazy("Similarity to your message"),
    "fit": gettext_lazy("How well it fits a question"),
    "impact": gettext_lazy("Importance"),
    "anchor": gettext_lazy("Mentions this person or time"),
    "recency": gettext_lazy("How recent it is"),
    "relational": gettext_lazy("How much it is about you two"),
    "graph": gettext_lazy("Links to other memories"),
}
REASON_LABELS = {
    "floor": gettext_lazy("too different from your message"),
    "beyond_k": gettext_lazy("others matched better"),
    "repeats": gettext_lazy("another one says the same"),
    "session_limit": gettext_lazy("enough came from the same chat already"),
    "budget": gettext_lazy("there was no room left"),
    "loaded": gettext_lazy("already among the facts of this chat"),
    "noted": gettext_lazy("already among what was noted in this chat"),
    "unsure": gettext_lazy("too uncertain"),
    "section": gettext_lazy("memories were left out of this reply"),
    "told_by_event": gettext_lazy("the event it came from says it"),
}
STEP_LABELS = {
    "embed_ms": gettext_lazy("Reading your message"),
    "recall_ms": gettext_lazy("Finding memories"),
    "prompt_ms": gettext_lazy("Building the prompt"),
    "first_token_ms": gettext_lazy("Time to first word"),
    "total_ms": gettext_lazy("Total"),
}
TOKEN_LABELS = {
    "tokens_in": gettext_lazy("Read by the model"),
    "tokens_cached": gettext_lazy("of these cached"),
    "tokens_out": gettext_lazy("Written by the model"),
}
OPTION_LABELS = {
    "temperature": gettext_lazy("temperature"),
    "top_p": gettext_lazy("top p"),
    "max_tokens": gettext_lazy("longest reply in tokens"),
    "max_completion_tokens": gettext_lazy("longest reply in tokens"),
}
CUT_LABELS = {
    "words": gettext_lazy("messages quoted from earlier chats"),
    "moments": gettext_lazy("messages you keep"),
    "expectations": gettext_lazy("expectations"),
    "own_thoughts": gettext_lazy("thoughts about themselves"),
    "about": gettext_lazy("descriptions of people and things"),
    "promises": gettext_lazy("promises"),
    "recalled": gettext_lazy("memories"),
    "user_thoughts": gettext_lazy("thoughts about you"),
    "lines": gettext_lazy("earlier messages of the chat"),
    "talks": gettext_lazy("summaries of chats"),
    "recaps": gettext_lazy("recaps of messages"),
    "scenes": gettext_lazy("recaps of scenes"),
    "story": gettext_lazy("points of the story"),
}


@dataclass(frozen=True)
class ScoreTerm:
    word: str
    value: float
    weight: float

    @property
    def points(self) -> float:
        return self.value * self.weight

    @property
    def bar(self) -> float:
        return round(BAR_WIDTH * min(1.0, self.points / scoring.RELEVANCE_WEIGHT), 1)


@dataclass(frozen=True)
class RecalledMemory:
    node: ConceptNode
    item: TracedMemory
    named: Sequence[str]

    @property
    def word(self) -> str:
        return str(self.node.get_type_display())

    @property
    def reason(self) -> str:
        return str(REASON_LABELS.get(self.item.reason or "", ""))

    @property
    def terms(self) -> list[ScoreTerm]:
        return [
            ScoreTerm(str(word), self.item.terms.get(name, 0.0), get_weights()[name])
            for name, word in TERM_LABELS.items()
        ]

    @property
    def because(self) -> str:
        """The reasons for it, in words."""
        terms = self.item.terms
        reasons = [describe_closeness(terms.get("relevance", 0.0))]
        if self.named:
            reasons.append(_("about %(names)s") % {"names": _(", ").join(self.named)})
        reasons += [
            str(word) for name, word in MENTION_LABELS.items() if terms.get(name, 0.0) >= MENTION_THRESHOLDS[name]
        ]
        return _(", ").join(reasons)


MENTION_LABELS = {
    "impact": gettext_lazy("important"),
    "relational": gettext_lazy("matters to you two"),
    "graph": gettext_lazy("linked to others that match"),
    "recency": pgettext_lazy("of a memory", "recent"),
}


def describe_closeness(relevance: float) -> str:
    if relevance >= 0.6:
        return _("very similar to your message")
    if relevance >= 0.5:
        return _("similar to your message")
    if relevance >= scoring.RELEVANCE_FLOOR:
        return _("somewhat similar to your message")
    return _("not similar by itself")


def get_weights() -> dict[str, float]:
    return {
        "recency": scoring.RECENCY_WEIGHT,
        "relevance": scoring.RELEVANCE_WEIGHT,
        "impact": scoring.IMPACT_WEIGHT,
        "relational": settings.RELATIONAL_BONUS_WEIGHT,
        "anchor": scoring.ANCHOR_WEIGHT,
        "graph": 1.0,
        "fit": scoring.FIT_WEIGHT,
    }


@dataclass(frozen=True, kw_only=True)
class ReplyExplanation:
    turn: Turn
    trace: Trace
    reply: Message | None
    # Whether the reply was regenerated since: the trace is of the last variant.
    has_later_reply: bool
    kept: list[RecalledMemory]
    left_out: list[RecalledMemory]
    left_out_more: int
    forgotten_count: int
    quoted: list[Message]
    mood: str
    energy: int
    talk: TalkExplanation
    # The model, and with what else it was asked.
    used: str

    @property
    def has_trace(self) -> bool:
        return bool(self.turn.trace)

    @property
    def steps(self) -> list[tuple[str, float]]:
        """The duration of each step in seconds."""
        timings = self.turn.timings
        return [
            (str(label), timings[name] / 1000) for name, label in STEP_LABELS.items() if timings.get(name) is not None
        ]

    @property
    def tokens(self) -> list[tuple[str, int]]:
        counted = [(str(word), getattr(self.turn, name)) for name, word in TOKEN_LABELS.items()]
        return [] if self.turn.offline else [(word, count) for word, count in counted if count is not None]

    @property
    def cut(self) -> list[tuple[str, int]]:
        return [(str(CUT_LABELS[name]), count) for name, count in self.trace.cut.items() if name in CUT_LABELS]


def load(turn: Turn) -> ReplyExplanation:
    """Load what the turn's trace refers to. The turn must come with its bond and session."""
    trace = Trace.read(turn)
    known = load_nodes(turn, trace)
    names = load_entity_names(turn, trace)
    memories = [
        RecalledMemory(known[item.node], item, describe_anchors(item, names))
        for item in trace.memories
        if item.node in known
    ]
    left_out = [one for one in memories if not one.item.kept]
    mood, energy = get_mood(turn)
    replies = list(turn.replies().not_deleted().only("content", "variant", "chosen").order_by("variant"))
    reply = next((one for one in replies if one.chosen), None)
    return ReplyExplanation(
        turn=turn,
        trace=trace,
        reply=reply,
        has_later_reply=reply is not None and reply is not replies[-1],
        kept=[one for one in memories if one.item.kept],
        left_out=left_out[:LEFT_OUT_MOST],
        left_out_more=max(0, len(left_out) - LEFT_OUT_MOST),
        forgotten_count=len(trace.memories) - len(memories),
        quoted=list_quotes(turn, trace),
        mood=mood,
        energy=energy,
        talk=talk_explanation.explain(trace, names),
        used=describe_call(turn),
    )


def describe_call(turn: Turn) -> str:
    """Name the model of the last reply and the settings it was asked with; "" off the record and by the offline rules."""
    if turn.offline or turn.started_at is None:
        return ""
    # By the times, for which there is an index.
    around = (turn.started_at, (turn.finished_at or turn.started_at) + LEDGER_WITHIN)
    entries = LedgerEntry.objects.filter(user_id=turn.bond.user_id, created_at__range=around)
    entry = entries.filter(turn_id=turn.pk, feature="reply").order_by("-id").first()
    if entry is None:
        return ""
    settings_used = [f"{OPTION_LABELS.get(name, name)} {value:g}" for name, value in entry.options.items()]
    return _(", ").join([entry.model, *settings_used])


def load_nodes(turn: Turn, trace: Trace) -> dict[int, ConceptNode]:
    nodes = ConceptNode.objects.for_bond(turn.bond).not_deleted().without_heavy_columns("terms")
    return nodes.in_bulk([item.node for item in trace.memories])


def load_entity_names(turn: Turn, trace: Trace) -> dict[int, str]:
    ids = {anchor for item in trace.memories for anchor in item.anchored_by if isinstance(anchor, int)}
    ids |= {*(trace.topic.entities if trace.topic else ()), *(trace.cards.entities if trace.cards else ())}
    return dict(
        Entity.objects.for_bond(turn.bond)
        .not_deleted_or_merged()
        .filter(pk__in=ids)
        .values_list("pk", "canonical_name")
    )


def describe_anchors(item: TracedMemory, names: Mapping[int, str]) -> list[str]:
    """Name the people, things and times that connect a memory with the burst, as far as they are still known."""
    named = [format_period(one) if isinstance(one, str) else names.get(one, "") for one in item.anchored_by]
    return [name for name in named if name]


def format_period(anchor: str) -> str:
    first, last = map(date.fromisoformat, anchor.split("/"))
    return format_days(first, last)


def list_quotes(turn: Turn, trace: Trace) -> list[Message]:
    """Return the messages of earlier sessions that were quoted to the model, best first."""
    ids = [quote.message for quote in trace.quotes]
    messages = Message.objects.for_bond(turn.bond).visible().not_off_record().without_heavy_columns().in_bulk(ids)
    return [messages[pk] for pk in ids if pk in messages]


def get_mood(turn: Turn) -> tuple[str, int]:
    at = turn.started_at or turn.created_at
    lasting = MoodChange.objects.for_bond(turn.bond).filter(created_at__lte=at, created_at__gte=at - MOOD_LASTS)
    change = lasting.order_by("-created_at", "-id").first()
    return (NEUTRAL_MOOD, NEUTRAL_ENERGY) if change is None else (change.mood, change.energy)
