"""The pages and actions that the palette offers, by who asks and with which companion."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from chat.pages.display import memory_tabs
from personas.models import Bond, User


@dataclass(frozen=True)
class PaletteEntry:
    """What the palette offers: it leads to an address, or a script of the page does the action."""

    word: str
    sign: str
    address: str = ""
    action: str = ""
    detail: str = ""


BOND_PAGES = (
    (gettext_lazy("Graph"), "graph", "people_graph"),
    (gettext_lazy("Import"), "file", "imports"),
    (gettext_lazy("Export"), "take", "take_along"),
)
PAGES = (
    (gettext_lazy("Companions"), "vessel", "home"),
    (gettext_lazy("New companion"), "plus", "new_companion"),
    (gettext_lazy("Settings"), "gear", "settings"),
    (gettext_lazy("How memory works"), "note", "how_memory_works"),
)
ACTIONS = (
    (gettext_lazy("Appearance: system"), "gear", "theme-auto"),
    (gettext_lazy("Appearance: light"), "gear", "theme-light"),
    (gettext_lazy("Appearance: dark"), "gear", "theme-dark"),
    (gettext_lazy("Keyboard shortcuts"), "words", "shortcuts"),
    (gettext_lazy("Sign out"), "leave", "sign-out"),
)


def list_pages(user: User, bond: Bond | None) -> list[PaletteEntry]:
    """List the pages of a companion, named by it, then those of the account."""
    pages = [PaletteEntry(str(word), sign, reverse(view)) for word, sign, view in PAGES]
    if user.is_superuser:
        pages.append(PaletteEntry(_("Model server"), "unplugged", reverse("model")))
    if user.is_staff:
        pages.append(PaletteEntry(_("Administration"), "key", reverse("admin:index")))
    if bond is None:
        return pages
    name = bond.persona.name
    tabs = [
        PaletteEntry(str(tab.word), tab.sign, tab.get_address(bond), detail=name) for tab in memory_tabs.list_tabs()
    ]
    of_bond = [
        PaletteEntry(str(word), sign, reverse(view, args=[bond.pk]), detail=name) for word, sign, view in BOND_PAGES
    ]
    return [
        *tabs,
        *of_bond,
        PaletteEntry(name, "person", reverse("persona", args=[bond.pk]), detail=_("Edit companion")),
        *pages,
    ]


def list_actions(bond: Bond | None) -> list[PaletteEntry]:
    actions = [PaletteEntry(str(word), sign, action=action) for word, sign, action in ACTIONS]
    if bond is not None:
        # Elsewhere than in the chat it leads there.
        fresh = PaletteEntry(
            _("New chat"), "plus", reverse("bond", args=[bond.pk]), "new-chat", detail=bond.persona.name
        )
        actions.insert(0, fresh)
    return actions


def filter_by_words(entries: Iterable[PaletteEntry], query: str) -> list[PaletteEntry]:
    words = query.casefold().split()
    return [one for one in entries if all(word in f"{one.word} {one.detail}".casefold() for word in words)]
