"""The layers of an export: the rows and columns of each. A restore rebuilds everything else.

All columns of a table are exported, so that none is missed, except those named here: vectors and other search columns,
leases, and marks of the trash.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models import Q, QuerySet

from echovessel.archives.columns import JSONShapes
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    EntityMerge,
    EntityRemark,
    FactWrite,
    Filling,
    Import,
    ImportChunk,
    LineRecap,
    Mention,
    Message,
    MoodChange,
    NodeLink,
    NodeSource,
    ReflectionRun,
    Scene,
    SceneRecap,
    Separation,
    Session,
    SlowTickRun,
    Story,
    StoryVersion,
)
from memory.transfer import shapes
from personas.models import Bond

DERIVED_COLUMNS = frozenset({"search", "terms", "folded", "embedding", "embedding_model"})
LOADED_COLUMNS = frozenset({"loaded_text", "loaded_hash", "loaded_ids", "loaded_left", "loaded_name", "loaded_at"})
TRANSIENT_COLUMNS = LOADED_COLUMNS | {
    *("held_until", "lease_token", "lease_until", "lease_holder", "attempt_count"),
    # The memory that a line asked to change: for its turn alone.
    *("left_at", "about"),
    # It stands for a message while a tombstone hides that.
    "remainder",
}
# Who else has a fact is a matter of this account.
SHARING_COLUMNS = frozenset({"shared", "copy_of"})
EXCLUDED_COLUMNS = DERIVED_COLUMNS | TRANSIENT_COLUMNS | SHARING_COLUMNS | {"bond", "deleted_at", "off_record"}
CHUNK = 2000


@dataclass(frozen=True, kw_only=True)
class Layer:
    name: str
    model: type[models.Model]
    kept: Q = field(default_factory=Q)
    left_out: frozenset[str] = frozenset()
    # The shapes of its JSON columns.
    shapes: JSONShapes = field(default_factory=dict)
    # The two columns of a row that links two rows.
    edge: tuple[str, str] | None = None
    # References to rows of a later table.
    ahead: frozenset[str] = frozenset()
    # Exports of before it was there have no such file.
    is_new: bool = False
    # Columns that the table had once: exports of then hold them, and nothing reads them any more.
    former: frozenset[str] = frozenset()

    @property
    def group(self) -> str:
        """The key by which other rows refer to this layer."""
        return find_group(self.model)

    @cached_property
    def columns(self) -> "list[models.Field[Any, Any]]":
        left_out = EXCLUDED_COLUMNS | self.left_out
        return [
            column for column in self.model._meta.concrete_fields if is_kept(column) and column.name not in left_out
        ]

    @cached_property
    def names(self) -> frozenset[str]:
        """All keys of a line."""
        return frozenset(["id", *(column.attname for column in self.columns)])

    @cached_property
    def unread(self) -> frozenset[str]:
        """Keys that older exports hold and nothing reads: columns that the table had once, and some that are left out since."""
        left_out = TRANSIENT_COLUMNS | SHARING_COLUMNS
        return self.former | {column.attname for column in self.model._meta.concrete_fields if column.name in left_out}

    @cached_property
    def references(self) -> "dict[str, models.ForeignKey[Any, Any]]":
        """The columns that refer to other rows, as the table names them."""
        return {column.attname: column for column in self.columns if isinstance(column, models.ForeignKey)}

    @cached_property
    def to_itself(self) -> frozenset[str]:
        return frozenset(name for name, column in self.references.items() if column.related_model is self.model)

    @cached_property
    def filled_later(self) -> frozenset[str]:
        """The references to rows that are written after their own."""
        return self.to_itself | self.ahead

    def filter_rows(self, bond: Bond) -> QuerySet[Any]:
        return self.model._base_manager.filter(self.kept, bond=bond).order_by("pk")

    def read(self, bond: Bond) -> Iterator[dict[str, Any]]:
        names = [column.attname for column in self.columns]
        for pk, *values in self.filter_rows(bond).values_list("pk", *names).iterator(chunk_size=CHUNK):
            yield {"id": pk, **dict(zip(names, values, strict=True))}


def is_kept(column: "models.Field[Any, Any]") -> bool:
    return not column.primary_key and not isinstance(column, models.GeneratedField)


def find_group(model: Any) -> str:
    return str(model._meta.model_name)


NOT_DELETED = Q(deleted_at=None)
# Of a doubt; without its second memory it is still one about the first.
SIDES_NOT_DELETED = Q(a_node__deleted_at=None, a_entity__deleted_at=None, b_entity__deleted_at=None)
EVENTS = Q(type=ConceptNode.Type.EVENT)
FACTS = Q(type=ConceptNode.Type.FACT)
# In the order of restoring: a row comes after the rows it refers to, except those of its own table and those of `ahead`.
LAYERS = (
    Layer(name="L2_sessions", model=Session, kept=NOT_DELETED & Q(off_record=False)),
    Layer(name="L2_messages", model=Message, kept=NOT_DELETED),
    Layer(name="L3_events", model=ConceptNode, kept=NOT_DELETED & EVENTS),
    Layer(name="L3_facts", model=ConceptNode, kept=NOT_DELETED & FACTS, is_new=True),
    Layer(name="L4_thoughts", model=ConceptNode, kept=NOT_DELETED & ~EVENTS & ~FACTS),
    Layer(name="L4_reflection_runs", model=ReflectionRun),
    # Prompt and answer hold ids, which differ where the run is restored.
    Layer(
        name="L4_slow_ticks",
        model=SlowTickRun,
        kept=~Q(outcome=SlowTickRun.Outcome.RUNNING),
        left_out=frozenset({"prompt", "answer", "notes"}),
        shapes={"questions": shapes.QUESTIONS},
    ),
    Layer(name="sources", model=NodeSource),
    Layer(name="fillings", model=Filling, edge=("parent_id", "child_id")),
    Layer(name="L5_entities", model=Entity, kept=NOT_DELETED, former=frozenset({"asked_in"})),
    Layer(name="L5_aliases", model=EntityAlias, kept=NOT_DELETED),
    Layer(name="L5_mentions", model=Mention),
    Layer(name="story_scenes", model=Scene, ahead=frozenset({"recap_id"}), former=frozenset({"weight"}), is_new=True),
    Layer(name="story_recaps", model=SceneRecap, shapes={"content": shapes.RECAP}, is_new=True),
    Layer(name="story_remarks", model=EntityRemark, is_new=True),
    Layer(name="L5_separations", model=Separation),
    Layer(name="L5_merges", model=EntityMerge, shapes={"moved": shapes.MOVED}),
    Layer(name="links", model=NodeLink, is_new=True),
    Layer(name="doubts", model=Doubt, kept=SIDES_NOT_DELETED, is_new=True),
    Layer(name="fact_writes", model=FactWrite, shapes={"before": shapes.BEFORE}, is_new=True),
    Layer(name="L6_mood_changes", model=MoodChange, kept=Q(session__deleted_at=None)),
    Layer(name="story_message_recaps", model=LineRecap, is_new=True),
    # Hidden versions are of a rebuild that is not done.
    Layer(
        name="story_versions",
        model=StoryVersion,
        kept=NOT_DELETED & Q(chain=None),
        shapes={"points": shapes.POINTS, "recaps": shapes.RECAP_IDS},
        is_new=True,
    ),
    Layer(name="story", model=Story, ahead=frozenset({"current_id"}), is_new=True),
    # Imported files, so that their memories are not learned twice. Their texts are not kept.
    Layer(name="imports", model=Import, kept=Q(state__in=[Import.State.DONE, Import.State.CANCELLED])),
    Layer(
        name="import_chunks",
        model=ImportChunk,
        kept=Q(state__in=[ImportChunk.State.DONE, ImportChunk.State.KNOWN]),
        left_out=frozenset({"text"}),
    ),
)
