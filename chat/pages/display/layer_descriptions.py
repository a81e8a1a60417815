"""The six layers of memory as the help page describes them."""

from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from personas.models import Bond

# The picture, in its own units: where the mood begins below the vessel's mouth, and how high each layer is.
MOUTH, HEIGHT = 118, 65
LAYERS_COUNT = 6


@dataclass(frozen=True)
class Layer:
    number: int
    sign: str
    word: Any
    # When it is made, in a few words.
    when: Any
    holds: Any
    made: Any
    changed: Any
    # Links to the reader's own: URL name, its arguments after the bond, and label.
    pages: tuple[tuple[str, tuple[str, ...], Any], ...]

    @property
    def top(self) -> int:
        """The y coordinate of its upper edge."""
        return MOUTH + (LAYERS_COUNT - self.number) * HEIGHT

    @property
    def height(self) -> int:
        return HEIGHT

    @property
    def sign_top(self) -> int:
        return self.top + 21

    @property
    def word_at(self) -> int:
        return self.top + 30

    @property
    def when_at(self) -> int:
        return self.top + 48

    def list_links(self, bond: Bond) -> list[tuple[str, Any]]:
        """Return the addresses of the reader's own pages with their labels."""
        return [(reverse(name, args=[bond.pk, *more]), words) for name, more, words in self.pages]


LAYERS = (
    Layer(
        number=1,
        sign="pen",
        word=_("Texts"),
        when=_("only by hand"),
        holds=_("Who your companion is, how they speak, and what you tell about yourself. They are always in mind."),
        made=_("Only by hand. No chat and no program ever writes these texts."),
        changed=_(
            "Change them on the companion's page. Every earlier version is kept there and can be restored. Only the owner of a shared companion can change its texts."
        ),
        pages=(("persona", (), _("The texts")),),
    ),
    Layer(
        number=2,
        sign="words",
        word=_("Messages"),
        when=_("as you chat"),
        holds=_("Every message of every chat, word for word."),
        made=_("The moment you send it, before anything answers."),
        changed=_("Delete a message or a whole chat: it leaves every search and every later reply at once."),
        pages=(("memory_words", (), _("Search messages")), ("bond", (), _("The chats"))),
    ),
    Layer(
        number=3,
        sign="event",
        word=_("Events"),
        when=_("when a chat ends"),
        holds=_(
            "What happened, in a sentence or two: the day, who was there, and how important it was, from −10 for the saddest to +10 for the happiest."
        ),
        made=_("When a chat ends. Each keeps the messages it came from. Small talk is skipped."),
        changed=_(
            "Correct one, and the earlier text stays as history. Before you forget one, you see what is based on it."
        ),
        pages=(("memories", (), _("The events")),),
    ),
    Layer(
        number=4,
        sign="thought",
        word=_("Thoughts"),
        when=_("between chats"),
        holds=_("What your companion makes of the events: thoughts, promises, and what they expect to come."),
        made=_("After an important event, or about once a day. Each thought shows the events it is based on."),
        changed=_(
            "Correct or forget them, or say how a promise turned out. A thought whose events have all changed is set aside."
        ),
        pages=(
            ("memories", ("thoughts",), _("The thoughts")),
            ("memories", ("promises",), _("Promises and expectations")),
        ),
    ),
    Layer(
        number=5,
        sign="entity",
        word=_("People & things"),
        when=_("when a chat ends"),
        holds=_("People, animals, places and things, under all their names, with the events they occur in."),
        made=_("When a chat ends, from the names in it. Where two may be the same, your companion asks."),
        changed=_("Rename, describe, merge and separate them, or forget a name with all that is known about it."),
        pages=(("people", (), _("The list")), ("people_graph", (), _("The graph"))),
    ),
    Layer(
        number=6,
        sign="mood",
        word=_("Mood"),
        when=_("when a chat ends"),
        holds=_("How your companion feels just now, in a few words, and how much energy they have."),
        made=_("When a chat ends. After twelve hours it has passed, and they feel as always."),
        changed=_("It is not written by hand. Delete the chat, and the mood it left goes too."),
        pages=(("mood", (), _("Mood over time")),),
    ),
)
