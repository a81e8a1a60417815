"""Forgetting: what a person takes out of memory is in no prompt, search or page from that moment on."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from echovessel import events
from memory import sessions, staleness
from memory.models import ConceptNode, Entity, Filling, Message, NodeSource, Session, SlowTickRun

ORPHAN, CASCADE = "orphan", "cascade"
KEEP, FORGET = "keep", "forget"


@transaction.atomic
def forget(*, node: ConceptNode, dependents: str = ORPHAN, lines: str = KEEP, now: datetime) -> list[int]:
    """Forget a node of L3 or L4. Returns the ids of all nodes that went, the node's own first.

    What cites it stays with its edge marked (`orphan`), or goes too where no evidence is left to it, at any depth (`cascade`).
    Its source lines stay, or go with it (`forget`). Summaries and descriptions that it went into are emptied.
    """
    sessions.lock(node.bond)
    sources = list(NodeSource.objects.filter(node=node).values_list("message", flat=True))
    gone = [node]
    reached = [node]
    while reached:
        citing = orphan(reached)
        left = without_evidence(citing) if dependents == CASCADE else []
        reached = [one for one in left if one not in gone]
        gone += reached
    ConceptNode.objects.filter(pk__in=[one.pk for one in gone]).update(deleted_at=now)
    for one in gone:
        refs = {"forgotten": one.pk, "node_type": one.type}
        events.record(bond_id=node.bond_id, type="memory.node.forgotten", refs=refs, now=now)
    empty_summaries(node, sources)
    described = Entity.objects.of(node.bond).filter(mentions__node__in=gone)
    staleness.empty_descriptions(described, bond=node.bond, now=now)
    empty_slow_ticks(gone)
    if lines == FORGET:
        forget_lines(node, sources, now=now)
    return [one.pk for one in gone]


def orphan(nodes: Iterable[ConceptNode]) -> list[int]:
    """Mark the edges to forgotten nodes. Returns the ids of those that cite them."""
    edges = Filling.objects.filter(child__in=nodes, parent__deleted_at=None)
    citing = sorted(set(edges.values_list("parent", flat=True)))
    edges.update(orphaned=True)
    return citing


def without_evidence(citing: Iterable[int]) -> list[ConceptNode]:
    evidence = Filling.objects.filter(parent=OuterRef("pk"), orphaned=False, child__deleted_at=None)
    return list(ConceptNode.objects.filter(~Exists(evidence), pk__in=citing, deleted_at=None).order_by("id"))


def empty_summaries(node: ConceptNode, sources: Iterable[int]) -> None:
    Session.objects.of(node.bond).filter(messages__in=sources).exclude(summary="").update(summary="")


def empty_slow_ticks(gone: Sequence[ConceptNode]) -> None:
    """The texts of the runs that were given one of these or wrote it, and of all later ones: a run's questions go on to the next."""
    ids = "|".join(str(node.pk) for node in gone)
    wrote = [key.split(":")[1] for key in (node.answer_key or "" for node in gone) if key.startswith("slow_tick:")]
    runs = SlowTickRun.objects.filter(bond=gone[0].bond_id)
    first = runs.filter(Q(prompt__regex=rf"\[({ids})\] \(") | Q(pk__in=wrote)).order_by("id").first()
    if first is not None:
        runs.filter(pk__gte=first.pk).update(prompt="", answer="", questions=[], notes="")


def forget_lines(node: ConceptNode, sources: Iterable[int], *, now: datetime) -> None:
    """Take out the lines; other memories that rest on one of them say so."""
    lines = Message.objects.of(node.bond).filter(pk__in=sources, deleted_at=None)
    for pk in list(lines.order_by("id").values_list("pk", flat=True)):
        events.record(bond_id=node.bond_id, type="chat.message.deleted", refs={"message": pk}, now=now)
    lines.update(deleted_at=now)
    also_from_them = NodeSource.objects.filter(message__in=sources, node__deleted_at=None).values("node")
    ConceptNode.objects.of(node.bond).filter(pk__in=also_from_them).update(source_deleted=True)
