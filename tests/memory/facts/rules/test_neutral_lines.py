"""What people say without asking for anything: no line of these writes."""

import pytest

from chat.evaluation.facts import suite, talks
from chat.evaluation.facts.suite import SLOTS
from memory.facts.rules.reading import read_acts, read_told
from tests.support.growth import grows_too_fast


@pytest.mark.parametrize("language", ["en", "zh"])
def test_neutral_messages_write_nothing(language):
    lines = talks.load_neutral_lines(language)

    acts = {line: read_acts([line], lines[:at][-2:], SLOTS[language]) for at, line in enumerate(lines)}

    assert len(set(lines)) >= 300
    assert {line: found for line, found in acts.items() if found} == {}


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("half", talks.HALVES)
def test_neutral_messages_touch_nothing_that_stands(language, half):
    lines = talks.load_neutral_lines(language, half=half)

    assert {line: found for line in lines if (found := suite.find_touched(line, language))} == {}


@pytest.mark.parametrize(
    "piece",
    [
        "I told her about the weather and the soup. ",
        "remember ",
        "my name is my name is ",
        "call me Al and ",
        "“",
        "forget about that, ",
        "I'm not a nurse any more and I moved to York now. ",
        "我记住了别忘了我叫",
        "其实我住在苏州，我不在上海了，以后请",
        "a" * 40,
        "from now on, actually, now, quit, started, ",
        "I no longer have the boat and I sold the car, not the bike, ",
        "我不打网球了，其实不是周二，是周三",
    ],
)
def test_a_long_message_is_read_in_linear_time(piece):
    slot_values = SLOTS["en"] | {"birthday": "3 May"}

    def read(line):
        return read_acts([line], [line], slot_values), read_told([line])

    # What is made once, as patterns are, is not counted.
    read(piece)

    # A message of 20 000 characters takes some ten milliseconds.
    assert not grows_too_fast(read, (piece * 20_000)[:20_000], (piece * 40_000)[:40_000], floor=0.03)
