"""What a query of words means as a condition on rows, so that indexes answer it.

Every word must occur, in any inflection; of the last one the beginning is enough, since people search while they type. Or the query
occurs as it stands. Chinese is found by its characters and pairs of them, two-character words included.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.search import SearchQueryField
from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, Value
from django.db.models.functions import Cast

from memory import text
from memory.models import EntityAlias, lexemes
from personas.models import Bond

# From so many letters on the beginning of a word is one, and the trigram index finds parts of words.
PART_CHARACTERS = 3


def lines(bond: Bond, asked: str) -> Q:
    """Messages of this bond."""
    wanted = text.search_terms(asked)
    if not wanted:
        # Signs only.
        return holding("content", asked)
    indexed = [lexemes.lexeme(bond.pk, term) for term in wanted]
    beginning = last_word(asked)
    if beginning:
        indexed[-1] = f"({indexed[-1]} | {lexemes.lexeme(bond.pk, beginning)}:*)"
    by_words = all_of(indexed)
    return by_words | holding("content", asked) if is_part(asked) else by_words


def nodes(bond: Bond, asked: str) -> Q:
    """Memories. Their index holds no function words and no Chinese function characters."""
    wanted = sorted(set(text.terms(asked)))
    if not wanted:
        return holding("description", asked)
    by_words = all_of(lexemes.lexeme(bond.pk, term) for term in wanted)
    is_whole = set(text.search_terms(asked)) <= set(wanted)
    return by_words if is_whole and not is_part(asked) else by_words | holding("description", asked)


def entities(bond: Bond, asked: str) -> Q:
    """People and things, by a part of a name or of what is known of them."""
    names = EntityAlias.objects.filter(entity=OuterRef("pk"), deleted_at=None, folded__contains=text.fold(asked))
    return Q(Exists(names)) | holding("description", asked)


def all_of(indexed: Iterable[str]) -> Q:
    return Q(operation("@@", F("search"), Cast(Value(" & ".join(indexed)), SearchQueryField())))


def last_word(asked: str) -> str | None:
    """The word that may have been begun only, if the query ends with one that is long enough."""
    word = text.runs(asked)[-1]
    return None if text.has_cjk(word) or len(word) < PART_CHARACTERS else word


def is_part(asked: str) -> bool:
    """Whether the query is looked for as it stands too. Chinese is found by its characters anyway."""
    return not text.runs(asked) or (len(asked) >= PART_CHARACTERS and not text.has_cjk(asked))


def holding(column: str, part: str) -> Q:
    """As it stands, in any case. Not `icontains`, which no trigram index answers."""
    escaped = part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return Q(operation("ILIKE", F(column), Value(f"%{escaped}%")))


def operation(sign: str, *sides: Any) -> Func:
    return Func(*sides, template="(%(expressions)s)", arg_joiner=f" {sign} ", output_field=BooleanField())
