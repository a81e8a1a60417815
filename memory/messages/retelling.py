"""Finds what the companion said in reply, or later, of what the user told once."""

from collections.abc import Collection, Mapping

from echovessel import text
from echovessel.postgres.rows import fetch_all
from memory.models import Message, lexemes
from personas.models import Bond

# A line tells it by two words that nobody said before, and the user nowhere else, or by four such characters; the answer to a wish
# to forget it, which can mean nothing else, by half of that.
LEAST, LEAST_OF_ANSWER = 4, 2
_OWN_TERMS = """
SELECT term FROM unnest(%(terms)s::text[], %(lexemes)s::text[]) AS asked(term, lexeme) WHERE NOT EXISTS (
    SELECT FROM memory_message line WHERE line.search @@ lexeme::tsquery AND line.bond_id = %(bond)s AND line.deleted_at IS NULL
        AND line.id <> ALL(%(lines)s) AND (line.role = 'user' OR line.id < %(first)s)
)
"""
_LATER = """
SELECT id, content FROM memory_message WHERE search @@ %(marked)s::tsquery AND bond_id = %(bond)s AND role = 'persona'
    AND id > %(first)s AND deleted_at IS NULL ORDER BY id
"""


def find_replies(bond: Bond, told: Collection[Collection[int]]) -> list[list[int]]:
    """Find the replies to each of these groups of messages alone, with all their variants."""
    lines = {pk for group in told for pk in group}
    of_user = Message.objects.for_bond(bond).filter(pk__in=lines, role=Message.Role.USER, turn_id__isnull=False)
    of_turns = Message.objects.for_bond(bond).filter(turn_id__in=of_user.values("turn_id")).order_by("id")
    rows = [*of_turns.only("role", "turn_id", "deleted_at")]
    said, replies = ([row for row in rows if row.role == role] for role in (Message.Role.USER, Message.Role.PERSONA))
    found = []
    for group in told:
        turns = {row.turn_id for row in said if row.pk in group}
        turns -= {row.turn_id for row in said if row.pk not in group and row.deleted_at is None}
        found.append([row.pk for row in replies if row.turn_id in turns and row.pk not in group])
    return found


def find(
    bond: Bond, forgotten: str, *, said: Mapping[int, str], lines: Collection[int], least: int = LEAST
) -> list[int]:
    """Find the companion's lines that tell again what is forgotten, which the user `said`; `lines` tell it or ask to forget it."""
    heard = {term for content in said.values() for term in text.extract_terms(content)}
    # A message may tell of something else, too.
    terms = sorted(heard & {*text.extract_terms(forgotten)})
    if not terms:
        return []
    asked = [lexemes.format_lexeme(bond.pk, term) for term in terms]
    given = {"bond": bond.pk, "terms": terms, "lexemes": asked, "lines": list(lines), "first": min(said)}
    own = {term for (term,) in fetch_all(_OWN_TERMS, given)}
    if not own:
        return []
    marked = " | ".join(lexemes.format_lexeme(bond.pk, term) for term in own)
    later = fetch_all(_LATER, {"bond": bond.pk, "marked": marked, "first": min(said)})
    return [pk for pk, content in later if tells(content, own, least)]


def tells(said: str, own: Collection[str], least: int) -> bool:
    held = {*own} & {*text.extract_terms(said)}
    characters = {one for term in held if text.has_cjk(term) for one in term}
    return len(characters) + 2 * sum(not text.has_cjk(term) for term in held) >= least
