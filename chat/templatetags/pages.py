from datetime import datetime

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from chat.pages.display import formats, labels, memory_tabs, plain_text, second_person
from memory.models import Doubt, Session
from personas import avatars, ready
from personas.models import Bond, Install, Persona

register = template.Library()
register.filter("day", formats.format_day)
register.filter("signed", formats.format_signed)
register.filter("plain", plain_text.drop_markdown)
register.simple_tag(formats.format_exact, name="exact")
register.filter("mood", labels.translate_mood)
register.filter("slot", labels.translate_slot)
register.filter("memory_title", memory_tabs.name_page)
register.filter("memory_lead", memory_tabs.describe_tab)
register.filter("told", second_person.address_reader)
register.filter("told_state", second_person.address_state)

HUES = 12
# Consecutive ids get hues far apart.
STEP = 5
# How many symbols of each kind `img/faces.svg` has.
VESSELS, RISING = 6, 8


@register.filter
def hue(persona: Persona | ready.Character) -> str:
    """The class of a persona's colour. A persona made from a ready-made character has that one's colour."""
    place = ready.find_position(persona.name) or (persona.pk if isinstance(persona, Persona) else 0)
    return f"hue-{place * STEP % HUES}"


@register.filter
def picture(persona: Persona) -> str:
    return avatars.get_url(persona) or ""


@register.filter
def drawing(persona: Persona | ready.Character) -> list[str]:
    """Return the symbols of `img/faces.svg` for a companion without a picture.

    A ready-made character has its portrait, everybody else a vessel and what rises from it.
    """
    if character := ready.find_by_name(persona.name):
        return [character.key]
    number = persona.pk if isinstance(persona, Persona) else 0
    return [f"vessel-{number % VESSELS}", f"rising-{(number + number // VESSELS) % RISING}"]


@register.filter
def html_lang(persona: Persona) -> str:
    return "zh-Hans" if persona.language == Persona.Language.CHINESE else "en"


@register.simple_tag
def sends_mail() -> bool:
    return settings.SENDS_MAIL


@register.simple_tag
def tells_stories() -> bool:
    return settings.STORY_ENABLED


@register.simple_tag
def list_memory_tabs(bond: Bond) -> list[tuple[memory_tabs.Tab, str, int]]:
    """Return the tabs with their addresses, and how many questions wait for an answer there."""
    waiting = {"doubts": Doubt.objects.for_bond(bond).open().count()}
    return [(tab, tab.get_address(bond), waiting.get(tab.layer, 0)) for tab in memory_tabs.list_tabs()]


@register.simple_tag
def is_first_account() -> bool:
    """Whether the account that signs up now becomes the administrator."""
    return not Install.objects.exists()


@register.simple_tag
def is_saving_memories(bond: Bond) -> bool:
    return Session.objects.for_bond(bond).being_remembered().exists()


@register.inclusion_tag("parts/back.html")
def back_link(word: str, view: str, *args: int) -> dict[str, str]:
    return {"word": word, "address": reverse(view, args=args)}


@register.simple_tag
def next_sentence() -> str:
    """Return what stands between two sentences: nothing in Chinese."""
    return "" if (get_language() or "").startswith("zh") else " "


@register.simple_tag
def moment(at: datetime, show: str = "when") -> SafeString:
    """Render a time in the reader's zone, the exact moment as title: `clock` as hours, `when` as time, day or date,
    `within` so in a sentence.
    """
    local = timezone.localtime(at)
    text = date_format(local, "H:i") if show == "clock" else formats.format_short_time(local)
    if show == "within":
        text = text[:1].lower() + text[1:]
    return format_html(
        '<time datetime="{}" title="{}" data-show="{}">{}</time>', at.isoformat(), formats.format_exact(at), show, text
    )
