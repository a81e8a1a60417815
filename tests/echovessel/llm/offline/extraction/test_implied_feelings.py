from datetime import UTC, datetime

import pytest

from echovessel.llm.inputs import ExtractionInputs, TranscriptLine
from echovessel.llm.offline import extraction
from echovessel.llm.offline.extraction import implied_feelings

SAID_AT = datetime(2026, 3, 13, tzinfo=UTC)


def weighed(*said, felt=None):
    speakers = ("persona", "user")
    lines = [TranscriptLine(at, SAID_AT, speakers[at % 2], text, felt) for at, text in enumerate(said, start=1)]
    return implied_feelings.weigh_lines(lines)


def extracted(said, felt):
    [event] = extraction.extract(ExtractionInputs((TranscriptLine(1, SAID_AT, "user", said, felt),)))["events"]
    return event["emotional_impact"], event["emotion_tags"]


@pytest.mark.parametrize(
    ("said", "impact"),
    [
        (("三年没打过电话的爸爸今天打来了，他说，那你们两个人吃够不够。", "两个人。"), 7),
        (("My brother came to the door, for the first time in six years. He brought soup.", "He brought soup."), 6),
    ],
    ids=["zh", "en"],
)
def test_who_is_heard_of_again_after_years_is_welcome(said, impact):
    assert weighed(*said) == {1: impact}


def test_years_alone_weigh_nothing():
    assert weighed("三年没打篮球了，腿都僵了。", "那慢慢来。") == {}


@pytest.mark.parametrize(
    "said",
    [
        ("Ben says I should grow a beard", "Thank you for telling me.", "do you think so?"),
        ("我家有只橘猫叫大福", "大福，嗯，我听着呢。", "我家猫叫什么？"),
        ("lol I don't have a dog", "Ha!", "ok gotta run, talk tomorrow"),
        ("川哥带了一只小狗来。", "嗯，饼干。你昨天说的我还记着：“我哥哥在成都当急救员，我很难过。”", "饼干很乖。"),
    ],
    ids=["en", "zh", "laugh", "quoted"],
)
def test_a_reply_of_the_rules_tells_nothing_of_how_it_was_taken(said):
    assert weighed(*said) == {}


def test_a_companions_own_words_may_begin_like_the_rules_do():
    said = ("There is a pistol in the flour tin, since last winter.", "I'm glad you told me. Will you ring 988 first?")

    assert weighed(*said)[1] < 0


@pytest.mark.parametrize(
    ("felt", "impact"),
    [
        ("grief", (-3, ["sadness"])),
        ("heavy", (-2, ["sadness"])),
        ("rather bad", (-1, ["sadness"])),
        ("moved", (1, [])),
        ("rather good", (1, ["gladness"])),
        ("glad", (2, ["gladness"])),
        (None, (1, [])),
    ],
)
def test_an_event_whose_words_show_no_feeling_is_as_heavy_as_its_vector_tells(felt, impact):
    assert extracted("Mam called me Frank on sunday, that was my dad's name", felt) == impact


@pytest.mark.parametrize("felt", ["glad", "grief"])
def test_words_that_show_a_feeling_come_first(felt):
    assert extracted("I'm so angry with my brother, he sold the house", felt) == extracted(
        "I'm so angry with my brother, he sold the house", None
    )


def test_whether_tears_are_glad_tells_the_vector():
    said = ("mum saw the scan, she couldn't speak", "You said it lightly, thank you for telling me.")

    assert (weighed(*said, felt="glad")[1], weighed(*said)[1]) == (7, -7)


def test_words_with_whom_the_line_before_speaks_of_come_first():
    said = ("our dog is at the vet since monday", "some. the basket is empty", "died around two. I held him")
    lines = [TranscriptLine(at, SAID_AT, "user", one, "heavy" if at == 3 else None) for at, one in enumerate(said, 1)]

    events = extraction.extract(ExtractionInputs(tuple(lines)))["events"]

    assert min(event["emotional_impact"] for event in events) == -7


def test_what_only_vectors_tell_joins_no_messages():
    said = ["mam didn't know my name on sunday", "they gave my desk away", "the chair stays empty now"]
    lines = [TranscriptLine(at, SAID_AT, "user", text, "heavy") for at, text in enumerate(said, start=1)]

    events = extraction.extract(ExtractionInputs(tuple(lines)))["events"]

    assert sorted(event["source_lines"] for event in events) == [[1], [2], [3]]
    assert {event["emotional_impact"] for event in events} == {-2}


def test_words_larger_than_what_they_tell_leave_open_whether_it_is_good():
    assert extracted("she called the figures publishable, I nearly fainted", "heavy") == (1, [])
