import pytest

from memory.models import Message
from memory.story.recaps.rules import recap_by_rules
from tests.support.growth import grows_too_fast


def build_lines(*texts):
    return [
        Message(
            pk=at, role="persona" if said.startswith("persona: ") else "user", content=said.removeprefix("persona: ")
        )
        for at, said in enumerate(texts, start=1)
    ]


def test_the_weightiest_sentences_of_the_user_stand_in_their_order():
    recap = recap_by_rules(
        build_lines(
            "Hello!",
            "persona: Good evening. My grandmother died in a fire, I was engaged twice.",
            "My grandmother Ida died on Tuesday. It is raining.",
            "ok",
            "I walked home. Then Tom proposed to me at the harbour!",
            "Good night.",
        )
    )

    assert [(one.text, one.lines) for one in recap.outcomes] == [
        ("My grandmother Ida died on Tuesday.", [3]),
        ("It is raining.", [3]),
        ("I walked home.", [5]),
        ("Then Tom proposed to me at the harbour!", [5]),
    ]
    assert recap.title == "My grandmother Ida died on Tuesday."


def test_six_sentences_stay_and_chinese_ones_are_read():
    grave = ["奶奶去世了。", "我订婚了。", "我被公司裁员了。", "小黑丢了。", "我们要搬到上海。", "医生确诊了肿瘤。"]

    recap = recap_by_rules(build_lines(*(f"{said}今天天气不错。" for said in grave)))

    assert [one.text for one in recap.outcomes] == grave


def test_a_greeting_by_name_is_small_talk():
    recap = recap_by_rules(build_lines("Hi Marian.", "Good morning, Teo! Thanks Ida. Thank you Maria died."))

    assert [one.text for one in recap.outcomes] == ["Thank you Maria died."]
    assert recap.title == "Thank you Maria died."


def test_plans_and_a_last_question_are_open():
    recap = recap_by_rules(build_lines("I will see Lin on Friday.", "persona: Lovely.", "Should I bring her flowers?"))

    assert [(one.text, one.lines) for one in recap.open] == [
        ("I will see Lin on Friday.", [1]),
        ("Should I bring her flowers?", [3]),
    ]


def test_small_talk_alone_is_told_by_its_first_line():
    recap = recap_by_rules(build_lines("hi", "persona: ok", "bye"))

    assert [(one.text, one.lines) for one in recap.outcomes] == [("hi", [1])]


def test_what_only_the_companion_says_is_told():
    assert recap_by_rules(build_lines("persona: The lighthouse burned down.")).outcomes[0].lines == [1]


def test_no_lines_have_no_recap():
    assert recap_by_rules([]) is None


def test_secrets_are_masked_and_long_stretches_cut():
    recap = recap_by_rules(build_lines("My password is hunter2. " + "x" * 900))

    assert recap.title == "My password is [secret]."
    assert all(len(one.text) <= 200 for one in recap.outcomes)


@pytest.mark.parametrize("piece", ["a", "1 ", "，", "“", "my PIN ", ". ", "\n"])
def test_hostile_lines_are_read_in_linear_time(piece):
    def recap(said):
        return recap_by_rules(build_lines(*[said] * 5))

    assert not grows_too_fast(recap, piece * (20_000 // len(piece)), piece * (40_000 // len(piece)), floor=0.03)
