from django.contrib import admin
from django.contrib.admin import display
from django.utils.translation import gettext_lazy as _

from personas.admin.base import ReadOnlyAdmin
from personas.admin.columns import format_moment
from personas.admin.filters import AutocompleteFilter, DateRangeFilter
from personas.models import AccessLog


@admin.register(AccessLog)
class AccessLogAdmin(ReadOnlyAdmin):
    """Lists who read whose memory. People see the rows about themselves."""

    person = "person_id"
    is_memory = False
    joined = ("reader", "person")
    list_display = ("hour_of", "reader_name", "whose", "what")
    list_filter = (("person", AutocompleteFilter), ("reader", AutocompleteFilter), ("hour", DateRangeFilter))
    fields = ("hour_of", "reader_name", "whose", "what")

    @display(description=_("hour"))
    def hour_of(self, row: AccessLog) -> str:
        return format_moment(row.hour)

    @display(description=_("whose memory"))
    def whose(self, row: AccessLog) -> str:
        return row.person.shown_name

    @display(description=_("what was read"))
    def what(self, row: AccessLog) -> str:
        return row.section_name
