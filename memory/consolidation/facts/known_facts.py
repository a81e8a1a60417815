"""Select the noted facts that an extraction may change, and number them."""

from collections.abc import Iterable, Sequence

from django.db.models import Exists, F, OuterRef, Q

from echovessel.embeddings import embedding, vectors
from echovessel.llm.inputs import NumberedFact
from echovessel.prompts import escape
from memory.answers.coercion import one_line
from memory.consolidation import known_context
from memory.consolidation.transcript import NumberedMessage
from memory.facts.standing import KNOWN_BY
from memory.models import ConceptNode, FactWrite, Session

FACTS_MOST = 40


def find_facts(*, session: Session, lines: Sequence[NumberedMessage]) -> list[ConceptNode]:
    """Find at most 40 live facts: those this session wrote, those in slots, then those nearest to its messages.

    Raises EmbeddingError.
    """
    live = session.bond.nodes.live_facts().without_heavy_columns()
    all_or_more = list(live.order_by("id")[: FACTS_MOST + 1])
    if len(all_or_more) <= FACTS_MOST:
        return all_or_more
    written = FactWrite.objects.filter(bond=session.bond, session=session, node=OuterRef("pk"))
    fixed = live.filter(Q(Exists(written)) | ~Q(slot="")).annotate(is_written=Exists(written))
    first = list(fixed.order_by("-is_written", "-id").values_list("pk", flat=True)[:FACTS_MOST])
    stretches = list(known_context.split_into_stretches(lines))
    said = [one for one in map(vectors.as_text, embedding.embed(stretches)) if one is not None]
    others = known_context.annotate_cosine(live.exclude(pk__in=first), said)
    nearest = others.order_by(F("cosine").desc(nulls_last=True), "-id").values_list("pk", flat=True)
    return list(live.filter(pk__in=[*first, *nearest[: FACTS_MOST - len(first)]]).order_by("id"))


def number_facts(facts: Sequence[ConceptNode]) -> tuple[NumberedFact, ...]:
    return tuple(
        NumberedFact(
            number=at,
            text=one_line(node.description),
            facet=node.facet,
            source=KNOWN_BY[ConceptNode.Tier(node.tier)],
            slot=node.slot,
            value=node.value,
        )
        for at, node in enumerate(facts, start=1)
    )


def format_facts(facts: Iterable[NumberedFact]) -> str:
    """Format facts as `[1] (about_you, home: Leeds, told) The user lives in Leeds.`"""
    return "\n".join(
        f"[{fact.number}] ({fact.facet}"
        + (f", {fact.slot}: {escape(one_line(fact.value))}" if fact.slot else "")
        + f", {fact.source}) {escape(fact.text)}"
        for fact in facts
    )
