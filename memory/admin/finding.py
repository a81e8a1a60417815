"""Search over the lines and memories of all bonds that a staff member sees, along the indexes there are."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchQueryField
from django.db.models import CharField, Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.http import HttpRequest

from memory import text
from memory.models import EntityAlias, Message, lexemes
from memory.search import conditions
from personas import access
from personas.models import Bond
from personas.rest.views import get_user

# In a search index terms are marked with their bond, so that a short word is looked for once for each; in more bonds than this one
# has to choose first whose.
BONDS_MOST = 5000
# A word that stands so often in so many of the newest lines is looked for there.
NEWEST, COMMON_FROM = 20_000, 100


def find_messages(request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    """Messages that hold a text as it stands, in any case and language. One or two Chinese characters have an index of their own."""
    holding = rows.filter(conditions.match_substring("content", asked))
    if len(asked) >= conditions.PART_CHARACTERS or not text.has_cjk(asked) or is_common(holding):
        return holding
    terms = text.extract_search_terms(asked)
    bonds = Bond.objects.all() if access.can_see_others(get_user(request)) else Bond.objects.for_user(get_user(request))
    marked = [
        f"({' & '.join(lexemes.format_lexeme(bond, term) for term in terms)})"
        for bond in bonds.order_by("-id").values_list("pk", flat=True)[:BONDS_MOST]
    ]
    if not marked:
        return rows.none()
    query = Cast(Value(" | ".join(marked)), SearchQueryField())
    return holding.filter(conditions.build_operation("@@", F("search"), query))


def is_common(holding: QuerySet[Any]) -> bool:
    """Whether the newest lines hold it often: then a page is found on the way back from these, and by no index as soon."""
    newest = Message.objects.aggregate(newest=Max("id"))["newest"] or 0
    return len(holding.filter(pk__gt=newest - NEWEST).order_by().values_list("pk")[:COMMON_FROM]) == COMMON_FROM


def find_nodes(rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    """Memories that have all the words, in any inflection; words that say nothing of what it is about find nothing."""
    wanted = sorted(set(text.extract_terms(asked)))
    if not wanted:
        return rows.none()
    return rows.filter(terms__contains=Cast(Value(wanted), ArrayField(CharField(max_length=text.LONGEST_TERM))))


def find_entities(rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    """People and things by a part of a name."""
    names = EntityAlias.objects.filter(entity=OuterRef("pk"), deleted_at=None, folded__contains=text.fold(asked))
    return rows.filter(Exists(names))


def filter_by_number(asked: str, *fields: str) -> Q:
    """Rows with this id, or of a row with it; nothing where a number is not what was asked for."""
    wanted = Q(pk__in=[])
    if asked.isdecimal() and len(asked) < 19:
        for field in fields:
            wanted |= Q(**{field: asked})
    return wanted
