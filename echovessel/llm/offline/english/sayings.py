"""All English sayings and questions. A saying is used only where each of its {slots} is known.

Slots: {echo}, a clause of the user's in the second person; {who}, "your sister"; {name}, a name said now.
"""

from echovessel.llm.offline.english.answers import ANSWERS
from echovessel.llm.offline.english.everyday import EVERYDAY
from echovessel.llm.offline.english.product import PRODUCT
from echovessel.llm.offline.english.questions import ASKED, ASKED_AFTER
from echovessel.llm.offline.english.reactions import REACTIONS

SAYINGS = {**REACTIONS, **ANSWERS, **{kind: one.sayings for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}
QUESTIONS = {**ASKED, **ASKED_AFTER, **{kind: one.questions for kind, one in (*EVERYDAY.items(), *PRODUCT.items())}}

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
