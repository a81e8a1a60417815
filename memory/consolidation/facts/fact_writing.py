"""Write the facts of an extraction, in its transaction: what the user stated themselves only their own words end.

| the fact it is about | extends, refines | contradicts |
|---|---|---|
| extracted, inferred | replaced | replaced |
| stated, or in the text about the user | beside it, linked | beside it, uncertain, with a doubt |
| stated, and lines of the user tell the rest, or a grave loss | replaced, and still stated | replaced, and stated, where it was said outright |
| stated in this session, by the same lines | replaced, and still stated | as above |
| any that was told after it, or none where a later line says that it is over | as above | written as history |
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as with_changes
from datetime import datetime
from functools import cached_property

from memory.consolidation.facts import fact_order, told_by_user
from memory.consolidation.facts.noted_facts import NotedFacts
from memory.consolidation.facts.parse_facts import ExtractedFact
from memory.consolidation.parse_answer import ExtractedEvent
from memory.facts import changing, framing, history, standing, writing
from memory.facts.checks.grounding import extract_own_terms
from memory.facts.drafts import FactError, PreparedFact
from memory.facts.writers import Writer
from memory.models import ConceptNode, Doubt, FactWrite, Filling, Message, NodeSource, Proposal, Session
from memory.nodes import evidence, links
from personas import blocks
from personas.models import CoreBlock

PROPOSAL_MOST = 300
# An event of which facts leave out more tells more than they do.
UNTOLD_SHARE = 0.25


def write_facts(
    found: Sequence[ExtractedFact],
    *,
    session: Session,
    noted: NotedFacts,
    notes: list[str],
    by_rules: bool,
    grave_lines: Collection[int],
    now: datetime,
) -> list[tuple[ExtractedFact, ConceptNode]]:
    """Write these facts, each by the table above. Returns those that were written, with notes on the others.

    The caller has locked the session and its bond.
    """
    if not found:
        return []
    closing = Closing(
        session=session,
        noted=noted,
        by_rules=by_rules,
        grave_lines=frozenset(grave_lines),
        now=now,
    )
    written = []
    for one in found:
        try:
            made = closing.write(one)
        except FactError as error:
            notes.append(f"fact {one.index} dropped: {error.detail}")
            for told in error.candidates if error.code == "near" else ():
                writing.count_mention(told, closing.build_writer(one))
            continue
        if made is None:
            notes.append(f"fact {one.index} is noted already")
        else:
            written.append((one, made.node))
    return written


def cite_events(
    written: Sequence[tuple[ExtractedFact, ConceptNode]], events: Sequence[tuple[set[int], ConceptNode]]
) -> None:
    """Let each fact cite the events that tell the same from the same lines; events come with their user lines."""
    Filling.objects.bulk_create(
        (
            Filling(bond=fact.bond, parent=fact, child=event)
            for found, fact in written
            for lines, event in events
            if lines & found.user_lines and changing.tells_same(fact.terms, event.terms)
        ),
        ignore_conflicts=True,
    )


def find_told_by_facts(session: Session) -> dict[int, set[str]]:
    """Find the lines of a session that are sources of facts, each with the terms of these facts."""
    told = NodeSource.objects.filter(bond=session.bond_id, message__session=session, node__type=ConceptNode.Type.FACT)
    standing_facts = told.filter(node__deleted_at=None).exclude(node__state=ConceptNode.State.SUPERSEDED)
    found: dict[int, set[str]] = {}
    for line, terms in standing_facts.values_list("message", "node__terms"):
        found.setdefault(line, set()).update(terms)
    return found


def is_told(event: ExtractedEvent, told: Mapping[int, set[str]]) -> bool:
    """Whether facts of all its lines tell what an event does: of two things in a line, one fact tells one."""
    if not event.user_lines or not event.user_lines <= told.keys():
        return False
    terms = {*extract_own_terms(event.event.description)}
    return len(terms.difference(*(told[line] for line in event.user_lines))) <= UNTOLD_SHARE * len(terms)


@dataclass(frozen=True, kw_only=True)
class Past:
    """Until when a fact held, and what stands in its place."""

    until: datetime
    successor: ConceptNode | None = None


@dataclass(frozen=True, kw_only=True)
class Closing:
    session: Session
    noted: NotedFacts
    by_rules: bool
    now: datetime
    # The user's lines that tell a grave loss.
    grave_lines: frozenset[int]

    @cached_property
    def said(self) -> list[Message]:
        """What the user said in the session, but for what is left out of memory."""
        said = self.session.bond.messages.visible().filter(session=self.session, role=Message.Role.USER, left_out=False)
        return list(said.without_heavy_columns().order_by("id"))

    def write(self, found: ExtractedFact) -> FactWrite | None:
        """Write a fact; None where it is noted already. Raises FactError where it cannot be noted."""
        bond, fact, writer = self.session.bond, found.prepared, self.build_writer(found)
        if found.target is not None and self.noted.is_worded_anew(found):
            return self.tell_anew(found.target, fact, writer, how=found.how)
        if self.noted.holds(found):
            return None
        target, how, same = self.find_target(found)
        if past := self.find_past(found, target, how):
            return self.write_past(found, past, writer)
        if target is None and how == "contradicts":
            return self.write_against_text(fact, writer)
        if same is not None:
            # Its wording stays.
            writing.count_mention(same, writer)
            return None
        if target is None:
            return writing.save(bond=bond, fact=fact, writer=writer)
        if standing.can_touch(writer, target):
            return writing.replace(bond=bond, old=target, fact=fact, writer=writer)
        if told_by_user.tells(found, target, how=how, grave_lines=self.grave_lines):
            return self.tell_anew(target, fact, writer, how=how)
        if how == "contradicts":
            return self.write_uncertain(fact, writer, against=target)
        return self.write_beside(target, fact, writer)

    def tell_anew(self, target: ConceptNode, fact: PreparedFact, writer: Writer, *, how: str) -> FactWrite:
        """Write a stated fact as the whole talk shows it: rules may have noted half a sentence. It takes no other slot."""
        draft = fact.draft
        if draft.slot != target.slot:
            draft = with_changes(draft, slot="", value="")
        told = with_changes(writer, tier=ConceptNode.Tier.STATED)
        made = writing.replace(bond=self.session.bond, old=target, fact=with_changes(fact, draft=draft), writer=told)
        if how != "contradicts":
            evidence.carry_over(old=target, new=made.node, now=self.now)
        return made

    def build_writer(self, found: ExtractedFact) -> Writer:
        return Writer(
            by=FactWrite.By.CLOSE,
            tier=ConceptNode.Tier.EXTRACTED,
            now=self.now,
            session=self.session,
            messages=found.sources,
            by_rules=self.by_rules,
            answer_key=found.key,
        )

    def find_target(self, found: ExtractedFact) -> tuple[ConceptNode | None, str, ConceptNode | None]:
        """Find the live fact that a fact is about, and how it goes with it; if there is none, also the one that fills its slot with the same
        value.

        One that was not sent or does not hold any more is none. A fact that extends another and leaves out its names or
        numbers is a fact of its own, and one for a slot in which something else stands contradicts that.
        """
        bond, draft = self.session.bond, found.draft
        live = ConceptNode.objects.for_bond(bond).live_facts().without_heavy_columns()
        target = live.filter(pk=found.target.pk).first() if found.target else None
        if target is not None and found.how == "extends" and not told_by_user.keeps_all(found, target):
            target = None
        if target is not None:
            is_other = (
                bool(draft.slot) and draft.slot == target.slot and not standing.is_same_value(draft.value, target.value)
            )
            return target, found.how or ("contradicts" if is_other else links.REFINES), None
        holder = live.filter(slot=draft.slot).first() if draft.slot else None
        if holder is not None and not standing.is_same_value(draft.value, holder.value):
            return holder, "contradicts", None
        if not draft.slot and (other := self.find_of_other_value(found)) is not None:
            return other, "contradicts", None
        is_about_text = found.how == "contradicts" and not found.names_target and self.find_text() is not None
        return None, "contradicts" if is_about_text else "", holder

    def find_of_other_value(self, found: ExtractedFact) -> ConceptNode | None:
        """Find the one fact that tells another value of the same: where somebody lives, works, how old they are, a favourite."""
        content = found.draft.content
        if framing.read(content) is None:
            return None
        live = ConceptNode.objects.for_bond(self.session.bond).live_facts().without_heavy_columns()
        gathered = live.filter(facet=found.draft.facet, slot="")
        other = [fact for fact in gathered if framing.is_of_other_value(fact.description, content)]
        return other[0] if len(other) == 1 else None

    def find_text(self) -> CoreBlock | None:
        """Find the text about the user that a person wrote."""
        block = blocks.find(self.session.bond, CoreBlock.Label.USER)
        return block if block is not None and block.content else None

    def write_beside(self, target: ConceptNode, fact: PreparedFact, writer: Writer) -> FactWrite | None:
        """Write what refines a stated fact beside it, out of its slot, and link the two."""
        beside = with_changes(fact, draft=with_changes(fact.draft, slot="", value=""))
        made = writing.save(bond=self.session.bond, fact=beside, writer=writer)
        if made is not None:
            links.create(a=made.node, b=target, relation=links.REFINES, now=self.now)
        return made

    def find_past(self, found: ExtractedFact, target: ConceptNode | None, how: str) -> Past | None:
        """Find until when a fact held that a later line ends, or that stands against what was told after it."""
        if target is not None and how == "contradicts" and fact_order.is_told_before(found, target):
            return Past(until=target.valid_from, successor=target)
        if target is None and how == "contradicts" and (text := self.find_text()) is not None:
            last = max((message.created_at for message in found.sources), default=text.updated_at)
            if last < text.updated_at:
                return Past(until=text.updated_at)
        ending = fact_order.find_ending(found, said=self.said)
        return Past(until=ending.created_at) if ending is not None else None

    def write_past(self, found: ExtractedFact, past: Past, writer: Writer) -> FactWrite | None:
        """Write what held until then as history; None where the history of what came after tells it already."""
        bond, draft = self.session.bond, found.draft
        versions = list(history.filter_versions(past.successor).without_heavy_columns()) if past.successor else []
        if any(standing.is_same_value(draft.value, one.value) for one in versions) or standing.find_same(
            versions, draft
        ):
            return None
        day = bond.user.get_day(past.until)
        if draft.until is None and (draft.since is None or draft.since <= day):
            draft = with_changes(draft, until=day)
        held = (min(found.sources[-1].created_at, past.until), past.until)
        fact = with_changes(found.prepared, draft=draft)
        return writing.save_past(bond=bond, fact=fact, successor=past.successor, held=held, writer=writer)

    def write_uncertain(self, fact: PreparedFact, writer: Writer, *, against: ConceptNode | None) -> FactWrite:
        """Write what stands against a stated fact as uncertain, with the doubt that the user is asked about.

        Raises FactError where it is in doubt already.
        """
        bond = self.session.bond
        unsettled = ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(state=ConceptNode.State.UNCERTAIN)
        if standing.find_same(list(unsettled.without_heavy_columns()), fact.draft) is not None:
            raise FactError("near", "this is in doubt already")
        made = writing.save_uncertain(bond=bond, fact=fact, against=against, writer=writer)
        Doubt.objects.open_about_nodes(
            kind=Doubt.Kind.CONTRADICTION, this=made.node, that=against, by=FactWrite.By.CLOSE, now=self.now
        )
        return made

    def write_against_text(self, fact: PreparedFact, writer: Writer) -> FactWrite:
        """Write what stands against the text about the user as uncertain, and propose it to the person for that text."""
        made = self.write_uncertain(fact, writer, against=None)
        content = fact.draft.content
        if len(content) <= PROPOSAL_MOST:
            Proposal.objects.get_or_create(
                bond=self.session.bond,
                content=content,
                defaults={"node": made.node, "source_quote": "", "created_at": self.now},
            )
        return made
