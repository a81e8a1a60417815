"""The palette: finds the reader's companions, chats, memories, people and things, pages and actions."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from chat.pages.companions.home import annotate_last_message
from chat.pages.conversation import session_list
from chat.pages.display import formats
from chat.pages.memory.search import SearchItem
from chat.pages.palette import places
from chat.pages.palette.places import PaletteEntry
from chat.pages.requests import get_int_param, get_own_bond, get_user, private_page
from memory.search import search
from personas.models import Bond, User
from personas.rest import rates

# Of each kind.
SHOWN_MOST = 5
QUERY_MOST = 200
WORD_MOST = 90
MEMORY_LAYERS = ("L3", "L4")


@dataclass(frozen=True)
class PaletteGroup:
    title: str
    entries: Sequence[PaletteEntry]


@private_page("GET")
def find(request: HttpRequest) -> HttpResponse:
    """Find by the words typed so far. Chats and memories are those of `bond`, else of the companion one last talked with."""
    user = get_user(request)
    if wait_seconds := rates.count_request(user_id=user.pk, kind="reads", now=timezone.now()):
        return HttpResponse(_("Wait a minute, then try again."), status=429, headers={"Retry-After": str(wait_seconds)})
    query = request.GET.get("q", "")[:QUERY_MOST].replace("\x00", "").strip()
    asked = get_int_param(request, "bond")
    bond = get_own_bond(request, asked) if asked is not None else list_bonds(user).first()
    groups = [
        PaletteGroup(_("Companions"), find_companions(user, query)),
        *(find_in_bond(bond, query) if bond is not None else []),
        PaletteGroup(pgettext("of the app", "Pages"), places.filter_by_words(places.list_pages(user, bond), query)),
        PaletteGroup(_("Actions"), places.filter_by_words(places.list_actions(bond), query)),
        PaletteGroup(_("Search"), offer_search(bond, query)),
    ]
    shown = [group for group in groups if group.entries]
    count = sum(len(group.entries) for group in shown)
    return render(request, "chat/palette/_options.html", {"groups": shown, "count": count})


@private_page("GET")
def dialogs(request: HttpRequest) -> HttpResponse:
    """The palette and the list of shortcuts, which a page loads when they are first asked for."""
    asked = get_int_param(request, "bond")
    bond = get_own_bond(request, asked) if asked is not None else None
    return render(request, "chat/palette/_dialogs.html", {"bond": bond})


def list_bonds(user: User) -> QuerySet[Bond]:
    return annotate_last_message(Bond.objects.for_user(user).select_related("user"))


def find_companions(user: User, query: str) -> list[PaletteEntry]:
    bonds = list_bonds(user).filter(persona__name__icontains=query)[:SHOWN_MOST]
    return [
        PaletteEntry(bond.persona.name, "vessel", reverse("bond", args=[bond.pk]), detail=bond.persona.tagline)
        for bond in bonds
    ]


def find_in_bond(bond: Bond, query: str) -> Iterable[PaletteGroup]:
    yield PaletteGroup(_("Chats with %(name)s") % {"name": bond.persona.name}, find_chats(bond, query))
    if not query:
        return
    memories = search.search(bond=bond, query=query, layers=MEMORY_LAYERS, most=SHOWN_MOST)
    yield PaletteGroup(_("Memories"), [build_memory_entry(bond, SearchItem(one)) for one in memories])
    known = search.search(bond=bond, query=query, layers=["L5"], most=SHOWN_MOST)
    yield PaletteGroup(_("People & things"), [build_memory_entry(bond, SearchItem(one)) for one in known])


def offer_search(bond: Bond | None, query: str) -> list[PaletteEntry]:
    if bond is None or not query:
        return []
    address = f"{reverse('memory_words', args=[bond.pk])}?{urlencode({'q': query})}"
    return [PaletteEntry(_("Search all messages and memories for “%(query)s”") % {"query": query}, "search", address)]


def find_chats(bond: Bond, query: str) -> list[PaletteEntry]:
    named = Q(title__icontains=query) | Q(auto_title__icontains=query) | Q(summary__icontains=query)
    listed = session_list.list_newest(bond).filter(message_count__gt=0, off_record=False)
    items = session_list.build_items(bond, listed.filter(named)[:SHOWN_MOST] if query else listed[:SHOWN_MOST])
    return [
        PaletteEntry(
            item.title or _("Chat"),
            "session",
            f"{reverse('bond', args=[bond.pk])}#session-{item.row.pk}",
            detail=formats.format_short_time(timezone.localtime(item.row.last_message_at)),
        )
        for item in items
    ]


def build_memory_entry(bond: Bond, found: SearchItem) -> PaletteEntry:
    view = "person" if found.row.layer == "L5" else "memory"
    text = "".join(part for _is_marked, part in found.pieces)
    return PaletteEntry(
        Truncator(text).chars(WORD_MOST), found.sign, reverse(view, args=[bond.pk, found.row.id]), detail=found.word
    )
