"""End, confirm, forget, link and merge facts, within the caller's transaction and under the bond's lock."""

from collections.abc import Collection, Sequence
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from echovessel import events
from memory.entities import mentions
from memory.facts import standing, writing
from memory.facts.checks.grounding import THIRD_PERSON, extract_own_terms
from memory.facts.drafts import FactError
from memory.facts.writers import Writer
from memory.facts.writing import record
from memory.forgetting import removal
from memory.forgetting.removal import Along
from memory.models import ConceptNode, FactWrite, Filling, Message, NodeLink, NodeSource
from memory.models.nodes import ConceptNodeQuerySet
from memory.nodes import corrections, doubt_updates, links, staleness
from memory.nodes.corrections import CorrectionError
from personas.models import Bond

ENDED, WRONG, MERGED = writing.ENDED, "wrong", "merged"
RELATION_MOST = 40
# The share of a forgotten fact's terms that makes another memory tell the same.
SHARED_TERMS = 0.5
Op, State, Tier, Type = FactWrite.Op, ConceptNode.State, ConceptNode.Tier, ConceptNode.Type


def end(*, bond: Bond, node: ConceptNode, writer: Writer, reason: str = ENDED) -> FactWrite:
    """End a live fact without a successor: it was true (`ended`) or never was (`wrong`). Raises FactError: `changed`,
    `not_asked`.
    """
    if reason not in (ENDED, WRONG):
        raise FactError("invalid", "The reason is %(ended)s or %(wrong)s.", ended=ENDED, wrong=WRONG)
    node = standing.reload_live(bond, node)
    standing.require_touchable(writer, node)
    corrections.retire(node, reason=reason, now=writer.now)
    node.announce_update("state", now=writer.now)
    staleness.refresh(bond=bond, nodes=[node.pk], now=writer.now)
    return record(Op.ENDED, node=node, writer=writer)


def restore(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite:
    """Let a past fact hold again, in place of what came after it. Raises FactError `changed` where it is not past or
    another fact stands in its slot.
    """
    past = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(pk=node.pk, state=State.SUPERSEDED)
    meant = past.without_heavy_columns().first()
    if meant is None:
        raise FactError("changed", "This fact holds, or was forgotten.")
    newer, reason = corrections.find_successor(meant), meant.state_reason
    try:
        corrections.restore(node=meant, now=writer.now)
    except CorrectionError as error:
        raise FactError(error.code, error.sentence, **error.values) from error
    old = [] if newer is None else [newer.pk]
    return record(Op.CHANGED, node=meant, old=old, before={"restored": reason}, writer=writer)


def confirm(*, bond: Bond, node: ConceptNode, writer: Writer) -> FactWrite:
    """Confirm a fact: see `acts.confirm`."""
    node = standing.reload_live(bond, node)
    before = {
        "tier": node.tier,
        "confidence": node.confidence,
        "mention_count": node.mention_count,
        "last_confirmed_at": node.last_confirmed_at.isoformat() if node.last_confirmed_at else None,
    }
    node.last_confirmed_at, node.mention_count = writer.now, node.mention_count + 1
    if writer.is_person:
        node.tier, node.confidence = Tier.STATED, 1.0
    elif node.tier == Tier.EXTRACTED:
        node.confidence = min(1.0, round(node.confidence + writing.CONFIRMED_BY, 3))
    node.save(update_fields=["tier", "confidence", "mention_count", "last_confirmed_at"])
    node.announce_update("confidence", "mention_count", "last_confirmed_at", now=writer.now)
    doubt_updates.settle_confirmed(node, by_user=writer.tier == Tier.STATED, now=writer.now)
    return record(Op.CONFIRMED, node=node, writer=writer, before=before)


def forget(
    *,
    bond: Bond,
    node: ConceptNode,
    rewordings: Sequence[ConceptNode] = (),
    told: Sequence[ConceptNode] = (),
    lines: Sequence[Message] = (),
    spared: Sequence[Message] = (),
    sources: str = removal.KEEP,
    writer: Writer,
) -> FactWrite:
    """Forget a live or uncertain fact with its rewordings, and the events and facts that tell the same from the same lines.

    `told` are further events, `lines` further messages that tell it, and `spared` those of the events that tell something else. The
    writer's messages are the ones that asked for it. The fact's own messages stay, or go with it (`sources`, as `lines` of `forget_node`).
    Raises FactError: `changed`, `not_asked`.
    """
    known = ConceptNode.objects.for_bond(bond).facts().not_deleted().exclude(state=State.SUPERSEDED)
    wanted = [node.pk, *(one.pk for one in rewordings)]
    found = {one.pk: one for one in known.without_heavy_columns().select_related("bond").filter(pk__in=wanted)}
    meant, also = found.pop(node.pk, None), [*found.values()]
    if meant is None:
        raise FactError("changed", standing.CHANGED)
    for one in (meant, *also):
        standing.require_touchable(writer, one)
    going = {one.pk: one for one in (*find_going(bond, meant, also=also), *told, *find_resting(bond, told))}
    along = Along(
        nodes=[*going.values()],
        told_in=[line.pk for line in lines],
        asked_in={message.pk: writer.remainders.get(message.pk, "") for message in writer.messages},
        spared=[message.pk for message in spared],
    )
    gone = removal.forget_node(node=meant, dependents=removal.CASCADE, lines=sources, along=along, now=writer.now)
    return record(Op.FORGOTTEN, node=meant, old=[pk for pk in gone if pk != meant.pk], writer=writer)


def find_going(bond: Bond, node: ConceptNode, *, also: Sequence[ConceptNode] = ()) -> list[ConceptNode]:
    """Find what goes with a fact that is forgotten, and with its rewordings: its history, and what tells the same."""
    others = [*also, *find_history(bond, node)]
    found = [*others, *(one for fact in (node, *others) for one in find_along(bond, fact))]
    return [*{one.pk: one for one in found if one.pk != node.pk}.values()]


def find_history(bond: Bond, node: ConceptNode) -> list[ConceptNode]:
    """Find the facts that a fact took the place of, as long as they share a term of its own: they tell the same thing as it was."""
    past = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(superseded_by=node).without_heavy_columns()
    own = {*extract_own_terms(node.description)}
    alike = [one for one in past.order_by("id") if own & {*extract_own_terms(one.description)}]
    return [older for one in alike for older in (one, *find_history(bond, one))]


def find_along(bond: Bond, node: ConceptNode) -> list[ConceptNode]:
    """Find the events and facts that tell the same from the same lines, and the events of a file that it cites: they share half
    of its terms, and each line of the user that they rest on is one of its own, or, of a fact drawn from events, of theirs.
    """
    of_user = NodeSource.objects.filter(bond=bond, message__role=Message.Role.USER)
    lines = set(of_user.filter(node=node).values_list("message", flat=True)) or set(
        of_user.filter(node__cited_edges__parent=node).values_list("message", flat=True)
    )
    told, cited = of_user.filter(node=OuterRef("pk")), Filling.objects.filter(parent=node, child=OuterRef("pk"))
    rows = ConceptNode.objects.for_bond(bond).not_deleted().filter(type__in=[Type.EVENT, Type.FACT])
    alike = rows.filter(Exists(told.filter(message__in=lines)) | Exists(cited))
    from_them = alike.filter(~Exists(told.exclude(message__in=lines)))
    others = from_them.exclude(pk=node.pk).without_heavy_columns().order_by("id")
    promised = find_promised(bond, turns=Message.objects.filter(pk__in=lines, turn_id__isnull=False).values("turn_id"))
    own = {*node.terms} - THIRD_PERSON
    return [other for other in (*others, *promised) if tells_same(own, other.terms)]


def find_resting(bond: Bond, events: Sequence[ConceptNode]) -> ConceptNodeQuerySet:
    """Find what was thought, expected or meant to be done because of events. It may tell them in other words, so it goes with
    them even where it has other evidence.
    """
    cites = Filling.objects.filter(parent=OuterRef("pk"), child__in=[event.pk for event in events])
    rows = ConceptNode.objects.for_bond(bond).not_deleted().not_facts().filter(Exists(cites))
    return rows.without_heavy_columns().order_by("id")


def find_promised(bond: Bond, *, turns: QuerySet[Any]) -> ConceptNodeQuerySet:
    """Find what the companion promised in its replies of these turns: "I'll remember that the key is under the pot"."""
    replied = NodeSource.objects.filter(
        node=OuterRef("pk"), message__role=Message.Role.PERSONA, message__turn_id__in=turns
    )
    rows = ConceptNode.objects.for_bond(bond).not_deleted().filter(type__in=[Type.INTENTION, Type.EXPECTATION])
    return rows.filter(Exists(replied)).without_heavy_columns().order_by("id")


def tells_same(terms: Collection[str], others: Collection[str]) -> bool:
    own = set(terms)
    return bool(own) and len(own & set(others)) >= SHARED_TERMS * len(own)


def link(*, bond: Bond, a: ConceptNode, b: ConceptNode, relation: str, writer: Writer) -> FactWrite:
    """Name a relation between two live facts. Raises FactError: `invalid`, `changed`."""
    relation = " ".join(relation.split())
    if not 1 <= len(relation) <= RELATION_MOST:
        raise FactError("invalid", "A relation has 1 to %(most)s characters.", most=RELATION_MOST)
    if a.pk == b.pk:
        raise FactError("invalid", "A fact is not linked with itself.")
    a, b = (standing.reload_live(bond, one) for one in (a, b))
    made = links.create(a=a, b=b, relation=relation, now=writer.now)
    if made is None:
        raise FactError("invalid", "They are linked so already.")
    return record(Op.LINKED, node=a, old=[b.pk], before={"link": made.pk}, writer=writer)


def unlink(*, link: NodeLink, writer: Writer) -> FactWrite:
    """Remove a link: see `acts.unlink`."""
    made = FactWrite.objects.for_bond(link.bond).filter(op=Op.LINKED, undone_at=None, before__link=link.pk).first()
    write = made or record(Op.LINKED, node=link.a, old=[link.b_id], before={"link": link.pk}, writer=writer)
    link.delete()
    write.undone_at = writer.now
    write.save(update_fields=["undone_at"])
    events.record(bond_id=write.bond_id, type="memory.fact.undone", refs={"write": write.pk}, now=writer.now)
    return write


def merge(*, bond: Bond, survivor: ConceptNode, retired: Sequence[ConceptNode], writer: Writer) -> FactWrite:
    """Let one live fact stand for others that say the same: it gets their sources, links and mentions, and the best confidence.

    Raises FactError: `changed`, `not_asked`.
    """
    survivor = standing.reload_live(bond, survivor)
    going = [standing.reload_live(bond, one) for one in retired if one.pk != survivor.pk]
    for one in going:
        standing.require_touchable(writer, one)
    moved: list[links.Moved] = []
    before = {"confidence": survivor.confidence, "mention_count": survivor.mention_count, "moved": moved}
    for one in going:
        corrections.retire(one, reason=MERGED, now=writer.now)
        one.superseded_by = survivor
        one.save(update_fields=["superseded_by"])
        moved += links.move(bond=bond, old=one.pk, new=survivor.pk)
        one.announce_update("state", "superseded_by", now=writer.now)
    sources = NodeSource.objects.filter(node__in=going).order_by("id").values_list("message", flat=True)
    NodeSource.objects.add_to(survivor, sources)
    survivor.mention_count = sum(one.mention_count for one in (survivor, *going))
    survivor.confidence = max(one.confidence for one in (survivor, *going))
    survivor.source_deleted = any(one.source_deleted for one in (survivor, *going))
    survivor.save(update_fields=["mention_count", "confidence", "source_deleted"])
    mentions.link_named(survivor)
    survivor.announce_update("mention_count", "confidence", "source_messages", now=writer.now)
    staleness.refresh(bond=bond, nodes=[one.pk for one in going], now=writer.now)
    return record(Op.MERGED, node=survivor, old=[one.pk for one in going], before=before, writer=writer)
