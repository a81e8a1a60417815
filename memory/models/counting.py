from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, Subquery


def count_subquery(rows: QuerySet[Any]) -> Subquery:
    """How many rows a subquery has, for `annotate`; unlike a joined Count several of these do not multiply."""
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())
    return Subquery(rows.order_by().annotate(number=number).values("number"))
