from typing import Any

from django.core.paginator import Page, Paginator
from django.db import OperationalError, connection, transaction
from django.utils.functional import cached_property

PAGES_MOST = 200
# A filter without an index scans the whole table; after this time the page shows a message instead.
STATEMENT_TIMEOUT_MS = 8000


class UncountedPage(Page):  # type: ignore[type-arg]  # it is not generic when it runs
    def has_next(self) -> bool:
        """Return whether a row follows; the paginator's number of pages is a bound."""
        return bool(self.paginator.has_more)  # type: ignore[attr-defined]  # it is an `UncountedPaginator`


class UncountedPaginator(Paginator):  # type: ignore[type-arg]  # it is not generic when it runs
    """Pages without counting rows: each page reads one extra row to know whether another page follows."""

    template_name = "admin/pages.html"
    has_more = False
    gave_up = False

    @cached_property
    def count(self) -> int:
        """Return the highest number that can be paged through, so that Django never shows all rows on one page."""
        return PAGES_MOST * self.per_page

    def page(self, number: int | str) -> UncountedPage:
        number = self.validate_number(number)
        first = (number - 1) * self.per_page
        rows = self.rows(first, first + self.per_page + 1)
        self.has_more = len(rows) > self.per_page and number < PAGES_MOST
        return UncountedPage(rows[: self.per_page], number, self)

    def rows(self, first: int, end: int) -> list[Any]:
        try:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {STATEMENT_TIMEOUT_MS}")
                rows = list(self.object_list[first:end])
                cursor.execute("SET LOCAL statement_timeout = DEFAULT")
        except OperationalError:
            self.gave_up = True
            return []
        return rows
