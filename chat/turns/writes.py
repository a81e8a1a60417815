"""Notes what a burst asks for by rules, before the prompt is made, so that the reply knows what was done.

A turn's rules act once: a later try of it shows what the first has written. What goes wrong never ends a reply.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.db import DatabaseError, InterfaceError
from django.utils import timezone

from chat.turns import burst_acts, claiming, own_words
from chat.turns.claiming import LeaseLost
from chat.turns.forgetting import hearing, undo_wish
from chat.turns.forgetting.wish_to_forget import WishToForget, build_ambiguous
from chat.turns.prompting.base_context import BaseContext
from echovessel.embeddings.embedding import EmbeddingError
from echovessel.llm.inputs import NotedFact, UnmetWish
from echovessel.postgres.threads import release_connection
from memory.facts import acts, matching
from memory.facts.checks import grounding, lapses, wording
from memory.facts.drafts import FactDraft, FactError
from memory.facts.rules import days, over
from memory.facts.rules.acts import Op, RuleAct
from memory.facts.writers import Writer
from memory.jobs import lease
from memory.messages import window
from memory.models import ConceptNode, FactWrite, Message
from memory.recall import prompt_memory

WRITES_MOST = 10
UNAVAILABLE = "unavailable"
OFF_RECORD = "off_record"
# What the user tells may end one of several facts.
WHICH_ENDS = "which_ends"
logger = logging.getLogger("echovessel.turns")


def note(base: BaseContext, vector: list[float] | None, *, hears_wishes: bool = True) -> BaseContext:
    """Do what the burst asks for by rules, and return the context with what was noted; its vector tells facts that hold no longer, and
    wishes to forget, that no rule reads (`hears_wishes`: a model with tools reads these itself). Raises LeaseLost.
    """
    turn = base.turn
    if turn.session.off_record:
        # Nothing is done, and the reply says so.
        asks = burst_acts.asks_to_note([message.content for message in turn.burst])
        return replace(base, unmet=[UnmetWish(OFF_RECORD)]) if asks else base
    before = base.base_memory.writes
    if any(write.is_new for write in before):
        return replace(base, noted=before)
    slot_values = {slot: fact.value for slot, fact in base.base_memory.slots.items()}
    earlier = [line for line in base.recent_messages if line.role == Message.Role.USER][-grounding.LINES_BEFORE :]
    told = [line.content for line in (*earlier, *turn.burst)]
    of_session = [line.content for line in earlier if line.session_id == turn.session_id]
    lines = [*(window.build_row(line, bond=turn.bond) for line in earlier), *turn.burst]
    noting = Noting(base=base, lines=lines, vector=vector)
    undone: list[NotedFact | UnmetWish] = []
    if wish := undo_wish.find(turn, said=told[-1]):
        undone, told[-1] = noting.undo(wish.writes), wish.rest
        before = undo_wish.leave_out(before, undone)
    asked = burst_acts.read_acts(told[len(earlier) :], told[: len(earlier)], of_session, slot_values)
    asked = asked if wish else hearing.hear_name(base, lines) or asked
    dated = [
        burst_acts.restore(days.write_out_act(act, today=turn.burst[-1].day), told="\n".join(told))
        for act in asked[:WRITES_MOST]
    ]
    done = noting.carry_out(dated)
    has_own = any(own_words.read(line.content).strip() and not own_words.is_played(line.content) for line in turn.burst)
    if has_own and all(isinstance(one, NotedFact) and one.op == FactWrite.Op.SAVED for one in done):
        done += noting.carry_out([*burst_acts.find_lapses(dated, at=len(earlier), count=len(lines))])
    if not done and not wish and hears_wishes:
        done = noting.carry_out(hearing.hear(base, vector, lines)) or hearing.leave_open(base.query)
    done = [*undone, *done]
    if not done:
        return replace(base, noted=before)
    return replace(
        base,
        noted=[*before, *(one for one in done if isinstance(one, NotedFact))],
        unmet=[one for one in done if isinstance(one, UnmetWish)],
        base_memory=replace(base.base_memory, slots=prompt_memory.load_slots(turn.bond)),
    )


@dataclass(frozen=True)
class Noting:
    """The acts of one turn; `lines` are the user's lines before the burst and the burst, which has this vector."""

    base: BaseContext
    lines: Sequence[Message]
    vector: list[float] | None

    def carry_out(self, asked: Sequence[RuleAct]) -> list[NotedFact | UnmetWish]:
        return [outcome for act in asked for outcome in self.try_one(act)]

    def undo(self, found: Sequence[FactWrite]) -> list[NotedFact | UnmetWish]:
        """Undo what the user asks to; the reply says where nothing stands that could be."""
        claiming.check_lease(self.base.turn)
        done = [undo_wish.undo(write, now=timezone.now()) for write in found]
        return done or [UnmetWish(undo_wish.NOTHING_TO_UNDO)]

    def try_one(self, act: RuleAct) -> Sequence[NotedFact | UnmetWish]:
        """Do one act. Raises LeaseLost."""
        turn = self.base.turn
        writer = Writer(
            by=FactWrite.By.RULE,
            tier=ConceptNode.Tier.STATED,
            session=turn.session,
            turn_id=turn.pk,
            messages=[self.lines[at] for at in act.lines],
            by_rules=True,
            check=partial(claiming.check_lease, turn),
            now=timezone.now(),
        )
        try:
            return self.acts_by_op[act.op](act, writer)
        except FactError as error:
            logger.info("a rule of turn %s wrote nothing: %s", turn.pk, error.code)
            return [UnmetWish(error.code, tuple(node.description for node in error.candidates))]
        except lease.LeaseLost as error:
            raise LeaseLost from error
        except (DatabaseError, InterfaceError) as error:
            logger.warning("a rule of turn %s failed: %s", turn.pk, type(error).__name__)
            return [UnmetWish(UNAVAILABLE)]

    @property
    def acts_by_op(self) -> Mapping[Op, Callable[[RuleAct, Writer], Sequence[NotedFact | UnmetWish]]]:
        return {
            Op.SAVE: self.save,
            Op.REPLACE: self.save,
            Op.END: self.end,
            Op.FORGET: self.forget,
            Op.CHANGE: self.change,
            Op.FINISH: self.finish,
            Op.LAPSE: self.lapse,
        }

    def save(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact | UnmetWish]:
        """Save a fact in the user's words, in the place of the one that it changes; nothing where it was not said.

        Where it may change several, it stands beside them, and the reply asks which one holds no longer.
        """
        bond = self.base.turn.bond
        speakers = (bond.persona.name, bond.user.shown_name)
        heard = [line.content for line in self.lines]
        if not grounding.is_grounded(act.content, heard, today=self.lines[-1].day, speakers=speakers):
            logger.info("a rule of turn %s read what was not said", self.base.turn.pk)
            return []
        draft = self.build_draft(act)
        if act.is_end and (ended := self.finish(act, writer)):
            return ended
        changes = self.find_changed(act)
        told = None if act.slot else matching.find_telling(bond=bond, content=act.content, facet=act.facet)
        if told is None and not changes and act.change is not None and not act.slot:
            changes = self.find_nearest(act)
        if told is not None and (not changes or (len(changes) == 1 and changes[0].pk != told.pk)):
            return self.confirm(told, over=changes, writer=writer)
        # The act makes a vector first.
        release_connection()
        if len(changes) == 1:
            act = burst_acts.put_right(act, changes[0])
            write: FactWrite | None = acts.replace(
                bond=bond, old=changes[0], draft=self.build_draft(act), writer=writer
            )
        else:
            write = acts.save(bond=bond, draft=draft, writer=writer, accepts_near=True)
        op = FactWrite.Op.CONFIRMED if write is None else FactWrite.Op(write.op)
        noted = NotedFact(op=op.value, text=act.content, facet=act.facet, is_new=True)
        return [noted, build_ambiguous(changes, code=WHICH_ENDS)] if len(changes) > 1 else [noted]

    def find_changed(self, act: RuleAct) -> list[ConceptNode]:
        """Find the fact that is over by what shall be saved, or whose place it takes."""
        bond = self.base.turn.bond
        found: list[ConceptNode] = []
        if act.change is None and not act.slot:
            found = matching.find_of_other_value(bond=bond, content=act.content, facet=act.facet)
        elif act.change is not None:
            found = matching.find_replaced(bond=bond, content=act.content, facet=act.facet, change=act.change)
        return found or matching.find_over(bond=bond, endings=act.endings)[0]

    def find_nearest(self, act: RuleAct, *, least_lead: float = 0.0) -> list[ConceptNode]:
        """Find the fact that is nearest in meaning to what says that something is otherwise now, or is over."""
        # This makes a vector.
        release_connection()
        bond = self.base.turn.bond
        try:
            return matching.find_nearest(bond=bond, content=act.content, facet=act.facet, least_lead=least_lead)
        except EmbeddingError:
            return []

    def confirm(self, told: ConceptNode, *, over: Sequence[ConceptNode], writer: Writer) -> list[NotedFact]:
        """Confirm what stands; what it takes the place of is over: "we train at Moorways again"."""
        bond = self.base.turn.bond
        for one in over:
            acts.end(bond=bond, node=one, writer=writer)
        acts.confirm(bond=bond, node=told, writer=writer)
        op = FactWrite.Op.CONFIRMED.value
        return [NotedFact(op=op, text=told.description, facet=told.facet, is_new=True)]

    def build_draft(self, act: RuleAct) -> FactDraft:
        holds = days.find_days(act.content, today=self.lines[-1].day)
        return FactDraft(
            content=act.content,
            facet=act.facet,
            slot=act.slot,
            value=act.value,
            since=holds.start if holds else None,
            until=holds.end if holds else None,
        )

    def end(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact]:
        """End the fact in a slot; nothing where it is gone meanwhile."""
        bond = self.base.turn.bond
        node = ConceptNode.objects.for_bond(bond).live_facts().filter(slot=act.slot, value=act.value).first()
        if node is None:
            return []
        acts.end(bond=bond, node=node, writer=writer, reason=act.reason)
        return [NotedFact(op=FactWrite.Op.ENDED.value, text=node.description, facet=node.facet, is_new=True)]

    def change(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact | UnmetWish]:
        """Write what the user tells in the place of the one fact that it changes; where it may be several, the reply asks."""
        assert act.change is not None
        bond = self.base.turn.bond
        if act.change.instead and not act.change.denied:
            found = matching.find_put_right(bond=bond, change=act.change, lines=self.lines)
        else:
            found = matching.find_replaced(
                bond=bond, content=act.content, facet=act.facet, change=act.change, is_asked=False
            )
        if not found:
            return self.finish(act, writer)
        if ConceptNode.objects.for_bond(bond).live_facts().filter(description=act.content).exists():
            return self.end_all(found, writer)
        return [build_ambiguous(found, code=WHICH_ENDS)] if len(found) > 1 else self.replace(found[0], act, writer)

    def replace(self, old: ConceptNode, act: RuleAct, writer: Writer) -> list[NotedFact]:
        act = burst_acts.put_right(act, old)
        release_connection()
        acts.replace(bond=self.base.turn.bond, old=old, draft=self.build_draft(act), writer=writer)
        return [NotedFact(op=FactWrite.Op.CHANGED.value, text=act.content, facet=act.facet, is_new=True)]

    def finish(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact | UnmetWish]:
        """End the one fact that is over; where it may be several, the reply asks."""
        bond = self.base.turn.bond
        found, is_ambiguous = matching.find_over(bond=bond, endings=act.endings)
        if is_ambiguous:
            return [build_ambiguous(found, code=WHICH_ENDS)]
        if not found and act.op == Op.FINISH and over.is_for_good(act.content, act.endings):
            # "Chloe and I don't speak any more" of a best friend.
            nearest = self.find_nearest(act, least_lead=matching.OVER_LEAD)
            may_end = [fact for fact in nearest if matching.may_end(fact.description, act.endings)]
            found = [fact for fact in may_end if not wording.goes_on(fact.description, act.content)]
        return self.end_all(found, writer)

    def lapse(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact]:
        """End the fact that holds no longer by the burst's vector, or write what the user tells in its place."""
        found, is_over = lapses.find_outdated(
            bond=self.base.turn.bond,
            said=self.base.query,
            vector=self.vector,
            is_marked=act.is_marked,
            lines=writer.messages,
        )
        if act.change is None:
            return self.end_all(found, writer)
        # What shares no more than a name with a fact changes something else.
        names = lapses.list_names(self.base.turn.bond) if found else []
        changes = [fact for fact in found if lapses.shares_more(fact.description, act.content, names=names)]
        return self.replace(changes[0], act, writer) if changes else self.end_all(found if is_over else [], writer)

    def end_all(self, found: Sequence[ConceptNode], writer: Writer) -> list[NotedFact]:
        """End facts, but for those that the burst itself has noted: "remember that I quit smoking"."""
        turn, op = self.base.turn, FactWrite.Op.ENDED.value
        found = [node for node in found if not node.writes.filter(turn_id=turn.pk).exists()]
        for node in found:
            acts.end(bond=turn.bond, node=node, writer=writer)
        return [NotedFact(op=op, text=node.description, facet=node.facet, is_new=True) for node in found]

    def forget(self, act: RuleAct, writer: Writer) -> Sequence[NotedFact | UnmetWish]:
        return WishToForget(base=self.base, lines=self.lines, act=act, writer=writer).carry_out()
