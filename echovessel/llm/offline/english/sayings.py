"""All English sayings and questions. A saying is used only where each of its {slots} is known.

Slots: {echo}, a clause of the user's in the second person; {who}, "your sister"; {name}, a name said now.
"""

from echovessel.llm.offline.english.answers import ANSWERS
from echovessel.llm.offline.english.everyday import EVERYDAY
from echovessel.llm.offline.english.product import PRODUCT
from echovessel.llm.offline.english.reactions import REACTIONS

SAYINGS = {**REACTIONS, **ANSWERS, **{kind: one.sayings for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}
# By tone or subject.
QUESTIONS = {
    "grief": ("What was {who} like?", "Is somebody near you today?"),
    "grief_again": ("What do you remember most clearly?",),
    "pet_loss": ("What was {name} like?", "What will you remember most?"),
    "fear": ("What is the worst of it right now?", "What would make the next hour easier?"),
    "worry": ("How are things now?",),
    "their_fatigue": ("Is there some rest in sight?",),
    "their_nerves": ("What helps, when it gets like that?",),
    "nerves": ("What would make it a little easier?",),
    "sadness": ("Do you want to tell me more about it?", "What would do you good now?"),
    "anger": ("Has it happened before?", "What would put it right, if anything?"),
    "fatigue": ("What took the most out of you?", "Have you eaten something?"),
    "laughed_off": ("And under the laugh, how is it?",),
    "joy": ("Will you tell me more about it?",),
    "news": ("Who knows already?", "How does it feel?"),
    "ahead": ("How do you feel about it?", "Do you feel ready for it?"),
    "outing": ("What are you looking forward to most?", "Whose idea was it?"),
    "unsettled": ("When will you know?", "Which way do you lean?"),
    "echoed": ("Will you tell me more of it?", "What else should I know about it?", "Is there more to it?"),
    "birthday": ("How was it kept?",),
    "pet_ill": ("How long has it been like that?",),
    # After an answer of their kind.
    "greet_first": ("What is on your mind today?", "What kind of day have you had?"),
    "greet": ("What has happened since?", "How are things?", "What's on your mind?"),
    "how_i_am": ("And you, how has the day been?", "What kind of day is it over there?"),
    "who": ("And whom am I talking with?",),
    "forgot": ("What should I know?", "Will you tell me?"),
    "request": ("What do you have in mind?",),
    "play": ("Do you know a good one yourself?", "Will you tell me one of yours?"),
    "of_me": ("And you?", "What about you?"),
    "opinion": ("What is your own feeling?",),
    "affection": ("What kind of day was it?",),
    **{kind: one.questions for kind, one in (*EVERYDAY.items(), *PRODUCT.items())},
}

# How long ago something was told, and its own time where that is another.
AGES = {
    "now": "a moment ago",
    "chat": "earlier in this chat",
    "today": "earlier today",
    "yesterday": "yesterday",
    "older": "some time ago",
    "days": "{} days ago",
    "weeks": "{} weeks ago",
    "months": "{} months ago",
    "years": "{} years ago",
}
# How two of them are written.
TWO = "2"
OWN_TIMES = {
    "happened": "It happened {when}.",
    "planned": "It is planned for {when}.",
    "was to be": "It was to be {when}.",
    "ended": "It ended {when}.",
    "going on": "It is going on now.",
}
# In the place of a password or a PIN that was told in an earlier chat.
NOT_KEPT = "something that I don't keep"
SEMICOLON, ON_DAY = "; ", "{quote} ({day})"
DAYS_AHEAD = ("today", "tomorrow")
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
DATE = "{0.day} {0:%B %Y}"
MONTH, DATED = "{0:%B %Y}", "{}: "
