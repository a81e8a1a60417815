"""The messages and memories of `tests.support.sample`."""

from dataclasses import dataclass

TAGLINE = "Keeps a bookshop by the canal and listens more than she talks"
TEO = "A lighthouse keeper who writes back at night"
INES = "A marine biologist with salt in her hair and a question for everything"
FACTS = {
    "full_name": "Marian Hale",
    "birth_date": "3 May, she does not say which year",
    "location": "Utrecht, above the shop",
    "occupation": "Bookseller",
}
PERSONA = (
    "Marian keeps a bookshop.",
    (
        "Marian keeps a small bookshop by the canal, in the house her aunt left her. She repairs old bindings in the evening, "
        "forgets to eat when a chapter is good, and remembers what people told her for years.\n\n"
        "She is curious without prying, and would rather ask one good question than give five pieces of advice."
    ),
)
STYLE = ("Short and warm. No exclamation marks, hardly ever a list.",)
ABOUT_MARA = ("Mara restores violins.", "Mara restores violins in Vienna and has a white cat called Nimbus.")
# As the model's client says it.
BROKEN_EXPORT = "This export is broken: a row violates a constraint."
FAILURE = "The model server cannot be reached."
QUOTE = "We rowed until the village was only lights, and Grandmother sang."
FROM_FILE = (
    "Mara rowed out on the lake with her grandmother until the village was only lights.",
    "Mara broke her arm at the age of nine and learned to bow with the left one.",
    "Mara left Carinthia for Vienna with two suitcases and one violin.",
)
PROPOSALS = ("Grew up at a lake in Carinthia.", "Learned the violin from her grandmother.", "Is afraid of flying.")
MOODS = (
    (13, "curious", 6),
    (11, "quiet", 4),
    (9, "sad with her", 3),
    (6, "hopeful", 6),
    (4, "amused", 8),
    (1, "tender", 7),
)


@dataclass(frozen=True)
class Talk:
    days_ago: float
    title: str
    summary: str
    lines: tuple[tuple[str, str], ...]
    status: str = "closed"


TALKS = (
    Talk(
        13,
        "",
        "Mara told of her workshop and of the cat who sleeps in violin cases.",
        (
            ("user", "I restore violins. Today one came in with a whole wasps' nest inside."),
            ("persona", "An entire nest, and nobody had wondered about the sound? How did you get it out?"),
            ("user", "With tweezers and a lot of patience. Nimbus, my cat, supervised from an open case."),
            ("persona", "Then the case is hers now. What colour is she, so that I can picture her?"),
            ("user", "White, or she would be if she kept out of the varnish."),
        ),
    ),
    Talk(
        9,
        "Grandmother's violin",
        "Mara's grandmother died on Sunday; her violin hangs on the wall.",
        (
            ("user", "My grandmother died on Sunday. Her violin is still on my wall, I can't take it down."),
            (
                "persona",
                "I am so sorry, Mara. You need not take it down. What did she play on it, when nobody had asked her to?",
            ),
            ("user", "The same slow waltz, every evening. She taught me on that instrument."),
            ("persona", "Then it has your first mistakes in it too, and all her evenings. It may hang where it is."),
        ),
    ),
    Talk(
        4,
        "",
        "An audition at the Volksoper on Friday; Yiyang will come along.",
        (
            ("user", "I have an audition at the Volksoper on Friday and I am terrified."),
            ("persona", "Terrified of playing, or of being asked to stay?"),
            ("user", "Of being asked to stay, I think. My sister Yiyang says she will come and sit in the last row."),
            ("persona", "The last row is a good place for a sister. I will ask you on Saturday how it was."),
        ),
    ),
    Talk(
        1,
        "",
        "",
        (
            ("user", "Scott fixed my bicycle and would not take any money."),
            ("persona", "Would he take a cake?"),
            ("user", "He would take two."),
        ),
        "failed",
    ),
    Talk(
        0,
        "",
        "",
        (
            ("user", "I played the waltz at the audition. On her violin."),
            ("user", "They asked me to stay."),
            (
                "persona",
                (
                    "You took it down from the wall, then. And carried it through the city, with **all her evenings** in it.\n\n"
                    "Tell me one thing, before the sensible ones:\n\n"
                    "- what did the room sound like, when you had stopped?"
                ),
            ),
            ("user", "Quiet. Then somebody laughed, kindly. I think it was Yiyang."),
            ("persona", "From the last row. Good."),
        ),
        "open",
    ),
)


@dataclass(frozen=True)
class Memory:
    key: str
    type: str
    text: str
    impact: int
    lines: tuple[int, ...] = ()
    evidence: tuple[str, ...] = ()
    days_ago: float = 9
    subject: str = "user"
    emotions: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    # Days from today.
    due: int | None = None


MEMORIES = (
    Memory("work", "event", "Mara restores violins; in one of them was a wasps' nest.", 2, (0,), days_ago=13),
    Memory("old cat", "event", "Mara has a grey cat.", 1, (2,), days_ago=13),
    Memory(
        "cat",
        "event",
        "Mara has a white cat, Nimbus, who sleeps in violin cases.",
        4,
        (2, 4),
        days_ago=12.9,
        emotions=("warmth",),
    ),
    Memory(
        "grandmother",
        "event",
        "Mara's grandmother died on a Sunday; her violin hangs on Mara's wall.",
        -9,
        (5,),
        days_ago=9,
        emotions=("grief", "love"),
        tags=("vulnerability",),
        due=-10,
    ),
    Memory(
        "waltz",
        "event",
        "Her grandmother taught Mara to play, and played a slow waltz every evening.",
        6,
        (7,),
        emotions=("warmth",),
        tags=("identity-bearing",),
    ),
    Memory(
        "audition",
        "event",
        "Mara has an audition at the Volksoper and is terrified of being asked to stay.",
        -4,
        (9,),
        days_ago=4,
        emotions=("fear",),
        tags=("unresolved",),
        due=1,
    ),
    Memory("sister", "event", "Her sister Yiyang comes along and will sit in the last row.", 5, (11,), days_ago=4),
    Memory("coffee", "event", "Mara dislikes coffee.", -1, days_ago=12),
    Memory("rain", "event", "It rained on the day of the regatta.", 0, days_ago=11),
    Memory("after rain", "thought", "Rain makes her talk of the lake.", 1, evidence=("rain",), days_ago=10),
    Memory(
        "mourning",
        "thought",
        "Mara carries her grandmother in the instrument: playing is how she mourns.",
        -6,
        evidence=("grandmother", "waltz"),
        days_ago=8.5,
        tags=("turning-point",),
    ),
    Memory(
        "listen",
        "thought",
        "I want to ask less and listen longer when she speaks of her grandmother.",
        2,
        evidence=("grandmother",),
        days_ago=8,
        subject="persona",
    ),
    Memory(
        "ask",
        "intention",
        "I will ask on Saturday how the audition went.",
        3,
        (12,),
        days_ago=4,
        subject="persona",
        due=2,
    ),
    Memory(
        "play",
        "expectation",
        "She will play her grandmother's violin at the audition.",
        4,
        evidence=("waltz", "audition"),
        days_ago=3.5,
        due=1,
    ),
)


@dataclass(frozen=True)
class Known:
    name: str
    kind: str
    description: str
    nodes: tuple[str, ...]
    aliases: tuple[str, ...] = ()


PEOPLE = (
    Known("Yiyang", "person", "Mara's sister, who sits in the last row.", ("sister", "audition"), ("黄逸扬",)),
    Known("Scott", "person", "", ("sister",)),
    Known(
        "Grandmother",
        "person",
        "Taught Mara the violin; played a waltz every evening.",
        ("grandmother", "waltz", "mourning"),
    ),
    Known("Nimbus", "pet", "A white cat with varnish on her paws.", ("cat",)),
    Known("the grey one", "pet", "", ("old cat",)),
    Known("Volksoper", "org", "Where the audition is.", ("audition",)),
    Known("the lake", "place", "", ("rain",)),
)

KEPT_NOTE = "The evening on which I knew that it would be all right."
