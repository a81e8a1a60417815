"""Carries out a wish to forget that the rules read: what its words name, what they mean, or a question which it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from chat.turns.forgetting import candidates, hearing, rest, statements
from chat.turns.forgetting.candidates import Nearest
from chat.turns.forgetting.statements import Statement, ToldBefore
from chat.turns.prompting.base_context import BaseContext
from echovessel import text
from echovessel.llm.inputs import NotedFact, UnmetWish
from echovessel.llm.offline.text import third_person
from echovessel.postgres.threads import release_connection
from memory.facts import changing, matching, resolution
from memory.facts.checks import grounding, lapses, wording
from memory.facts.rules import days, letting_go, told_before, wishes_to_forget, yes_and_no
from memory.facts.rules.acts import RuleAct
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Message

# How many facts are named where several are meant.
MEANT_MOST = 5
# A wish that tells no more than its own line may mean a memory this near to it: of 120 written by one who had not seen the rules, 0.54
# are nearest to what they mean and as near, and 0.03 to another of six facts.
NEAR_FROM = 0.3
# Who wants something gone for sure is rather asked about what is not so near than told that nothing fits.
LEAST_NEAR = 0.15
# All is forgotten by a person's press alone.
EVERYTHING = "everything"
Outcomes = Sequence[NotedFact | UnmetWish]


@dataclass(frozen=True, kw_only=True)
class WishToForget:
    """A wish of a turn; `lines` are the user's lines before the burst and the burst."""

    base: BaseContext
    lines: Sequence[Message]
    act: RuleAct
    writer: Writer

    def carry_out(self) -> Outcomes:
        """Forget the one fact that is meant, with its rewordings; where none, several or all are, the reply says so. Raises FactError and LeaseLost."""
        act, bond = self.act, self.base.turn.bond
        if act.is_unsure:
            return self.forget_nearest()
        if not act.content:
            return [UnmetWish(EVERYTHING)]
        meant = matching.find_meant(bond=bond, words=act.content, slot=act.slot)
        # Facts have their days written out.
        dated = days.write_out(act.content, today=self.lines[-1].day)
        meant = meant or matching.find_meant(bond=bond, words=dated)
        if not meant and not act.is_agreed and (done := self.forget_things()):
            return done
        meant = meant or self.find_let_go(dated)
        if not meant:
            # Who agrees means what the reply asked about, and not the wish itself, which holds its words best.
            return self.forget_nearest() if act.is_agreed else self.forget_said()
        if len(meant) > 1 and not act.is_whole and not matching.are_rewordings(meant, words=act.content):
            return [build_ambiguous(meant)]
        # "My job" names what is noted of it, and not all that was ever said of jobs.
        told = statements.find(turn=self.base.turn, words=act.content) if not act.slot else ToldBefore()
        told = ToldBefore() if told.is_too_much else told
        return self.forget_told(told, facts=meant)

    def forget_things(self) -> Outcomes:
        """Forget each of several things that the wish names, where nothing tells them all; of the first that is not sure, the reply asks."""
        things = wishes_to_forget.split_things(self.act.content)
        if not things or not statements.find(turn=self.base.turn, words=self.act.content).is_empty:
            return []
        told = [statements.find(turn=self.base.turn, words=one) for one in things]
        lines = [line for one in told if len(one.lines) == 1 for line in one.lines if line not in self.base.turn.burst]
        if not lines:
            return []
        return self.forget_told(ToldBefore(words=self.act.content, lines=[*dict.fromkeys(lines)]))

    def find_let_go(self, words: str) -> list[ConceptNode]:
        """Find the fact that holds most of the words, unless earlier messages than its own tell them all: "that Mrs Tate is blind" is
        not that she lives next door.
        """
        turn = self.base.turn
        meant = matching.find_let_go(bond=turn.bond, words=words)
        told = statements.find(turn=turn, words=words).lines if meant else []
        earlier = {line.pk for line in told} - {line.pk for line in turn.burst}
        return [fact for fact in meant if not earlier or fact.source_messages.filter(pk__in=earlier).exists()]

    def forget_said(self) -> Outcomes:
        """Forget what was said and no fact tells, with its events; where too much was to be meant, the reply says so."""
        told = statements.find_at_all(turn=self.base.turn, words=self.act.content)
        if not told.is_empty and (other := self.find_nearer(told)):
            return [UnmetWish("unsure", (third_person.turn(other.said),))]
        if not told.events and not statements.list_statements(told.lines):
            # The same wish, said before.
            told = ToldBefore()
        if not told.events and {*told.lines} <= {*self.base.turn.burst}:
            if named := self.find_named():
                return self.forget_statement(named)
            if not told.is_empty and (near := self.find_near_memory()):
                return [UnmetWish("unsure", (third_person.turn(near.said),))]
        if told.is_empty:
            return [] if self.act.is_told else self.forget_nearest()
        if told.is_too_much:
            return [UnmetWish("ambiguous", tuple(told.texts[:MEANT_MOST]))]
        return self.forget_told(told)

    def find_nearer(self, told: ToldBefore) -> Statement | None:
        """Find what a wish means rather than what holds only most of its words: one that holds a word of it and is nearer."""
        turn, words = self.base.turn, self.act.content
        if not statements.find(turn=turn, words=words).is_empty:
            return None
        release_connection()
        said = [one for one in candidates.list_said(turn) if lapses.shares_word(one.said, words)]
        nearest = candidates.find_near(said, words)
        return nearest if nearest and {*nearest.lines}.isdisjoint(told.lines) else None

    def forget_nearest(self) -> Outcomes:
        """Forget what a wish means in words of its own, where that is sure or agreed to; else the reply asks whether it is that."""
        # This makes vectors.
        release_connection()
        nearest = self.find_nearest()
        meant = self.find_named() or nearest.meant
        if self.act.is_agreed:
            return self.forget_agreed(meant)
        is_denied = yes_and_no.is_denial(self.base.query)
        if self.act.is_told and nearest.nearness < candidates.ASKED_FROM:
            return [UnmetWish("not_found")] if is_denied else []
        # After a no, what is next nearest is asked about once.
        if meant is None or (is_denied and len(self.refused) > 1):
            return [UnmetWish("not_found")]
        if nearest.is_sure and not self.act.is_unsure:
            return self.forget_statement(meant)
        return [UnmetWish("unsure", (third_person.turn(meant.said),))]

    def find_nearest(self) -> Nearest:
        """Find what a wish means most likely, in this talk first; who agrees means none of another talk."""
        turn, act = self.base.turn, self.act
        of_talk = [
            line
            for at, line in enumerate(self.lines)
            if line.session_id == turn.session_id and not (act.is_told and at in act.lines)
        ]
        stated = [one for one in statements.list_statements(of_talk) if self.may_mean(one)]
        earlier = [] if act.is_agreed else candidates.list_said(turn)
        return candidates.find_nearest(
            turn.bond,
            stated,
            act.content,
            earlier=earlier[: statements.ALIKE_LINES_MOST],
            but=self.was_refused,
            least=candidates.ASKED_FROM if act.is_told or act.is_agreed else LEAST_NEAR,
        )

    def forget_agreed(self, meant: Statement | None) -> Outcomes:
        """Forget what the companion's last reply asked about."""
        asked = candidates.find_asked(self.base.turn, hearing.get_last_reply(self.base), self.base.query)
        if not asked and yes_and_no.is_assent(self.base.query):
            asked = [one for one in (meant, self.find_near_memory()) if one and self.was_asked(one)]
        return self.forget_statement(asked[0]) if asked else []

    def may_mean(self, stated: Statement) -> bool:
        """Whether a wish may mean a statement: of its own message only one that shares a word, as "had lunch with Ed, leave the loan out
        of your notes" means no lunch.
        """
        if self.was_refused(stated.said):
            return False
        own = wording.list_words(stated.said)
        is_here = any(line in self.base.turn.burst for line in stated.lines)
        return not is_here or not self.act.content or not {*own}.isdisjoint(wording.list_words(self.act.content))

    def find_named(self) -> Statement | None:
        """Find the one fact that a sentence names which tells nothing of the user: "Ann asked not to be in here. Please remove her"."""
        words = self.act.content
        is_of_self = told_before.OF_SELF.match(words) is not None and not letting_go.is_of_telling(words)
        if self.act.is_told or not words or is_of_self:
            return None
        known = [*resolution.load_known(self.base.turn.bond)]
        meant = [known[at] for at in letting_go.find_telling([fact.description for fact in known], words)]
        lines = [*meant[0].source_messages.filter(role=Message.Role.USER)] if len(meant) == 1 else []
        if any(line in lines for line in self.base.turn.burst) or not lines or self.was_refused(meant[0].description):
            return None
        return Statement(said=meant[0].description, lines=lines, memory=meant[0])

    def find_near_memory(self) -> Statement | None:
        """Find the memory that a wish's whole line is near to: "I put away too much of an evening. Take that out, please"."""
        release_connection()
        line = self.lines[self.act.lines[0]].content
        nearest = candidates.find_nearest(self.base.turn.bond, (), line, but=self.was_refused)
        return nearest.meant if nearest.nearness >= NEAR_FROM else None

    def was_asked(self, meant: Statement) -> bool:
        """Whether the companion asked about a statement in its last reply."""
        return names(meant.said, hearing.get_last_reply(self.base))

    @cached_property
    def refused(self) -> list[str]:
        """What the companion asked about forgetting, where the user said no."""
        said = pairwise([*self.base.recent_messages, *self.base.turn.burst])
        return [
            asked.content
            for asked, answer in said
            if asked.role == Message.Role.PERSONA
            and yes_and_no.is_denial(answer.content)
            and hearing.OF_FORGETTING.search(asked.content)
        ]

    def was_refused(self, said: str) -> bool:
        return any(names(said, asked) for asked in self.refused)

    def forget_statement(self, meant: Statement) -> Outcomes:
        memory = [meant.memory] if meant.memory is not None else []
        facts = [one for one in memory if one.type == ConceptNode.Type.FACT]
        events = [one for one in memory if one not in facts]
        return self.forget_told(ToldBefore(words=meant.said, lines=meant.lines, events=events), facts=facts)

    def forget_told(self, told: ToldBefore, *, facts: Sequence[ConceptNode] = ()) -> Outcomes:
        # This makes vectors.
        release_connection()
        words = "" if self.act.slot else self.act.content
        # Who agrees means what was asked about, and not all of whom the wish names.
        own = lapses.leave_out_names(words, lapses.list_names(self.base.turn.bond)) if self.act.is_agreed else words
        write = statements.forget(self.base.turn, told, facts=facts, words=own, writer=self.writer)
        noted = NotedFact(op=FactWrite.Op.FORGOTTEN.value, text="", facet=write.node.facet, is_new=True)
        asked = [line.content for line in self.writer.messages]
        gone = Message.objects.filter(nodes=write.node, role=Message.Role.USER).exclude(content__in=asked)
        more = candidates.find_more(
            self.base.turn,
            words,
            gone=list(gone),
            but=lambda said: said in asked or self.was_refused(said) or matching.is_opposite(said, words),
        )
        kept = rest.list_kept(write)
        return [
            noted,
            *([UnmetWish("kept", tuple(kept[:MEANT_MOST]))] if kept else []),
            *([UnmetWish("more", (third_person.turn(more.said),))] if more else []),
        ]


def names(said: str, reply: str) -> bool:
    """Whether a reply asks about a statement."""
    return changing.tells_same(grounding.extract_own_terms(said), text.extract_terms(reply))


def build_ambiguous(meant: Sequence[ConceptNode], *, code: str = "ambiguous") -> UnmetWish:
    return UnmetWish(code, tuple(node.description for node in meant[:MEANT_MOST]))
