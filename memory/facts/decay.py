"""What nobody said outright fades: once a day, facts that were not confirmed for a month lose some confidence.

What fills a slot stays until another value is told, and what is grave until it is over: an allergy that was told once holds after a year.
So does what is known of people and animals as long as they are spoken of: that Ellie is the user's sister. How the user said that they want
to be spoken to holds until they say otherwise.
"""

from datetime import datetime, timedelta

from django.db import connection
from django.db.models import Exists, OuterRef

from memory.facts import acts
from memory.facts.drafts import FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode, Entity, FactWrite, Mention

EVERY = timedelta(days=30)
# A step for a fact that was told once; one told more often loses less.
STEP = 0.1
FLOOR = 0.30
# Who was spoken of within so long is not forgotten: of a partner too one says nothing for a month at times.
SPOKEN_OF_WITHIN = timedelta(days=90)
_DECAY = f"""
    UPDATE {ConceptNode._meta.db_table} AS fact
    SET confidence = round(greatest(confidence - {STEP} / log(2, mention_count + 1), {FLOOR})::numeric, 3), last_decay_at = %(now)s
    WHERE type = 'fact' AND state = 'live' AND deleted_at IS NULL AND tier <> 'stated' AND confidence > {FLOOR}
        AND slot = '' AND NOT grave AND NOT (tier = 'extracted' AND facet = 'how_to_talk') AND NOT EXISTS (
            SELECT FROM {Mention._meta.db_table} mention JOIN {Entity._meta.db_table} entity ON entity.id = mention.entity_id
            WHERE mention.node_id = fact.id AND entity.kind IN ('person', 'pet') AND entity.last_mentioned_at > %(spoken_of)s
        )
        AND greatest(created_at, last_decay_at, last_confirmed_at) <= %(due)s
"""


def decay(*, now: datetime) -> int:
    """Take one step from the live facts that were not stated, and neither made, faded nor confirmed for 30 days.

    Returns how many faded. One statement for all bonds: it only changes numbers, of which no page is told.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DECAY, {"now": now, "due": now - EVERY, "spoken_of": now - SPOKEN_OF_WITHIN})
        return int(cursor.rowcount)


def end_past(*, now: datetime) -> int:
    """End the facts whose last day is a month ago, each once: the appointment of January is history. Returns how many."""
    ended = FactWrite.objects.filter(node=OuterRef("pk"), op=FactWrite.Op.ENDED)
    past = ConceptNode.objects.live_facts().filter(~Exists(ended), event_time_end__lt=(now - EVERY).date())
    writer = Writer(by=FactWrite.By.SWEEP, tier=ConceptNode.Tier.STATED, now=now)
    return sum(end_one(node, writer) for node in past.select_related("bond").without_heavy_columns().order_by("id"))


def end_one(node: ConceptNode, writer: Writer) -> bool:
    try:
        acts.end(bond=node.bond, node=node, writer=writer)
    except FactError:
        # It was changed or forgotten meanwhile.
        return False
    return True
