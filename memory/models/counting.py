from typing import Any

from django.db.models import F, Func, IntegerField, QuerySet, Subquery


def count_subquery(rows: QuerySet[Any]) -> Subquery:
    """Count the rows of a subquery for `annotate`; several joined Counts would multiply."""
    number = Func(F("pk"), function="COUNT", output_field=IntegerField())
    return Subquery(rows.order_by().annotate(number=number).values("number"))
