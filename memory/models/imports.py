from datetime import datetime

from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q
from django.utils.translation import gettext_lazy as _

from echovessel.models import NamedRow, require_known
from memory.models.leased import RetriedModel, build_lease_constraint, filter_free, filter_retry_due
from memory.models.nodes import ConceptNode
from personas.models import Bond, BondRowQuerySet, CoreBlock


class ImportQuerySet(BondRowQuerySet["Import"]):
    def due(self, now: datetime) -> "ImportQuerySet":
        """Filter imports that should be read and are not: started, stuck, or failed with a retry due."""
        running, failed = Q(state=Import.State.RUNNING), Q(state=Import.State.FAILED)
        return self.filter(running & filter_free(now) | failed & filter_retry_due(now))

    def for_serializer(self) -> "ImportQuerySet":
        """Prefetch what `ImportSerializer` shows beside the row: `open_proposals`."""
        proposals = Prefetch("proposals", queryset=Proposal.objects.not_declined(), to_attr="open_proposals")
        return self.prefetch_related(proposals)


class Import(RetriedModel):
    """A file that a bond's memory is drawn from; unread texts are in its chunks."""

    class State(models.TextChoices):
        WAITING = "waiting", _("not started")
        RUNNING = "running", _("importing")
        DONE = "done", _("imported")
        CANCELLED = "cancelled", _("stopped")
        FAILED = "failed", _("interrupted")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="imports")
    name = models.CharField(max_length=200)
    # The kind of file, as `echovessel.materials` names it.
    kind = models.CharField(max_length=16)
    # The hash of the file: the same file again is this import.
    digest = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    # Numbers of chunks; read ones are done, also where nothing was found.
    total = models.PositiveIntegerField()
    done = models.PositiveIntegerField(default=0)
    events_count = models.PositiveIntegerField(default=0)
    facts_count = models.PositiveIntegerField(default=0)
    thoughts_count = models.PositiveIntegerField(default=0)
    entities_count = models.PositiveIntegerField(default=0)
    dropped_count = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    # The last change: a stopped import loses its texts some days later.
    touched_at = models.DateTimeField()

    objects = ImportQuerySet.as_manager()

    class Meta:
        verbose_name = _("import")
        verbose_name_plural = _("imports")
        constraints = [
            models.UniqueConstraint(fields=["bond", "digest"], name="import_file_once_per_bond"),
            require_known("import_state_known", state=["waiting", "running", "done", "cancelled", "failed"]),
            models.CheckConstraint(condition=Q(done__lte=F("total")), name="import_done_of_total"),
            build_lease_constraint("import_lease_whole"),
        ]
        indexes = [models.Index(fields=["state", "touched_at"], condition=~Q(state="done"), name="import_not_done")]

    def __str__(self) -> str:
        return f"{self._meta.verbose_name} {self.pk}: {self.get_state_display()}"

    @property
    def writes(self) -> dict[str, int]:
        return {
            "events": self.events_count,
            "facts": self.facts_count,
            "thoughts": self.thoughts_count,
            "entities": self.entities_count,
            "dropped": self.dropped_count,
        }


class ImportChunk(NamedRow):
    """A stretch of an import for one call."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        # The same text was read in this bond before, in this or another file.
        KNOWN = "known", _("known")
        FAILED = "failed", _("failed")

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    of = models.ForeignKey(Import, on_delete=models.CASCADE, related_name="chunks")
    number = models.PositiveIntegerField()
    # Empty once it is read, and some days after its import stopped.
    text = models.TextField(blank=True)
    # A hash of its text and day: the key of its memories, so that the same chunk writes nothing twice.
    digest = models.CharField(max_length=32)
    title = models.CharField(max_length=200, blank=True)
    said_on = models.DateField(null=True, blank=True)
    # The estimated tokens of its text.
    token_count = models.PositiveIntegerField()
    state = models.CharField(max_length=16, choices=State, default=State.WAITING)
    events_count = models.PositiveSmallIntegerField(default=0)
    facts_count = models.PositiveSmallIntegerField(default=0)
    thoughts_count = models.PositiveSmallIntegerField(default=0)
    entities_count = models.PositiveSmallIntegerField(default=0)
    dropped_count = models.PositiveSmallIntegerField(default=0)
    # What was dropped and why, without its text.
    notes = models.TextField(blank=True)
    error = models.CharField(max_length=500, blank=True)
    offline = models.BooleanField(default=False)
    tokens_in = models.PositiveIntegerField(default=0)
    tokens_out = models.PositiveIntegerField(default=0)
    duration_ms = models.PositiveIntegerField(default=0)
    read_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("piece of an import")
        verbose_name_plural = _("pieces of imports")
        constraints = [
            models.UniqueConstraint(fields=["of", "number"], name="import_chunk_once"),
            require_known("import_chunk_state_known", state=["waiting", "done", "known", "failed"]),
        ]
        indexes = [models.Index(fields=["bond", "digest"], name="import_chunk_bond_digest")]

    def settle(self, state: "ImportChunk.State", *, now: datetime) -> None:
        """End the chunk without saving it; only a failed one keeps its text, for a retry."""
        self.state = state
        self.read_at = now
        if state != self.State.FAILED:
            self.text = self.error = ""


class ProposalQuerySet(models.QuerySet["Proposal"]):
    def not_declined(self) -> "ProposalQuerySet":
        """Exclude declined ones, in order, and annotate whether the text has them: `accepted`."""
        block = CoreBlock.objects.filter(bond=OuterRef("bond"), label=Proposal.label)
        holds = Exists(block.filter(content__contains=OuterRef("content")))
        return self.filter(declined_at=None).annotate(accepted=holds).order_by("id")


class Proposal(NamedRow):
    """A line that a file or an uncertain fact proposes for the text about the user; only a person adds it."""

    # The block it is meant for.
    label = CoreBlock.Label.USER.value

    bond = models.ForeignKey(Bond, on_delete=models.CASCADE, related_name="+")
    of = models.ForeignKey(Import, null=True, blank=True, on_delete=models.CASCADE, related_name="proposals")
    chunk = models.ForeignKey(ImportChunk, null=True, blank=True, on_delete=models.CASCADE, related_name="proposals")
    # The fact that proposes it, where no file does.
    node = models.ForeignKey(ConceptNode, null=True, blank=True, on_delete=models.CASCADE, related_name="proposals")
    content = models.CharField(max_length=300)
    source_quote = models.TextField()
    declined_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField()

    objects = ProposalQuerySet.as_manager()

    class Meta:
        verbose_name = _("suggestion")
        verbose_name_plural = _("suggestions")
        constraints = [
            models.UniqueConstraint(fields=["bond", "content"], name="proposal_once_per_bond"),
            models.CheckConstraint(
                condition=Q(of__isnull=False, chunk__isnull=False, node=None)
                | Q(of=None, chunk=None, node__isnull=False),
                name="proposal_of_file_or_fact",
            ),
        ]
