"""What a turn reads of the six layers: first what is in every prompt, then what fits the burst."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Any

from django.conf import settings
from django.db.models import Q

from chat.turns.prompting import authored, fact_context, prompt, remembered, told_talks
from chat.turns.prompting.base_context import BaseContext
from chat.turns.prompting.entity_cards import count_tokens
from chat.turns.prompting.fact_context import FactContext
from chat.turns.prompting.prompt import Prompt
from chat.turns.prompting.selection import memory_search, questions, selected_inputs, talk_state
from chat.turns.prompting.selection.memory_search import FoundMemory
from chat.turns.prompting.selection.section_selection import Section, Selection
from chat.turns.trace import (
    CUT_NAMES,
    Trace,
    TracedCards,
    TracedKnowing,
    TracedMemory,
    TracedQuote,
    TracedSections,
    TracedSignals,
    TracedTalks,
    TracedTopic,
)
from echovessel import text
from echovessel.embeddings import embedding
from echovessel.embeddings.feelings import Felt
from echovessel.llm.inputs import EntityCard, RecalledMemory, ReplyInputs, SaidMessage, SessionSummary
from echovessel.llm.offline.reply.asking import doubt_questions
from echovessel.llm.offline.text import sentences
from memory.doubts import asking
from memory.facts import loaded_set
from memory.messages import secrets, window
from memory.messages.window import RecentMessage
from memory.models import ConceptNode, Doubt, Message, Topic
from memory.recall.open_doubts import OpenDoubt
from personas.models import PersonaFacts

TRACED_MOST = 100
# Among so many of the nearest messages is one that asks nothing.
NEAREST_MOST = 8


@dataclass(frozen=True, kw_only=True)
class PromptContext:
    """Everything a prompt is made from, and nothing about the channel."""

    base: BaseContext
    found: FoundMemory
    facts: PersonaFacts | None
    doubt: OpenDoubt | None
    mood: dict[str, Any]
    fact_context: FactContext
    # Whether a doubt came up that is not asked about now.
    is_doubt_out: bool = False
    felt: Felt | None = None
    nearest: tuple[SaidMessage, float] | None = None

    @cached_property
    def cards(self) -> dict[int, EntityCard]:
        """The cards of the named, and under a focus of those that the talk is about, by entity."""
        talk = self.found.talk
        is_kept_to = talk is not None and talk.step.is_focused and not talk.step.is_new
        return {**self.base.cards.cards, **(self.base.cards.of_topic if is_kept_to else {})}

    @cached_property
    def selection(self) -> Selection:
        return selected_inputs.select(self.inputs, self.found.situation, is_doubt_out=self.is_doubt_out)

    def assemble_prompt(self, *, has_tools: bool = False) -> Prompt:
        inputs = replace(selected_inputs.leave_out(self.inputs, self.selection), has_tools=has_tools)
        return prompt.assemble(inputs, budget=settings.PROMPT_TOKEN_BUDGET, context=settings.CONTEXT_TOKENS)

    @cached_property
    def inputs(self) -> ReplyInputs:
        """Return the same as plain values, for `prompt`."""
        base, knowing = self.base.base_memory, self.found.knowing
        zone, told = self.base.turn.bond.user.zone, self.base.inclusion
        session = self.base.turn.session_id
        recent = [
            convert_message(message, zone, is_earlier=message.session_id != session)
            for message in self.base.recent_messages
        ]
        return ReplyInputs(
            **authored.read_texts(self.base),
            facts={} if self.facts is None else self.facts.as_dict(),
            loaded=self.base.loaded.text,
            **self.fact_context.read_facts(),
            sessions=told_talks.list_summaries(
                told,
                [SessionSummary(session.summary, self._localize(session.last_message_at)) for session in base.sessions],
                is_return=self.base.is_return,
                zone=zone,
            ),
            **told_talks.read_talks(told, zone),
            own_thoughts=[node.description for node in base.own_thoughts],
            user_thoughts=[node.description for node in base.user_thoughts],
            about=[*self.cards.values()],
            doubt=questions.build_question(self.doubt),
            recalled=[*self._list_recalled()],
            quotes=[convert_message(quote.message, zone, is_earlier=True) for quote in self.found.quotes],
            moments=[convert_message(message, zone) for message in base.moments],
            promises=[prompt.build_plan(node) for node in base.intentions],
            expectations=[prompt.build_plan(node) for node in base.expectations],
            due=[prompt.build_plan(node) for node in talk_state.find_due(self.base)],
            has_left_focus=self.found.talk is not None and self.found.talk.step.has_left_focus,
            mood=self.mood,
            recent_messages=recent,
            burst=[message.content for message in self.base.turn.burst],
            now=self._localize(self.base.now),
            last_message_at=max((said.at for said in recent), default=None),
            known_since=self._localize(self.base.turn.bond.created_at).date(),
            off_record=self.base.turn.session.off_record,
            slots={slot: fact.content for slot, fact in base.slots.items()},
            noted=list(self.base.noted),
            unmet=list(self.base.unmet),
            certainty=knowing.state,
            is_only_believed=knowing.is_only_believed,
            felt=self.felt,
            nearest=self.nearest,
        )

    def build_trace(self, made: Prompt, *, without_vector: bool) -> Trace:
        """Return what was recalled and why, and what of it the prompt holds."""
        extra = remembered.list_extra(self.base, self.found.recalled)
        missing = [item.node.pk for item in extra[len(made.inputs.recalled) :]]
        why_missing = "section" if Section.RECALLED in self.selection.out else "budget"
        reasons = remembered.find_not_repeated(self.base, self.found.recalled) | dict.fromkeys(missing, why_missing)
        shown = {item.node.pk for item in self.found.recalled.kept} - {*reasons}
        inclusion = self.base.inclusion
        told: dict[str, Any] = {}
        if inclusion is not None:
            held, entities = made.inputs.about, [*self.cards]
            cards = TracedCards(count=len(held), tokens=count_tokens(held), entities=entities[: len(held)])
            told = dict(TracedTalks.describe(inclusion, made.cut)) | {"cards": cards}
        return Trace(
            items=[
                TracedMemory(
                    node=item.node.pk,
                    score=round(item.score, 4),
                    terms={name: round(value, 4) for name, value in vars(item.terms).items()},
                    anchored_by=[*item.anchored_by],
                    kept=item.node.pk in shown,
                    reason=reasons.get(item.node.pk, item.reason),
                )
                for item in self.found.recalled.items[:TRACED_MOST]
            ],
            signals=TracedSignals(**vars(self.found.signals)),
            knowing=TracedKnowing.describe(self.found.knowing),
            words=[
                TracedQuote(message=quote.message.pk, score=round(quote.score, 4))
                for quote in self.found.quotes
                if Section.WORDS not in self.selection.out
            ],
            cut={CUT_NAMES.get(name, name): count for name, count in made.cut.items()},
            gap_seconds=None if self.base.gap is None else int(self.base.gap.total_seconds()),
            topic=None if self.found.talk is None else TracedTopic.describe(self.found.talk.step),
            sections=TracedSections.describe(self.selection),
            prompt_tokens=made.token_count,
            without_vector=without_vector,
            **told,
        )

    @property
    def topic_to_store(self) -> Topic | None:
        return None if self.found.talk is None else self.found.talk.topic_to_store

    def note_questions(self, *, session_id: int, reply: str, by_rules: bool) -> None:
        """Store what the persona was told to ask about, so that it is not told again. Of rules one can tell whether they asked."""
        if self.doubt is not None and (not by_rules or doubt_questions.asks_about_doubt(reply)):
            asking.mark_asked(doubt_id=self.doubt.id, session_id=session_id)
        if self.fact_context.checks:
            checked = [node.pk for node in self.fact_context.checks]
            loaded_set.mark_checked(session_id=session_id, facts=checked)

    def _list_recalled(self) -> Iterator[RecalledMemory]:
        # What has been left open for long was told all the same.
        open_ones = (one for one in self.base.base_memory.doubts if one.is_open and one.kind != Doubt.Kind.STALE)
        in_doubt = {pk for doubt in open_ones for pk in doubt.nodes}
        for item in remembered.list_extra(self.base, self.found.recalled):
            node = item.node
            yield RecalledMemory(
                text=node.description,
                is_thought=node.type == ConceptNode.Type.THOUGHT,
                told_at=self._localize(item.told_at),
                start=None if self._holds_since(node) else node.event_time_start,
                end=node.event_time_end,
                is_unsure=node.type == ConceptNode.Type.FACT and node.confidence < loaded_set.LOADED_FROM,
                until=self._find_end(node),
                is_in_doubt=node.pk in in_doubt,
            )

    def _holds_since(self, node: ConceptNode) -> bool:
        """Whether a fact has begun and goes on, so that nothing happened on its day alone."""
        start, is_fact = node.event_time_start, node.type == ConceptNode.Type.FACT
        return (
            is_fact
            and start is not None
            and node.event_time_end is None
            and start <= self._localize(self.base.now).date()
        )

    def _find_end(self, node: ConceptNode) -> datetime | None:
        """Return until when a fact was true that holds no longer."""
        is_past = node.state == ConceptNode.State.SUPERSEDED and node.valid_until is not None
        return self._localize(node.valid_until) if is_past and node.valid_until else None

    def _localize(self, at: datetime) -> datetime:
        return at.astimezone(self.base.turn.bond.user.zone)


def convert_message(message: RecentMessage, zone: tzinfo, *, is_earlier: bool = False) -> SaidMessage:
    """Return a message as plain values; one of an earlier chat without the secrets that were told in it."""
    said = secrets.mask(message.content) if is_earlier else message.content
    return SaidMessage(message.role == Message.Role.USER, said, message.created_at.astimezone(zone))


def load(base: BaseContext, vector: Sequence[float] | None, *, is_offline: bool = False) -> PromptContext:
    """Load the rest of the six layers by the burst's vector."""
    turn, bond = base.turn, base.turn.bond
    found = memory_search.search(base, vector)
    chosen = questions.choose_doubt(base, found)
    return PromptContext(
        base=base,
        found=found,
        facts=getattr(bond.persona, "facts", None),
        doubt=chosen.doubt,
        is_doubt_out=chosen.is_left_out,
        mood=bond.episodic_state(base.now),
        fact_context=fact_context.load(turn, query=base.query, recalled=found.recalled, loaded=base.loaded),
        felt=embedding.read_feeling(vector, text=base.query),
        nearest=find_nearest(base, found, vector) if is_offline else None,
    )


def find_nearest(
    base: BaseContext, found: FoundMemory, vector: Sequence[float] | None
) -> tuple[SaidMessage, float] | None:
    """Find what the user said in this chat, the window or a quote that is nearest to a Chinese question by its vector, and the cosine.

    Questions tell nothing, and of English vectors it is not known from where on one answers.
    """
    if vector is None or not (text.has_cjk(base.query) and sentences.is_question(base.query)):
        return None
    turn, bond = base.turn, base.turn.bond
    ids = {*(one.pk for one in base.recent_messages), *(quote.message.pk for quote in found.quotes)}
    said = window.filter_messages(bond).filter(Q(session=turn.session_id) | Q(pk__in=ids), role=Message.Role.USER)
    for message in said.exclude(turn_id=turn.pk).nearest(vector, model=embedding.get_model_name())[:NEAREST_MOST]:
        message.content = message.remainder or message.content
        line = convert_message(message, bond.user.zone, is_earlier=message.session_id != turn.session_id)
        if text.has_cjk(line.text) and not sentences.is_question(line.text):
            return line, 1 - getattr(message, "distance")  # noqa: B009
    return None
