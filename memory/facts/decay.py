"""What nobody said outright fades: once a day, facts that were not confirmed for a month lose some confidence.

What fills a slot stays until another value is told, and what is grave until it is over: an allergy that was told once holds after a year.
"""

from datetime import datetime, timedelta

from django.db import connection

from memory.models import ConceptNode

EVERY = timedelta(days=30)
# A step for a fact that was told once; one told more often loses less.
STEP = 0.1
FLOOR = 0.30
_DECAY = f"""
    UPDATE {ConceptNode._meta.db_table}
    SET confidence = round(greatest(confidence - {STEP} / log(2, mention_count + 1), {FLOOR})::numeric, 3), last_decay_at = %(now)s
    WHERE type = 'fact' AND state = 'live' AND deleted_at IS NULL AND tier <> 'stated' AND confidence > {FLOOR}
        AND slot = '' AND NOT grave
        AND greatest(created_at, last_decay_at, last_confirmed_at) <= %(due)s
"""


def decay(*, now: datetime) -> int:
    """Take one step from the live facts that were not stated, and neither made, faded nor confirmed for 30 days.

    Returns how many faded. One statement for all bonds: it only changes numbers, of which no page is told.
    """
    with connection.cursor() as cursor:
        cursor.execute(_DECAY, {"now": now, "due": now - EVERY})
        return int(cursor.rowcount)
