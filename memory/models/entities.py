from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import F, OuterRef, Q
from django.utils.translation import gettext_lazy as _
from pgvector.django import HalfVectorField

from echovessel.models import NamedRow, require_known
from memory.models.counting import count_subquery
from memory.models.messages import VECTOR_DIMENSIONS
from memory.models.nodes import ConceptNode
from personas.models import Bond, BondRowQuerySet


class EntityQuerySet(BondRowQuerySet["Entity"]):
    def not_deleted(self) -> "EntityQuerySet":
        return self.filter(deleted_at=None)

    def not_deleted_or_merged(self) -> "EntityQuerySet":
        return self.not_deleted().filter(merged_into=None)

    def for_serializer(self) -> "EntityQuerySet":
        """Annotate what `EntitySerializer` shows beside the row: `names` and `linked_events_count`."""
        about = Mention.objects.without_deleted_nodes().filter(entity=OuterRef("pk"))
        linked = about.filter(node__type=ConceptNode.Type.EVENT)
        return self.defer("embedding").with_names().annotate(linked_events_count=count_subquery(linked))

    def with_names(self) -> "EntityQuerySet":
        names = EntityAlias.objects.not_deleted().filter(entity=OuterRef("pk")).order_by("id").values("name")
        return self.annotate(names=ArraySubquery(names))


class Entity(models.Model):
    """L5: a third party, under all its names."""

    class Kind(models.TextChoices):
        PERSON = "person", _("a person")
        PLACE = "place", _("a place")
        ORG = "org", _("an organisation")
        PET = "pet", _("an animal")
        OTHER = "other", _("a thing")

    class MergeStatus(models.TextChoices):
        CONFIRMED = "confirmed", _("confirmed")
        UNCERTAIN = "uncertain", _("uncertain")

    class Author(models.TextChoices):
        EXTRACTION = "extraction", _("extraction")
        SLOW_TICK = "slow_tick", _("slow tick")
        OWNER = "owner", _("owner")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="entities")
    canonical_name = models.CharField(max_length=120)
    kind = models.CharField(max_length=16, choices=Kind)
    description = models.TextField(blank=True)
    description_by = models.CharField(max_length=16, choices=Author, blank=True)
    merge_status = models.CharField(max_length=16, choices=MergeStatus, default=MergeStatus.CONFIRMED)
    # While uncertain: the entity it may be.
    merge_target = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # The entity it was merged into; the row stays so that the merge can be undone.
    merged_into = models.ForeignKey("self", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    last_mentioned_at = models.DateTimeField()
    created_at = models.DateTimeField()
    # When it was first confirmed, which is announced once; a later doubt keeps it.
    confirmed_at = models.DateTimeField(null=True, blank=True)
    # When the description was last written from memory.
    described_at = models.DateTimeField(null=True, blank=True)
    deleted_at = models.DateTimeField(null=True, blank=True)
    embedding = HalfVectorField(dimensions=VECTOR_DIMENSIONS, null=True, blank=True)
    embedding_model = models.CharField(max_length=80, blank=True)
    nodes = models.ManyToManyField(ConceptNode, through="Mention", related_name="entities")

    objects = EntityQuerySet.as_manager()

    class Meta:
        verbose_name = _("person or thing")
        verbose_name_plural = _("people & things")
        constraints = [
            require_known("entity_kind_known", kind=["person", "place", "org", "pet", "other"]),
            models.CheckConstraint(condition=~Q(canonical_name=""), name="entity_has_name"),
            models.CheckConstraint(
                condition=Q(merge_status="uncertain") | Q(merge_status="confirmed", merge_target=None),
                name="entity_target_only_while_uncertain",
            ),
        ]
        indexes = [models.Index(fields=["bond", "-last_mentioned_at"], name="entity_bond_recent")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_kind_display()}"


class EntityAliasQuerySet(models.QuerySet["EntityAlias"]):
    def not_deleted(self) -> "EntityAliasQuerySet":
        return self.filter(deleted_at=None)

    def of_existing_entities(self) -> "EntityAliasQuerySet":
        return self.not_deleted().filter(entity__deleted_at=None)


class EntityAlias(NamedRow):
    """A name of an entity, the canonical one included."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=120)
    # NFKC, in simplified characters, casefolded, spaces joined: names are compared in this form.
    folded = models.CharField(max_length=240)
    deleted_at = models.DateTimeField(null=True, blank=True)

    objects = EntityAliasQuerySet.as_manager()

    class Meta:
        verbose_name = _("name of a person or thing")
        verbose_name_plural = _("names of people & things")
        constraints = [
            models.UniqueConstraint(
                fields=["bond", "folded"], condition=Q(deleted_at=None), name="alias_once_per_bond"
            ),
            models.CheckConstraint(condition=~Q(folded=""), name="alias_not_empty"),
        ]


class MentionQuerySet(models.QuerySet["Mention"]):
    def without_deleted_nodes(self) -> "MentionQuerySet":
        return self.filter(node__deleted_at=None)


class Mention(NamedRow):
    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    entity = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="mentions")
    node = models.ForeignKey(ConceptNode, on_delete=models.CASCADE, related_name="mentions")

    objects = MentionQuerySet.as_manager()

    class Meta:
        verbose_name = _("mention")
        verbose_name_plural = _("mentions")
        constraints = [models.UniqueConstraint(fields=["entity", "node"], name="mention_once")]
        indexes = [models.Index(fields=["bond", "node"], name="mention_bond_node")]


class EntityMerge(NamedRow):
    """A merge of two entities, with exactly what was moved, so that it can be undone."""

    class Author(models.TextChoices):
        STATED = "stated", _("stated")  # a message of the user says so
        CLARIFIED = "clarified", _("clarified")  # the user answered the persona's question
        OWNER = "owner", _("owner")
        OPERATOR = "operator", _("operator")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    kept = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="merges")
    merged = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="+")
    decided_by = models.CharField(max_length=16, choices=Author)
    # The ids of moved rows, and former columns of both entities: see `memory.entities.merging`.
    moved = models.JSONField()
    created_at = models.DateTimeField()
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("merge")
        verbose_name_plural = _("merges")
        constraints = [
            models.UniqueConstraint(
                fields=["merged"], condition=Q(undone_at=None), name="entity_merged_into_one_at_a_time"
            ),
            models.CheckConstraint(condition=~Q(kept=F("merged")), name="merge_of_two"),
        ]
        indexes = [models.Index(fields=["bond", "-created_at"], name="merge_bond_newest")]


class Separation(NamedRow):
    """A user's or operator's statement that two entities differ: they are not asked about again."""

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    # The smaller id first.
    a = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="+")
    b = models.ForeignKey(Entity, on_delete=models.CASCADE, related_name="+")
    decided_by = models.CharField(max_length=16, choices=EntityMerge.Author)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("separation")
        verbose_name_plural = _("separations")
        constraints = [
            models.UniqueConstraint(fields=["a", "b"], name="separation_once"),
            models.CheckConstraint(condition=Q(a__lt=F("b")), name="separation_smaller_first"),
        ]
