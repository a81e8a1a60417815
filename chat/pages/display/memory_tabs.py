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
    args: tuple[str, ...] = ()

    def get_address(self, bond: Bond) -> str:
        return reverse(self.view, args=[bond.pk, *self.args])


_TABS = (
    Tab("events", gettext_lazy("Events"), "event", "memories"),
    Tab("facts", gettext_lazy("Facts"), "fact", "facts"),
    Tab("thoughts", gettext_lazy("Thoughts"), "thought", "memories", ("thoughts",)),
    Tab("promises", gettext_lazy("Promises and expectations"), "intention", "memories", ("promises",)),
    Tab("story", gettext_lazy("Story"), "words", "story"),
    Tab("people", gettext_lazy("People & things"), "entity", "people"),
    Tab("mood", gettext_lazy("Mood over time"), "mood", "mood"),
    Tab("kept", pgettext_lazy("message", "Kept"), "keep", "kept"),
    Tab("doubts", gettext_lazy("Not certain"), "warning", "doubts"),
    Tab("changes", gettext_lazy("Changes"), "clock", "fact_changes"),
    Tab("trash", gettext_lazy("Trash"), "trash", "trash"),
)


def list_tabs() -> list[Tab]:
    return [tab for tab in _TABS if tab.layer != "story" or settings.STORY_ENABLED]


def name_page(layer: str) -> str:
    """Return the title of the pages of a tab, and of those that are of none."""
    return next((str(tab.word) for tab in _TABS if tab.layer == layer), _("Memory"))
