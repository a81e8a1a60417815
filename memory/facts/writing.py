"""Write facts, within the caller's transaction and under the bond's lock: see `memory.facts.acts`."""

from collections.abc import Sequence
from dataclasses import replace as with_changes
from datetime import datetime
from typing import Any

from django.db.models import F, Q, Value
from django.db.models.functions import Greatest

from echovessel import events, text
from echovessel import lazy_re as re
from echovessel.llm.offline.text import slots
from memory.entities import mentions
from memory.facts import standing
from memory.facts.checks import grave, lapses, wording
from memory.facts.drafts import OF_USER, FactDraft, FactError, PreparedFact
from memory.facts.rules import reading
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Filling, NodeSource
from memory.models.fact_columns import SUBJECTS, VALUE_MOST
from memory.nodes import corrections, creation, doubt_updates, staleness
from personas.models import Bond

REPLACED, ENDED = "replaced", "ended"
LEAST_CONFIDENCE = 0.30
UNREADABLE = GUESSED = 0.5
IMPORTED = 0.7
CANON_MOST = 0.8
UNCERTAIN_MOST = 0.6
# What is told again: how much surer it is, and how sure at least.
CONFIRMED_BY, TOLD_AGAIN_LEAST = 0.05, 0.8
_CLAUSE_END = re.compile(r"[,，;；.。]")
# Words, and each Chinese character by itself, so that two texts can be laid side by side.
_PIECE = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|[^\w\s]")
Facet, State, Tier = ConceptNode.Facet, ConceptNode.State, ConceptNode.Tier


def save(*, bond: Bond, fact: PreparedFact, writer: Writer, accepts_near: bool = False) -> FactWrite | None:
    """Save a fact: see `acts.save`."""
    draft = with_changes(fact.draft, facet=fact.draft.facet or Facet.ABOUT_YOU)
    terms = sorted(set(text.extract_terms(draft.content)))
    alike = Q(facet=draft.facet, terms=terms) | (Q(slot=draft.slot) if draft.slot else Q(pk=None))
    candidates = list(standing.load_live(bond).without_heavy_columns().filter(alike).order_by("id"))
    same = standing.find_same(candidates, draft)
    if same is not None:
        count_mention(same, writer)
        return None
    if (danger := standing.find_danger(bond, draft)) is not None:
        return save_danger(danger, bond=bond, fact=with_changes(fact, draft=draft), writer=writer)
    holder = next((one for one in candidates if draft.slot and one.slot == draft.slot), None)
    if holder is not None and standing.can_touch(writer, holder):
        return replace(bond=bond, old=holder, fact=with_changes(fact, draft=draft), writer=writer)
    if holder is not None:
        draft = with_changes(draft, slot="", value="")
    near = None if accepts_near else standing.find_near(bond, fact)
    if near is not None:
        raise FactError("near", "Nearly the same is noted already.", candidates=[near])
    if standing.load_live(bond).count() >= standing.LIVE_MOST:
        raise FactError("full", "There are %(most)s facts already. Forget one first.", most=standing.LIVE_MOST)
    node = build_node(bond, draft, writer)
    create(node, fact=with_changes(fact, draft=draft), writer=writer)
    if draft.facet == Facet.ABOUT_YOU:
        lines = [message.pk for message in writer.messages]
        lapses.link_said_since(node, vector=fact.vector, lines=lines, by_rules=writer.by_rules, now=writer.now)
    return record(FactWrite.Op.SAVED, node=node, writer=writer)


def save_danger(told: ConceptNode, *, bond: Bond, fact: PreparedFact, writer: Writer) -> FactWrite | None:
    """Count a danger at the fact that tells it; one that says first that it is grave takes its place."""
    if grave.is_grave(fact.draft.content) and not told.grave and standing.can_touch(writer, told):
        return replace(bond=bond, old=told, fact=fact, writer=writer)
    count_mention(told, writer)
    return None


def save_uncertain(*, bond: Bond, fact: PreparedFact, against: ConceptNode | None, writer: Writer) -> FactWrite:
    """Save what stands against a stated fact, or against an authored text: in no prompt until a doubt is settled."""
    draft = with_changes(fact.draft, facet=fact.draft.facet or Facet.ABOUT_YOU)
    node = build_node(bond, draft, writer)
    node.state, node.conflicts_with = State.UNCERTAIN, against
    node.confidence = min(node.confidence, UNCERTAIN_MOST)
    create(node, fact=fact, writer=writer)
    return record(FactWrite.Op.SAVED, node=node, writer=writer)


def save_past(
    *, bond: Bond, fact: PreparedFact, successor: ConceptNode | None, held: tuple[datetime, datetime], writer: Writer
) -> FactWrite:
    """Save what a standing fact has replaced since, or what ended without one, as history; `held` are the moments between
    which it was believed.
    """
    node = build_node(bond, with_changes(fact.draft, facet=fact.draft.facet or Facet.ABOUT_YOU), writer)
    node.state, node.superseded_by = State.SUPERSEDED, successor
    node.state_reason = ENDED if successor is None else REPLACED
    create(node, fact=fact, writer=writer)
    node.valid_from, node.valid_until = held
    node.save(update_fields=["valid_from", "valid_until"])
    return record(FactWrite.Op.SAVED, node=node, writer=writer, before={"state": State.SUPERSEDED})


def replace(*, bond: Bond, old: ConceptNode, fact: PreparedFact, writer: Writer) -> FactWrite:
    """Write a fact in place of a live one: see `acts.replace`."""
    old = standing.reload_live(bond, old)
    standing.require_touchable(writer, old)
    draft, gone = clear_slot(bond, inherit(fact.draft, old, name=bond.user.shown_name), old=old, writer=writer)
    if is_unchanged(draft, old):
        raise FactError("invalid", "This is what is noted already.", candidates=[old])
    node = build_node(bond, draft, writer)
    node.mention_count, node.source_quote = old.mention_count, writer.quote or old.source_quote
    node.source_deleted = old.source_deleted
    for one in gone:
        corrections.retire(one, reason=REPLACED, now=writer.now)
    corrections.replace(old=old, new=node, vector=fact.vector, reason=REPLACED, now=writer.now)
    ConceptNode.objects.filter(pk__in=[one.pk for one in gone]).update(superseded_by=node)
    if gone:
        staleness.refresh(bond=bond, nodes=[one.pk for one in gone], now=writer.now)
    add_evidence(node, fact=fact, writer=writer)
    return record(FactWrite.Op.CHANGED, node=node, old=[old.pk, *(one.pk for one in gone)], writer=writer)


def inherit(draft: FactDraft, old: ConceptNode, *, name: str) -> FactDraft:
    """Fill in what a draft leaves out from the fact that it replaces; `name` is the user's."""
    facet = draft.facet or old.facet
    kept_slot = old.slot if facet in OF_USER and "slot" not in draft.cleared else ""
    slot = draft.slot or kept_slot
    value = draft.value or (find_value(draft.content, old, name=name) if slot else "")
    # Another home began at another time, and lies elsewhere.
    is_same_value = value == old.value or "slot" in draft.cleared
    detail = old.detail if is_same_value and "detail" not in draft.cleared else ""
    since = old.event_time_start if is_same_value and "since" not in draft.cleared else None
    until = old.event_time_end if is_same_value and "until" not in draft.cleared else None
    return with_changes(
        draft,
        facet=facet,
        detail=draft.detail or detail,
        slot=slot if value else "",
        value=value,
        since=draft.since or since,
        until=draft.until or until,
    )


def find_value(content: str, old: ConceptNode, *, name: str) -> str:
    """Find what a new content puts into the slot of a fact: the old value, where nothing else is read ("in York, no longer in
    Leeds"), what is read, or the words that differ.
    """
    user = "用户" if text.has_cjk(content) else "The user"
    of_user = re.sub(rf"^{re.escape(name)}(?![a-z])", user, content, flags=re.IGNORECASE)
    slot, value = slots.read_slot(of_user) or ("", "")
    is_other = slot == old.slot and text.fold(value) not in text.fold(old.value)
    if text.fold(old.value) in text.fold(content) and not is_other:
        return "" if holds_no_longer(old.value, content, old.description) else old.value
    return (value if slot == old.slot else find_difference(content, old.description))[:VALUE_MOST]


def holds_no_longer(value: str, content: str, told: str) -> bool:
    """Whether a content that has an old value in it says that it is over: "just Noor, not Nunu", "dropped keto" of who was on it."""
    (now, is_denied), (before, was_denied) = (read_lead(one, value) for one in (content, told))
    is_changed = now != before and reading.TOLD.search(content.lower()) is not None
    return is_changed or (is_denied and not was_denied)


def read_lead(content: str, value: str) -> tuple[str, bool]:
    """Read the word before a value in its clause, and whether a negation stands before it."""
    clause = _CLAUSE_END.split(text.fold(content).partition(text.fold(value))[0])[-1]
    pieces = _PIECE.findall(clause)
    return pieces[-1] if pieces else "", wording.is_negated(clause)


def find_difference(new: str, old: str) -> str:
    """Find the words between the first and the last that both texts begin and end with."""
    found = list(_PIECE.finditer(new))
    ours, theirs = [one[0].casefold() for one in found], [one[0].casefold() for one in _PIECE.finditer(old)]
    shortest = min(len(ours), len(theirs))
    first = next((at for at in range(shortest) if ours[at] != theirs[at]), shortest)
    last = next((at for at in range(shortest - first) if ours[-1 - at] != theirs[-1 - at]), shortest - first)
    between = found[first : len(found) - last]
    return new[between[0].start() : between[-1].end()] if between else ""


def clear_slot(
    bond: Bond, draft: FactDraft, *, old: ConceptNode, writer: Writer
) -> tuple[FactDraft, list[ConceptNode]]:
    """Return the draft, and the other fact in its slot, which gives way; a fact that may not replace it has no slot."""
    if not draft.slot or draft.slot == old.slot:
        return draft, []
    holders = list(standing.load_live(bond).without_heavy_columns().filter(slot=draft.slot).exclude(pk=old.pk))
    if all(standing.can_touch(writer, one) for one in holders):
        return draft, holders
    return with_changes(draft, slot="", value=""), []


def is_unchanged(draft: FactDraft, old: ConceptNode) -> bool:
    days = (old.event_time_start, old.event_time_end)
    said = (draft.content, draft.facet, draft.detail, draft.slot, draft.value, (draft.since, draft.until))
    return said == (old.description, old.facet, old.detail, old.slot, old.value, days)


def build_node(bond: Bond, draft: FactDraft, writer: Writer) -> ConceptNode:
    return ConceptNode(
        bond=bond,
        type=ConceptNode.Type.FACT,
        subject=SUBJECTS[Facet(draft.facet)],
        description=draft.content,
        detail=draft.detail,
        facet=draft.facet,
        tier=writer.tier,
        slot=draft.slot,
        value=draft.value,
        grave=grave.is_grave(f"{draft.content}\n{draft.detail}"),
        event_time_start=draft.since,
        event_time_end=draft.until,
        origin=writer.origin,
        confidence=choose_confidence(draft, writer),
        session=writer.session,
        answer_key=writer.answer_key,
        source_quote=writer.quote,
    )


def choose_confidence(draft: FactDraft, writer: Writer) -> float:
    """Choose the confidence that a fact of this tier begins with. Raises FactError where it is too low to be written."""
    if writer.tier == Tier.STATED:
        return 1.0
    if writer.tier == Tier.INFERRED:
        return GUESSED if draft.confidence is None else min(GUESSED, draft.confidence)
    given = UNREADABLE if draft.confidence is None else min(1.0, max(0.0, draft.confidence))
    if writer.by == FactWrite.By.IMPORT:
        given = IMPORTED
    if given < LEAST_CONFIDENCE:
        raise FactError("invalid", "This is too unsure to be kept.")
    return min(given, CANON_MOST) if draft.facet == Facet.PERSONA_CANON else given


def create(node: ConceptNode, *, fact: PreparedFact, writer: Writer) -> None:
    creation.create(node, vector=fact.vector, now=writer.now)
    add_evidence(node, fact=fact, writer=writer)
    mentions.link_named(node)


def add_evidence(node: ConceptNode, *, fact: PreparedFact, writer: Writer) -> None:
    """Link the writer's messages and the events that tell the same; let a missing vector be made later."""
    NodeSource.objects.add_to(node, (message.pk for message in writer.messages))
    edges = [Filling(bond=node.bond, parent=node, child_id=child) for child in fact.draft.filling]
    Filling.objects.bulk_create(edges, ignore_conflicts=True)
    if fact.is_unembedded:
        ConceptNode.objects.filter(pk=node.pk).update(embedding_model="")


def count_mention(node: ConceptNode, writer: Writer) -> None:
    """Count that a fact was told again, with the messages that did; what was gathered is sure and fresh again by them."""
    told_at = max((message.created_at for message in writer.messages), default=writer.now)
    if node.tier == Tier.EXTRACTED:
        node.confidence = round(min(1.0, max(node.confidence + CONFIRMED_BY, TOLD_AGAIN_LEAST)), 3)
    ConceptNode.objects.filter(pk=node.pk).update(
        mention_count=F("mention_count") + 1,
        last_confirmed_at=Greatest("last_confirmed_at", Value(told_at)),
        confidence=node.confidence,
    )
    NodeSource.objects.add_to(node, (message.pk for message in writer.messages))
    node.announce_update("mention_count", "source_messages", now=writer.now)
    if writer.messages or writer.tier == Tier.STATED:
        doubt_updates.settle_confirmed(node, by_user=writer.tier == Tier.STATED, now=writer.now)


def record(
    op: str, *, node: ConceptNode, writer: Writer, old: Sequence[int] = (), before: dict[str, Any] | None = None
) -> FactWrite:
    """Store and announce a write."""
    write = FactWrite.objects.create(
        bond=node.bond,
        node=node,
        old=list(old),
        op=op,
        by=writer.by,
        session=writer.session,
        turn_id=writer.turn_id,
        offset=writer.offset,
        before=before or {},
        created_at=writer.now,
    )
    events.record(bond_id=node.bond_id, type="memory.fact.written", refs={"write": write.pk}, now=writer.now)
    return write
