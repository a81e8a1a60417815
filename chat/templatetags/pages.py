from datetime import datetime

from django import template
from django.conf import settings
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from chat.pages.display import labels
from chat.pages.memories import format_day
from personas import avatars, ready
from personas.models import Install, Persona

register = template.Library()
register.filter("day", format_day)
register.filter("mood", labels.translate_mood)

HUES = 12
# Neighbours in time get hues far apart.
STEP = 5


@register.filter
def hue(persona: Persona) -> str:
    """The class that gives a persona its colour; one that began from a ready-made character keeps that one's."""
    place = ready.find_position(persona.name) or persona.pk or 0
    return f"hue-{place * STEP % HUES}"


@register.filter
def picture(persona: Persona) -> str:
    return avatars.get_url(persona) or ""


@register.filter
def initial(name: str) -> str:
    return name.strip()[:1].upper()


@register.filter
def signed(impact: int) -> str:
    """A number with its sign, the minus as typography has it."""
    return f"{impact:+d}".replace("-", "\u2212") if impact else "0"


@register.filter
def html_lang(persona: Persona) -> str:
    return "zh-Hans" if persona.language == Persona.Language.CHINESE else "en"


@register.simple_tag
def sends_mail() -> bool:
    return settings.SENDS_MAIL


@register.simple_tag
def is_first_account() -> bool:
    """Whether the account that signs up now will run the install."""
    return not Install.objects.exists()


@register.simple_tag
def moment(at: datetime, show: str = "when") -> SafeString:
    """A time in the reader's zone, with the exact moment on hover: `clock` shows hours, `when` a time, a day or a date."""
    local = timezone.localtime(at)
    text = date_format(local, "H:i") if show == "clock" else format_short_time(local)
    return format_html('<time datetime="{}" title="{}" data-show="{}">{}</time>', at.isoformat(), exact(at), show, text)


@register.simple_tag
def exact(at: datetime) -> str:
    # Translators: a full moment in Django's date format, such as "Monday 2 March 2026, 14:05".
    return date_format(timezone.localtime(at), pgettext("exact moment", "l j F Y, H:i"))


def format_short_time(local: datetime) -> str:
    today = timezone.localdate()
    days = (today - local.date()).days
    if days == 0:
        return date_format(local, "H:i")
    if days == 1:
        return _("Yesterday")
    if local.year == today.year:
        return date_format(local, pgettext("day of this year", "j M"))
    return date_format(local, pgettext("day of another year", "j M Y"))
