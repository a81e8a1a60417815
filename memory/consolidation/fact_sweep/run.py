"""The nightly sweep of facts: several wordings become one, what was replaced ends, what is clumsy is said anew.

Its row is a slow tick's, with the trigger `sweep`: it claims the bond, and shows what was asked and answered. Each call
is written in a transaction of its own that checks the claim, so a kill loses one call at most.
"""

import json
import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import LLM, Origin
from echovessel.prompts import escape, render
from memory.answers.fact_sweep_schema import OPS_MOST, FactSweepAnswer, SweepOp
from memory.answers.schemas import parse_parts
from memory.consolidation.asking import Asker
from memory.consolidation.fact_sweep import apply, clusters, gate
from memory.consolidation.slow_tick.run import Clock, create_run, fail, get_lease, lock_if_free
from memory.facts.standing import KNOWN_BY
from memory.facts.writers import Writer
from memory.jobs.lease import LeaseLost
from memory.models import ConceptNode, FactWrite, SlowTickRun
from personas.models import Bond

PROMPT = Path(__file__).parents[2] / "prompts" / "fact_sweep.md"
Outcome = SlowTickRun.Outcome
logger = logging.getLogger("echovessel.consolidation")


def run(
    *, bond_id: int, llm: LLM, clock: Clock = timezone.now, asker: Callable[..., Asker] = Asker
) -> SlowTickRun | None:
    """Sweep a bond's facts, one call a facet. Returns the ended run, or None where there is nothing to do.

    A call that fails, or an answer that cannot be read, ends it as failed; the next night tries again.
    """
    if llm.offline or not settings.FACT_SWEEP_ENABLED:
        return None
    begun = begin(bond_id=bond_id, now=clock())
    if begun is None:
        return None
    origin = Origin(user_id=begun.bond.user_id, bond_id=bond_id)
    asks = asker(llm=llm, origin=origin, before_call=lambda: get_lease(begun).renew(clock()))
    try:
        for facet in ConceptNode.Facet.values:
            for part in clusters.divide(load_facts(begun.bond, facet)):
                sweep(begun, part, asker=asks, clock=clock)
        end(begun, now=clock())
    except LLMError as error:
        fail(begun, error=str(error), now=clock())
    except LeaseLost:
        logger.info("sweep %s is not this worker's any more", begun.pk)
    return SlowTickRun.objects.filter(pk=begun.pk).first()


@transaction.atomic
def begin(*, bond_id: int, now: datetime) -> SlowTickRun | None:
    """Claim a bond that is due. Raises Bond.DoesNotExist."""
    bond = Bond.objects.select_related("user", "persona").get(pk=bond_id)
    if not lock_if_free(bond, now=now) or not gate.is_due(bond, now=now):
        return None
    return create_run(bond, trigger=SlowTickRun.Trigger.SWEEP, now=now)


def load_facts(bond: Bond, facet: str) -> list[ConceptNode]:
    facts = ConceptNode.objects.for_bond(bond).live_facts().filter(facet=facet)
    return list(facts.without_heavy_columns("terms").order_by("id"))


def sweep(begun: SlowTickRun, facts: Sequence[ConceptNode], *, asker: Asker, clock: Clock) -> None:
    """Ask about a stretch of facts and carry out the answer. Raises LLMError, LeaseLost."""
    prompt = render_prompt(begun.bond, facts)
    asked = asker.ask(prompt, feature="fact_sweep", schema=FactSweepAnswer)
    ops, notes = parse_parts(asked.parsed.get("ops"), SweepOp, what="ops", most=OPS_MOST)
    ready, dropped = apply.prepare(ops, {fact.pk: fact for fact in facts})
    writer = Writer(by=FactWrite.By.SWEEP, tier=ConceptNode.Tier.EXTRACTED, now=clock())
    with get_lease(begun).transaction() as row:
        _, left_out = apply.carry_out(ready, bond=row.bond, writer=writer)
        row.prompt = "\n\n".join(filter(None, [row.prompt, prompt]))
        row.answer = "\n".join(filter(None, [row.answer, json.dumps(asked.parsed, ensure_ascii=False)]))
        row.notes = "\n".join(filter(None, [row.notes, asked.note, *notes, *dropped, *left_out]))
        row.tokens_in += asked.tokens_in
        row.tokens_out += asked.tokens_out
        row.save()


def render_prompt(bond: Bond, facts: Sequence[ConceptNode]) -> str:
    # With the ids by which forgetting finds a prompt that holds a fact.
    lines = [
        f"[{fact.pk}] ({KNOWN_BY[ConceptNode.Tier(fact.tier)]}, {fact.created_at.astimezone(bond.user.zone):%Y-%m-%d}) {escape(fact.description)}"
        for fact in facts
    ]
    names = {"persona_name": escape(bond.persona.name), "user_name": escape(bond.user.shown_name)}
    return render(PROMPT, facts="\n".join(lines), **names)


def end(begun: SlowTickRun, *, now: datetime) -> None:
    """End the run. Raises LeaseLost."""
    with get_lease(begun).transaction() as row:
        writes = FactWrite.objects.for_bond(row.bond).filter(by=FactWrite.By.SWEEP, created_at__gte=row.created_at)
        row.outcome = Outcome.DONE if writes.exists() else Outcome.EMPTY
        row.finished_at = now
        row.save()
