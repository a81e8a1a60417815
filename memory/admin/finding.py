"""Search the messages and memories of all bonds that a staff member sees, along the existing indexes."""

from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchQueryField
from django.db.models import CharField, Exists, F, Max, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Cast
from django.http import HttpRequest

from echovessel import text
from memory.models import EntityAlias, Message, lexemes
from memory.search import conditions
from personas import access
from personas.models import Bond
from personas.rest.views import get_user

# The index marks terms with their bond, so a short word is searched once for each bond. With more bonds than this the
# searcher has to choose a bond first.
BONDS_MOST = 5000
# A word this frequent among this many newest messages is searched there.
NEWEST, COMMON_FROM = 20_000, 100


class PartsSearchMixin:
    """A section that is searched by parts of its `search_fields`, and by numbers of rows."""

    search_fields: tuple[str, ...]
    search_numbers: tuple[str, ...] = ("pk",)

    def search_rows(self, request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
        wanted = Q(pk__in=[])
        for field in self.search_fields:
            if field not in self.search_numbers:
                wanted |= conditions.match_substring(field, asked)
        if asked.isdecimal() and len(asked) < 19:
            for field in self.search_numbers:
                wanted |= Q(**{field: asked})
        return rows.filter(wanted)


def find_messages(request: HttpRequest, rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    """Find messages that contain a text, in any case and language. One or two Chinese characters have their own index."""
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
    """Whether the newest messages hold it often: then walking back from these is faster than any index."""
    newest = Message.objects.aggregate(newest=Max("id"))["newest"] or 0
    return len(holding.filter(pk__gt=newest - NEWEST).order_by().values_list("pk")[:COMMON_FROM]) == COMMON_FROM


def find_nodes(rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    """Find memories with all the words, in any inflection; function words find nothing."""
    wanted = sorted(set(text.extract_terms(asked)))
    if not wanted:
        return rows.none()
    return rows.filter(terms__contains=Cast(Value(wanted), ArrayField(CharField(max_length=text.LONGEST_TERM))))


def find_entities(rows: QuerySet[Any], asked: str) -> QuerySet[Any]:
    names = EntityAlias.objects.not_deleted().filter(entity=OuterRef("pk"), folded__contains=text.fold(asked))
    return rows.filter(Exists(names))
