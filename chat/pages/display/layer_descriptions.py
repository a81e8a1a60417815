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
        made=_("Only by hand. No talk and no program ever writes these texts."),
        changed=_(
            "Change them on the companion's page. Every earlier version is kept there and can be "
            "brought back. The texts of a companion that somebody shares with you are theirs to change."
        ),
        pages=(("persona", (), _("The texts")),),
    ),
    Layer(
        number=2,
        sign="words",
        word=_("Words"),
        when=_("as you speak"),
        holds=_("Every line of every talk, exactly as it was said."),
        made=_("The moment you send it, before anything answers."),
        changed=_("Delete a line or a whole talk: it leaves every search and every later reply at once."),
        pages=(("memory_words", (), _("Search the words")), ("bond", (), _("The talks"))),
    ),
    Layer(
        number=3,
        sign="event",
        word=_("Events"),
        when=_("when a talk is over"),
        holds=_(
            "What happened, in a sentence or two: the day, who was there, and how much it weighs, from −10 for the "
            "heaviest to +10 for the brightest."
        ),
        made=_("When a talk is over. Each keeps the lines it was drawn from. Small talk is passed over."),
        changed=_(
            "Correct one, and what was there before stays as history. Before you forget one, you see what rests on it."
        ),
        pages=(("memories", (), _("The events")),),
    ),
    Layer(
        number=4,
        sign="thought",
        word=_("Thoughts"),
        when=_("between talks"),
        holds=_("What your companion makes of the events: thoughts, promises, and what they expect to come."),
        made=_("After something that weighs much, or about once a day. Each thought cites the events it rests on."),
        changed=_(
            "Correct or forget them, or say how a promise came out. A thought whose events have all changed is set aside."
        ),
        pages=(
            ("memories", ("thoughts",), _("The thoughts")),
            ("memories", ("promises",), _("Promises and expectations")),
        ),
    ),
    Layer(
        number=5,
        sign="entity",
        word=_("People and things"),
        when=_("when a talk is over"),
        holds=_("People, animals, places and things, under all their names, with the events they occur in."),
        made=_("When a talk is over, from the names in it. Where two may be the same, your companion asks."),
        changed=_("Rename, describe, merge and part them, or forget a name with all that is known of it."),
        pages=(("people", (), _("The list")), ("people_graph", (), _("The graph"))),
    ),
    Layer(
        number=6,
        sign="mood",
        word=_("Mood"),
        when=_("when a talk is over"),
        holds=_("How your companion feels just now, in a few words, and how much energy they have."),
        made=_("When a talk is over. After twelve hours it has passed, and they feel as always."),
        changed=_("It is not written by hand. Forget the talk, and the mood it left goes too."),
        pages=(("mood", (), _("Mood and time")),),
    ),
)
