from collections.abc import Iterable
from datetime import datetime
from typing import Any, cast

from django.contrib.postgres.expressions import ArraySubquery
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import F, Func, Max, OuterRef, Q, Subquery
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext_lazy as _
from pgvector.django import BitField, HalfVectorField

from echovessel import events
from echovessel.models import require_known
from memory.models import fact_columns, lexemes
from memory.models.edges import Filling, NodeSource
from memory.models.messages import VECTOR_DIMENSIONS, Message
from memory.models.sessions import Session
from personas.models import Bond, BondRowQuerySet

_IS_LOADED = """
    CASE WHEN memory_conceptnode.type = 'fact' THEN EXISTS (
        SELECT FROM memory_session WHERE bond_id = memory_conceptnode.bond_id AND status = 'open' AND deleted_at IS NULL
            AND memory_conceptnode.id = ANY(loaded_ids)
    ) END
"""


class ConceptNodeQuerySet(BondRowQuerySet["ConceptNode"]):
    def not_deleted(self) -> "ConceptNodeQuerySet":
        return self.filter(deleted_at=None)

    def current(self) -> "ConceptNodeQuerySet":
        """Filter memories the persona may use: not forgotten, superseded, stale, settled or uncertain."""
        unusable = (*ConceptNode.SETTLED, ConceptNode.State.UNCERTAIN)
        return self.not_deleted().filter(stale=False).exclude(state__in=unusable)

    def without_heavy_columns(self, *also: str) -> "ConceptNodeQuerySet":
        """Without the columns that only the database looks at, and these."""
        return self.defer("embedding", "sketch", "search", *also)

    def sharing(self, bond_id: int, terms: Iterable[str]) -> "ConceptNodeQuerySet":
        marked = " | ".join(lexemes.format_lexeme(bond_id, term) for term in terms)
        return self.filter(RawSQL("memory_conceptnode.search @@ %s::tsquery", [marked], models.BooleanField()))

    def events(self) -> "ConceptNodeQuerySet":
        return self.filter(type=ConceptNode.Type.EVENT)

    def thoughts(self) -> "ConceptNodeQuerySet":
        return self.filter(type=ConceptNode.Type.THOUGHT)

    def facts(self) -> "ConceptNodeQuerySet":
        return self.filter(type=ConceptNode.Type.FACT)

    def not_facts(self) -> "ConceptNodeQuerySet":
        return self.exclude(type=ConceptNode.Type.FACT)

    def live_facts(self) -> "ConceptNodeQuerySet":
        """Filter facts that hold; this is the condition of their index."""
        return self.filter(fact_columns.LIVE)

    def with_told_at(self) -> "ConceptNodeQuerySet":
        """Annotate `told_at`: the time of the last source message that still exists from before the node was written, else of the
        node itself. What was told later repeats it; what was told before may be of the fact in whose place it came.
        """
        before = NodeSource.objects.filter(
            node=OuterRef("pk"), message__deleted_at=None, message__created_at__lte=OuterRef("created_at")
        )
        last = Subquery(before.order_by().values("node").annotate(at=Max("message__created_at")).values("at"))
        return self.annotate(told_at=Coalesce(last, "created_at"))

    def load_told_at(self) -> dict[int, datetime]:
        return {node.pk: node.told_at for node in cast("Any", self.only("pk").with_told_at())}

    def for_serializer(self) -> "ConceptNodeQuerySet":
        """Annotate what `NodeSerializer` shows beside the row: `source_ids` of messages, `filling_ids` of evidence, and of
        a fact whether an open session's prompts hold it (`is_loaded`).
        """
        sources = NodeSource.objects.without_deleted_messages().filter(node=OuterRef("pk"))
        filling = Filling.objects.not_orphaned().filter(parent=OuterRef("pk"))
        return self.without_heavy_columns("terms").annotate(
            source_ids=ArraySubquery(sources.order_by("message").values("message")),
            filling_ids=ArraySubquery(filling.order_by("child").values("child")),
            is_loaded=RawSQL(_IS_LOADED, [], output_field=models.BooleanField(null=True)),
        )


class ConceptNode(models.Model):
    """A row of L3 (event, fact) or L4 (thought, intention, expectation)."""

    class Type(models.TextChoices):
        EVENT = "event", _("Event")
        FACT = "fact", _("Fact")
        THOUGHT = "thought", _("Thought")
        INTENTION = "intention", _("Promise")
        EXPECTATION = "expectation", _("Expectation")

    class Subject(models.TextChoices):
        USER = "user", _("user")
        PERSONA = "persona", _("companion")
        SHARED = "shared", _("shared")

    class Origin(models.TextChoices):
        EXTRACTION = "extraction", _("extraction")
        REFLECTION = "reflection", _("reflection")
        SLOW_TICK = "slow_tick", _("slow tick")
        IMPORT = "import", _("import")
        USER = "user", _("user")
        TOOL = "tool", _("companion")
        RULE = "rule", _("rule")

    class State(models.TextChoices):
        LIVE = "live", _("live")
        # Of a fact that stands against another until it is settled: see `Doubt`.
        UNCERTAIN = "uncertain", _("not certain")
        SUPERSEDED = "superseded", _("corrected later")
        PENDING = "pending", _("pending")
        FULFILLED = "fulfilled", _("came true")
        MISSED = "missed", _("did not come true")
        EXPIRED = "expired", _("expired")
        OPEN = "open", _("open")
        KEPT = "kept", _("kept")
        BROKEN = "broken", _("not kept")
        CANCELLED = "cancelled", _("cancelled")

    Facet = fact_columns.Facet
    Tier = fact_columns.Tier
    Slot = fact_columns.Slot

    SETTLED = ("superseded", "fulfilled", "missed", "expired", "kept", "broken", "cancelled")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="nodes")
    type = models.CharField(max_length=16, choices=Type)
    subject = models.CharField(max_length=16, choices=Subject)
    description = models.TextField()
    emotional_impact = models.SmallIntegerField(default=0)
    emotion_tags = ArrayField(models.CharField(max_length=40), default=list, blank=True)
    relational_tags = ArrayField(models.CharField(max_length=24), default=list, blank=True)
    # Days; an expectation or intention is due on its end.
    event_time_start = models.DateField(null=True, blank=True)
    event_time_end = models.DateField(null=True, blank=True)
    origin = models.CharField(max_length=16, choices=Origin)
    confidence = models.FloatField()
    state = models.CharField(max_length=16, choices=State)
    state_reason = models.CharField(max_length=200, blank=True)
    session = models.ForeignKey(Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="nodes")
    # The part of the answer it came from: writing an answer twice writes the node once.
    answer_key = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001 - null: not from an answer
    source_quote = models.TextField(blank=True)
    source_deleted = models.BooleanField(default=False)
    superseded_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="supersedes"
    )
    conflicts_with = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # All its evidence is superseded: it is in no prompt until it is cited anew.
    stale = models.BooleanField(default=False)
    valid_from = models.DateTimeField()
    valid_until = models.DateTimeField(null=True, blank=True)
    mention_count = models.PositiveIntegerField(default=1)
    created_at = models.DateTimeField()
    deleted_at = models.DateTimeField(null=True, blank=True)
    # The columns of facts: see `memory.models.fact_columns`.
    facet = models.CharField(max_length=16, choices=Facet, blank=True)
    tier = models.CharField(max_length=16, choices=Tier, blank=True)
    slot = models.CharField(max_length=16, choices=Slot, blank=True)
    # What stands in the slot: "Leeds".
    value = models.CharField(max_length=fact_columns.VALUE_MOST, blank=True)
    # More than the description tells; no prompt has it unasked.
    detail = models.TextField(blank=True)
    # About health or safety: said or confirmed anew before it is relied on.
    grave = models.BooleanField(default=False)
    last_confirmed_at = models.DateTimeField(null=True, blank=True)
    last_decay_at = models.DateTimeField(null=True, blank=True)
    # A person wants it in all their bonds; the rows in the others name this one.
    shared = models.BooleanField(default=False)
    copy_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="copies"
    )
    # Folded words and CJK bigrams of the description, each once, for lexical relevance.
    terms = ArrayField(models.CharField(max_length=64), default=list, blank=True)
    # Empty with `embedding_model` set: the model cannot read this text.
    embedding = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    # The signs of the embedding: 48 bytes by which an index finds near nodes.
    sketch = models.GeneratedField(
        expression=Cast(Func(F("embedding"), function="binary_quantize"), BitField(length=VECTOR_DIMENSIONS)),
        output_field=BitField(length=VECTOR_DIMENSIONS),
        db_persist=True,
    )
    # The terms with their bond, see `memory.models.lexemes`.
    search = models.GeneratedField(
        expression=Func(F("bond"), F("terms"), function="memory_marked_terms"),
        output_field=SearchVectorField(),
        db_persist=True,
    )
    filling = models.ManyToManyField(
        "self", through="Filling", through_fields=("parent", "child"), symmetrical=False, related_name="cited_by"
    )
    source_messages = models.ManyToManyField(Message, through="NodeSource", related_name="nodes")

    objects = ConceptNodeQuerySet.as_manager()

    class Meta:
        verbose_name = _("memory")
        verbose_name_plural = _("memories")
        constraints = [
            models.CheckConstraint(
                condition=Q(type="event", state__in=["live", "superseded"])
                | Q(type="fact", state__in=["live", "uncertain", "superseded"])
                | Q(type="thought", state__in=["live", "superseded"])
                | Q(type="expectation", state__in=["pending", "fulfilled", "missed", "expired", "superseded"])
                | Q(type="intention", state__in=["open", "kept", "broken", "cancelled", "expired", "superseded"]),
                name="node_state_fits_type",
            ),
            models.CheckConstraint(condition=Q(emotional_impact__range=(-10, 10)), name="node_impact_range"),
            models.CheckConstraint(condition=Q(confidence__range=(0, 1)), name="node_confidence_range"),
            models.CheckConstraint(condition=~Q(description=""), name="node_has_description"),
            models.CheckConstraint(condition=Q(emotion_tags__len__lte=4), name="node_at_most_4_emotion_tags"),
            models.CheckConstraint(condition=Q(relational_tags__len__lte=3), name="node_at_most_3_relational_tags"),
            models.CheckConstraint(
                condition=Q(event_time_start=None)
                | Q(event_time_end=None)
                | Q(event_time_start__lte=F("event_time_end")),
                name="node_start_before_end",
            ),
            models.CheckConstraint(
                condition=Q(valid_until=None) | Q(valid_from__lte=F("valid_until")), name="node_valid_in_order"
            ),
            require_known("node_subject_known", subject=["user", "persona", "shared"]),
            models.UniqueConstraint(
                fields=["bond", "answer_key"],
                condition=Q(answer_key__isnull=False, deleted_at=None),
                name="node_once_per_answer",
            ),
            *fact_columns.CONSTRAINTS,
        ]
        indexes = [
            models.Index(fields=["bond", "type", "-created_at"], name="node_bond_type_newest"),
            # For lists, which are in the order of ids: without it a bond without facts had those of all bonds walked.
            models.Index(fields=["bond", "type", "-id"], name="node_bond_type_last"),
            models.Index(fields=["bond", "-created_at"], name="node_bond_newest"),
            # For the admin, which searches all bonds.
            models.Index(fields=["type", "-created_at", "-id"], name="node_type_newest"),
            models.Index(
                F("bond"),
                Coalesce("event_time_start", "event_time_end"),
                Coalesce("event_time_end", "event_time_start"),
                name="node_bond_event_time",
                condition=Q(event_time_start__isnull=False) | Q(event_time_end__isnull=False),
            ),
            # For the clock, which searches all bonds every minute.
            models.Index(
                fields=["event_time_end"], condition=Q(state__in=["pending", "open"]), name="node_unsettled_due"
            ),
            # Core facts about the user: every extraction offers a few.
            models.Index(
                fields=["bond", "-created_at", "-id"],
                condition=Q(relational_tags__contains=["identity-bearing"]),
                name="node_identity",
            ),
            # Every turn reads it, so it has no list of pending entries, which each search would walk.
            GinIndex(fields=["search"], name="node_search", fastupdate=False),
            # For the admin: without it the search for an absent word among a million memories took seconds.
            GinIndex(fields=["terms"], name="node_terms"),
            models.Index(
                fields=["bond", "embedding_model"],
                include=["id", "sketch"],
                condition=Q(deleted_at=None, embedding__isnull=False)
                & Q(stale=False, state="live", type__in=["event", "thought", "fact"]),
                name="node_sketches",
            ),
            *fact_columns.INDEXES,
        ]

    def __str__(self) -> str:
        return f"{self.get_type_display()} {self.pk}"

    @property
    def is_shared(self) -> bool:
        """Whether a person tells it to all their companions: it is the first of its family, or a copy."""
        return self.shared or self.copy_of_id is not None

    def supersede(self, *, by: "ConceptNode", now: datetime) -> None:
        """Let another node replace this one, which stays as history."""
        self.state = self.State.SUPERSEDED
        self.superseded_by = by
        # The clock may have been set back since this node was created.
        self.valid_until = max(now, self.valid_from)
        self.save(update_fields=["state", "superseded_by", "valid_until"])

    def announce_update(self, *columns: str, now: datetime) -> None:
        """Record the event that these columns were changed."""
        refs = {"node": self.pk, "changed": columns}
        events.record(bond_id=self.bond_id, type="memory.node.updated", refs=refs, now=now)
