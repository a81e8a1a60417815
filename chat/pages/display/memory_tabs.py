"""The tabs of a companion's memory: what each shows, and where."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from personas.models import Bond


@dataclass(frozen=True)
class Tab:
    # What the pages of the tab pass as `layer`.
    layer: str
    word: Promise
    sign: str
    view: str
    # What the tab holds, for who sees it for the first time; blank where its page says more.
    lead: str | Promise = ""
    args: tuple[str, ...] = ()

    def get_address(self, bond: Bond) -> str:
        return reverse(self.view, args=[bond.pk, *self.args])


_TABS = (
    Tab(
        "events",
        gettext_lazy("Events"),
        "event",
        "memories",
        gettext_lazy("What happened, from your chats and imports, and how important it was."),
    ),
    Tab(
        "facts",
        gettext_lazy("Facts"),
        "fact",
        "facts",
        gettext_lazy("What is true until you say otherwise, such as where you live or what you cannot eat."),
    ),
    Tab(
        "thoughts",
        gettext_lazy("Thoughts"),
        "thought",
        "memories",
        gettext_lazy("What your companion makes of the events. Each thought shows the events it is based on."),
        ("thoughts",),
    ),
    Tab(
        "promises",
        gettext_lazy("Promises and expectations"),
        "intention",
        "memories",
        gettext_lazy("What your companion promised you and expects to come, with the day it is due."),
        ("promises",),
    ),
    Tab(
        "story",
        gettext_lazy("Story"),
        "words",
        "story",
        gettext_lazy("Your chats as one story, so that the older ones stay in mind."),
    ),
    Tab(
        "people",
        gettext_lazy("People & things"),
        "entity",
        "people",
        gettext_lazy("The people, animals, places and things that your chats name."),
    ),
    Tab("mood", gettext_lazy("Mood over time"), "mood", "mood"),
    Tab(
        "kept",
        pgettext_lazy("message", "Kept"),
        "keep",
        "kept",
        gettext_lazy("Messages that you keep. The last ten are always in mind, word for word."),
    ),
    Tab(
        "doubts",
        gettext_lazy("Not certain"),
        "warning",
        "doubts",
        gettext_lazy("What may be wrong. Your companion asks about one of these in a chat, or you answer here."),
    ),
    Tab(
        "changes",
        gettext_lazy("Changes"),
        "clock",
        "fact_changes",
        gettext_lazy("What was noted as a fact, changed or forgotten, and when."),
    ),
    Tab("trash", gettext_lazy("Trash"), "trash", "trash"),
)


def list_tabs() -> list[Tab]:
    return [tab for tab in _TABS if tab.layer != "story" or settings.STORY_ENABLED]


def describe_tab(layer: str) -> str:
    return next(str(tab.lead) for tab in _TABS if tab.layer == layer)


def name_page(layer: str) -> str:
    """Return the title of the pages of a tab, and of those that are of none."""
    return next((str(tab.word) for tab in _TABS if tab.layer == layer), _("Memory"))
