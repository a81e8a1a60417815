"""Turn a search query into conditions on rows that indexes answer.

Every word must occur, in any inflection; of the last one a prefix is enough, since people search while they type. A row
also matches where it contains the query verbatim. Chinese is matched by characters and pairs of them.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.postgres.search import SearchQueryField
from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, Value
from django.db.models.functions import Cast

from echovessel import text
from memory.models import EntityAlias, lexemes
from personas.models import Bond

# From this length on a prefix counts, and the trigram index finds parts of words.
PART_CHARACTERS = 3


def match_messages(bond: Bond, asked: str) -> Q:
    wanted = text.extract_search_terms(asked)
    if not wanted:
        # The query has only punctuation.
        return match_substring("content", asked)
    indexed = [lexemes.format_lexeme(bond.pk, term) for term in wanted]
    beginning = find_last_word(asked)
    if beginning:
        indexed[-1] = f"({indexed[-1]} | {lexemes.format_lexeme(bond.pk, beginning)}:*)"
    by_words = match_all(indexed)
    return by_words | match_substring("content", asked) if is_part(asked) else by_words


def match_nodes(bond: Bond, asked: str) -> Q:
    """Match memories; their index has no function words and no Chinese function characters."""
    wanted = sorted(set(text.extract_terms(asked)))
    if not wanted:
        return match_substring("description", asked)
    by_words = match_all(lexemes.format_lexeme(bond.pk, term) for term in wanted)
    is_whole = set(text.extract_search_terms(asked)) <= set(wanted)
    return by_words if is_whole and not is_part(asked) else by_words | match_substring("description", asked)


def match_entities(bond: Bond, asked: str) -> Q:
    names = EntityAlias.objects.not_deleted().filter(entity=OuterRef("pk"), folded__contains=text.fold(asked))
    return Q(Exists(names)) | match_substring("description", asked)


def match_all(indexed: Iterable[str]) -> Q:
    return Q(build_operation("@@", F("search"), Cast(Value(" & ".join(indexed)), SearchQueryField())))


def find_last_word(asked: str) -> str | None:
    """Return the last word if it may be a prefix: it ends the query and is long enough."""
    word = text.split_runs(asked)[-1]
    return None if text.has_cjk(word) or len(word) < PART_CHARACTERS else word


def is_part(asked: str) -> bool:
    """Whether the query is also matched verbatim; Chinese is matched by its characters anyway."""
    return not text.split_runs(asked) or (len(asked) >= PART_CHARACTERS and not text.has_cjk(asked))


def match_substring(column: str, part: str) -> Q:
    """Match a substring in any case. `icontains` would use no trigram index."""
    escaped = part.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return Q(build_operation("ILIKE", F(column), Value(f"%{escaped}%")))


def build_operation(sign: str, *sides: Any) -> Func:
    return Func(*sides, template="(%(expressions)s)", arg_joiner=f" {sign} ", output_field=BooleanField())
