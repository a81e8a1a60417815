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
    said = [one for one in said_anew.list_statements(chunk) if not reading.read_told([one[1]])]
    gathered = (
        standing.load_live(session.bond)
        .without_heavy_columns()
        .select_related("bond")
        .exclude(tier=ConceptNode.Tier.STATED)
    )
    for fact in gathered.filter(pk__in=[one.pk for one in offered]).exclude(source_messages__in=chunk.user_messages):
        lines = [*{message.pk: message for message, statement in said if tells_most(statement, fact)}.values()]
        if lines:
            writer = Writer(
                by=FactWrite.By.CLOSE, tier=ConceptNode.Tier.EXTRACTED, now=now, session=session, messages=lines
            )
            writing.count_mention(fact, writer)
