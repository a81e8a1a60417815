"""Days, times and numbers as pages show them."""

from calendar import monthrange
from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext


def format_day(day: date) -> str:
    """Return a day, with its year unless it is the reader's."""
    if day.year == timezone.localdate().year:
        return date_format(day, pgettext("day of this year", "j M"))
    return date_format(day, pgettext("day of another year", "j M Y"))


def format_days(first: date, last: date) -> str:
    """Return a stretch of days: a day, a whole year or month by its name, else both its ends."""
    if first == last:
        return format_day(first)
    is_whole = first.day == 1 and last.day == monthrange(last.year, last.month)[1]
    if is_whole and (first.month, last.month) == (1, 12) and first.year == last.year:
        return date_format(first, pgettext("a year", "Y"))
    if is_whole and (first.year, first.month) == (last.year, last.month):
        return date_format(first, pgettext("a month", "F Y"))
    if first.year == last.year != timezone.localdate().year:
        # The year once: English says it last, Chinese first.
        first_format = pgettext("first of two days of one other year", "j M")
        last_format = pgettext("last of two days of one other year", "j M Y")
        return f"{date_format(first, first_format)} – {date_format(last, last_format)}"
    return f"{format_day(first)} – {format_day(last)}"


def format_short_time(local: datetime) -> str:
    days = (timezone.localdate() - local.date()).days
    if days == 0:
        return date_format(local, "H:i")
    if days == 1:
        return _("Yesterday")
    return format_day(local.date())


def format_exact(at: datetime) -> str:
    # Translators: a full moment in Django's date format, such as "Monday 2 March 2026, 14:05".
    return date_format(timezone.localtime(at), pgettext("exact moment", "l j F Y, H:i"))


def format_signed(impact: int) -> str:
    """A number with its sign, the minus as typography has it."""
    return f"{impact:+d}".replace("-", "\u2212") if impact else "0"
