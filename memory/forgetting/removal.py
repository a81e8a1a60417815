"""Forget memories: from that moment they are in no prompt, search, page or export.

Each function does one act in one transaction under the bond's lock; jobs check under the same lock whether their input
still exists. Rows are hidden (`deleted_at`) and listed in `Forgotten`, from which `memory.forgetting.trash` restores
them; `memory.forgetting.purging` erases them, after 30 days or at once.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from echovessel import text
from echovessel.errors import CodedError
from memory import sessions
from memory.forgetting import acts, echoes, traces
from memory.forgetting.acts import ForgettingAct
from memory.models import ConceptNode, Entity, EntityAlias, Filling, Forgotten, Mention, Message, NodeSource, Session
from personas.models import Bond

ORPHAN, CASCADE = "orphan", "cascade"
KEEP, FORGET = "keep", "forget"


class ForgettingError(CodedError):
    """Something that cannot be forgotten now."""


@dataclass(frozen=True, kw_only=True)
class Along:
    """What goes along when a fact is forgotten in a talk."""

    nodes: Sequence[ConceptNode] = ()
    # Further messages that tell it.
    told_in: Collection[int] = ()
    # The messages that asked for it, each with what is left of it in prompts: what they say of it is not learned.
    asked_in: Mapping[int, str] = field(default_factory=dict)
    # The messages of these memories that tell something else.
    spared: Collection[int] = ()
    # Whether its messages are tombstoned; without them its text alone is, since they may tell more.
    with_lines: bool = True


@transaction.atomic
def forget_node(
    *, node: ConceptNode, dependents: str = ORPHAN, lines: str = KEEP, along: Along | None = None, now: datetime
) -> list[int]:
    """Forget a node. Returns the ids of all forgotten nodes, its own first; none where it is forgotten already.

    Nodes that cite it stay with a marked edge (`orphan`), or go too where no evidence is left, at any depth
    (`cascade`). Texts that a person corrected in it go too. Its source messages stay, or go (`forget`) with the replies
    to them and the entities known only from them. Summaries and descriptions drawn from it are rebuilt.
    `memory.forgetting.dependents` lists all of this before.
    """
    sessions.lock_bond(node.bond)
    node.refresh_from_db(fields=["deleted_at"])
    if node.deleted_at is not None:
        return []
    along = along or Along()
    gone = collect_nodes_to_forget([node, *along.nodes], is_cascade=dependents == CASCADE)
    sources = list_sources(gone)
    act = ForgettingAct(node.bond, now)
    act.hide_nodes(
        gone, told_in=along.told_in, asked_in=along.asked_in, spared=along.spared, with_lines=along.with_lines
    )
    act.empty_summaries(sources)
    act.empty_descriptions(gone)
    also: list[int] = []
    if lines == FORGET:
        # What goes along with a fact leaves its messages: the reader was not shown them.
        own = [one for one in gone if one not in along.nodes]
        own_sources = list_sources(own)
        also = echoes.find_echoes(bond=node.bond, lines=own_sources, nodes=own)
        act.hide_messages([*own_sources, *also])
        act.empty_summaries(also)
    unknown = find_unsupported_entities(node.bond, gone, spared=along.spared)
    act.hide_entities(unknown)
    traces.empty(bond=node.bond, lines=[*sources, *also], nodes=gone, entities=unknown)
    act.write(kind=node.type, object_id=node.pk)
    return [one.pk for one in gone]


@transaction.atomic
def forget_message(*, message: Message, now: datetime) -> list[Any]:
    """Forget a message, a reply with its variants. Returns the memories left without any message.

    These are offered: all memories drawn from it are marked `source_deleted` and stay until they are forgotten
    themselves. A message off the record is erased at once.
    """
    sessions.lock_bond(message.bond)
    going_too = find_other_variants(message)
    if message.session.off_record:
        Message.objects.filter(pk__in=[message.pk, *going_too]).delete()
        return []
    act = ForgettingAct(message.bond, now)
    gone = act.hide_messages([message.pk, *going_too])
    if not gone:
        return []
    act.empty_summaries(gone)
    traces.empty(bond=message.bond, lines=gone)
    act.write(kind=Forgotten.Kind.MESSAGE, object_id=message.pk)
    return list(acts.find_sourceless_nodes(message.bond, lines=gone))


def find_other_variants(message: Message) -> list[int]:
    """Find the variants that were not chosen: without the chosen one nobody can see them."""
    if message.role != Message.Role.PERSONA or message.turn_id is None or not message.chosen:
        return []
    replies = Message.objects.filter(bond=message.bond_id, turn_id=message.turn_id, role=Message.Role.PERSONA)
    return list(replies.exclude(pk=message.pk).values_list("pk", flat=True))


@transaction.atomic
def forget_session(*, session: Session, now: datetime) -> list[Any]:
    """Forget a session with its messages, summary, title and mood. Returns the offered memories, as for a message.

    A session off the record is erased at once. Raises ForgettingError while a reply in it is running or awaited.
    """
    sessions.lock_bond(session.bond)
    session.refresh_from_db(fields=["deleted_at", "held_until"])
    if session.deleted_at is not None:
        return []
    if session.is_held(now):
        raise ForgettingError(
            "turn_running", "A reply in this chat is being written. Stop it, or wait until it is done."
        )
    if session.off_record:
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=now)
        return []
    act = ForgettingAct(session.bond, now)
    act.hide_session(session)
    Forgotten.objects.for_bond(act.bond).drop_kept([session.pk], "summaries", "titles")
    traces.empty_slow_ticks(bond=session.bond, talks=[session.pk])
    act.write(kind=Forgotten.Kind.SESSION, object_id=session.pk)
    return list(acts.find_sourceless_nodes(session.bond, lines=act.taken["lines"]))


@transaction.atomic
def forget_entity(*, entity: Entity, now: datetime) -> None:
    """Forget an entity with its names, links, description and merged entities; the memories stay."""
    sessions.lock_bond(entity.bond)
    entity.refresh_from_db(fields=["deleted_at"])
    if entity.deleted_at is not None:
        return
    act = ForgettingAct(entity.bond, now)
    act.hide_entities([entity.pk])
    Forgotten.objects.for_bond(act.bond).drop_kept(act.taken["entities"], *acts.DESCRIPTIONS.values())
    traces.empty(bond=entity.bond, entities=act.taken["entities"])
    act.write(kind=Forgotten.Kind.ENTITY, object_id=entity.pk)


def list_sources(nodes: Sequence[ConceptNode]) -> list[int]:
    messages = NodeSource.objects.filter(node__in=nodes).order_by("message").values_list("message", flat=True)
    return list(dict.fromkeys(messages))


def collect_nodes_to_forget(nodes: Sequence[ConceptNode], *, is_cascade: bool) -> list[ConceptNode]:
    """Collect nodes, their corrected versions, and with `is_cascade` what cites only these; mark the edges to them."""
    gone: list[ConceptNode] = []
    reached = list(nodes)
    while reached:
        gone += reached
        citing = orphan_edges(reached)
        left = find_without_evidence(citing) if is_cascade else []
        reached = [one for one in {*find_earlier_versions(reached), *left} if one not in gone]
        reached.sort(key=lambda one: one.pk)
    return gone


def find_earlier_versions(nodes: Iterable[ConceptNode]) -> list[ConceptNode]:
    by_hand = Q(origin=ConceptNode.Origin.USER) | Q(superseded_by__origin=ConceptNode.Origin.USER)
    return list(ConceptNode.objects.not_deleted().filter(by_hand, superseded_by__in=[node.pk for node in nodes]))


def orphan_edges(nodes: Iterable[ConceptNode]) -> list[int]:
    """Mark the edges to forgotten nodes. Returns the ids of the citing nodes."""
    edges = Filling.objects.without_deleted_parents().filter(child__in=nodes)
    citing = sorted(set(edges.values_list("parent", flat=True)))
    edges.update(orphaned=True)
    return citing


def find_without_evidence(citing: Iterable[int]) -> list[ConceptNode]:
    """Find those that have no evidence left. A fact stands on its messages."""
    evidence = Filling.objects.not_orphaned().filter(parent=OuterRef("pk"))
    return list(ConceptNode.objects.not_deleted().not_facts().filter(~Exists(evidence), pk__in=citing))


def find_unsupported_entities(bond: Bond, gone: Collection[ConceptNode], *, spared: Collection[int] = ()) -> list[int]:
    """Find entities that occur in no other memory, and in these only through files and messages that are forgotten or that a wish
    hides; a person's stay, and those whose names a spared message has.
    """
    occurring = Mention.objects.without_deleted_nodes().filter(entity=OuterRef("pk"))
    sources = NodeSource.objects.filter(node__mentions__entity=OuterRef("pk"), node__in=gone)
    told = sources.without_deleted_messages().filter(message__in=Message.objects.for_bond(bond).not_hidden(bond))
    told = told.exclude(message__in=spared)
    imported = Mention.objects.filter(entity=OuterRef("pk"), node__in=gone, node__origin=ConceptNode.Origin.IMPORT)
    entities = (
        Entity.objects.not_deleted_or_merged()
        .filter(mentions__node__in=gone)
        .exclude(description_by=Entity.Author.OWNER)
    )
    unheard = entities.filter(~Exists(occurring), Exists(sources) | Exists(imported), ~Exists(told))
    unknown = {*unheard.values_list("pk", flat=True)}
    if unknown and spared:
        left = Message.objects.for_bond(bond).filter(pk__in=spared).values_list("content", flat=True)
        said = text.fold("\n".join(left))
        aliases = EntityAlias.objects.not_deleted().filter(entity__in=unknown).values_list("entity", "name")
        unknown -= {entity for entity, name in aliases if text.contains_name(said, text.fold(name))}
    return sorted(unknown)
