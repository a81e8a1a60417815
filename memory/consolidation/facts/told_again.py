"""Count the facts that the user tells again without a change: what is told again and again does not fade."""

from collections.abc import Sequence
from datetime import datetime

from memory.consolidation.facts import said_anew
from memory.consolidation.facts.noted_facts import tells_most
from memory.consolidation.transcript import Chunk
from memory.facts import standing, writing
from memory.facts.rules import reading
from memory.facts.writers import Writer
from memory.models import ConceptNode, FactWrite, Session


def count(chunk: Chunk, *, offered: Sequence[ConceptNode], session: Session, now: datetime) -> None:
    """Count of the offered facts those that still hold, were not stated, and have none of the messages yet that tell them.

    The caller has locked the session and its bond.
    """
    gathered = [fact for fact in offered if fact.tier != ConceptNode.Tier.STATED]
    if not gathered:
        return
    said = [one for one in said_anew.list_statements(chunk) if not reading.read_told([one[1]])]
    told = {fact.pk: {message.pk: message for message, one in said if tells_most(one, fact)} for fact in gathered}
    again = {pk: [*lines.values()] for pk, lines in told.items() if lines}
    live = standing.load_live(session.bond).without_heavy_columns().select_related("bond").filter(pk__in=again)
    for fact in live.exclude(tier=ConceptNode.Tier.STATED).exclude(source_messages__in=chunk.user_messages):
        by, tier = FactWrite.By.CLOSE, ConceptNode.Tier.EXTRACTED
        writing.count_mention(fact, Writer(by=by, tier=tier, now=now, session=session, messages=again[fact.pk]))
