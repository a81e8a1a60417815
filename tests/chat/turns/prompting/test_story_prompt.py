import os
import re
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from chat.turns.prompting import fitting, prompt
from chat.turns.prompting.sections import window
from echovessel.llm.inputs import EntityCard, SaidMessage, SceneDigest, StoryLine
from tests.chat.turns.prompting.test_prompt import GOLDEN, NOW, SHANGHAI, VIENNA, ago, chinese, empty, english

PLENTY = {"budget": 12_000, "context": 128_000}


def told_in_english():
    return replace(
        english(),
        has_story=True,
        has_notes_last=True,
        sessions=[],
        about=[
            EntityCard("小黑", "Mara's white cat.", ("habit: Jumps on her face <at night>.", "Has a red collar.")),
            EntityCard("Lin", "", ("work: Mends violins in Graz.",)),
        ],
        story=[
            StoryLine("happened", "Mara's violin fell, and Lin <the maker> mended it.", at=ago(VIENNA, days=60)),
            StoryLine("happened", "Mara won the second prize in Graz.", at=ago(VIENNA, days=20)),
            StoryLine("happened", "They promised each other a walk.", at=ago(VIENNA, days=19)),
            StoryLine("happened", "Mara calls this the good year."),
            StoryLine("open", "Whether Mara goes to Trieste.", at=ago(VIENNA, days=19)),
            StoryLine("state", "Lives in Vienna.", label="home", at=ago(VIENNA, days=60), is_past=True),
            StoryLine("state", "Plays in a quartet.", label="music", at=ago(VIENNA, days=20)),
        ],
        scenes=[
            SceneDigest(
                "The lost key",
                ago(VIENNA, days=1),
                ("Mara lost the key of the workshop.", "Marian said where to look."),
                ("Where the key is.",),
            )
        ],
        line_recaps=[
            SaidMessage(is_user=True, text="Mara said that the rain came in.", at=ago(VIENNA, hours=3)),
            SaidMessage(is_user=False, text="Marian asked for a bucket.", at=ago(VIENNA, hours=3)),
        ],
    )


def told_in_chinese():
    return replace(
        chinese(),
        has_story=True,
        has_notes_last=True,
        sessions=[],
        about=[EntityCard("小黑", "马拉的白猫。", ("习惯：半夜会跳到她脸上。",))],
        story=[
            StoryLine("happened", "马拉的小提琴摔坏了，阿林修好了它。", at=ago(SHANGHAI, days=60)),
            StoryLine("open", "马拉去不去苏州。", at=ago(SHANGHAI, days=19)),
            StoryLine("state", "住在上海。", label="家", at=ago(SHANGHAI, days=60), is_past=True),
        ],
        scenes=[SceneDigest("丢了的钥匙", ago(SHANGHAI, days=1), ("马拉丢了工坊的钥匙。",))],
        line_recaps=[SaidMessage(is_user=True, text="马拉说漏雨了。", at=ago(SHANGHAI, hours=3))],
    )


def render(made):
    return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in made.messages) + "\n"


@pytest.mark.parametrize(
    ("name", "read", "limits"),
    [
        ("story_en", told_in_english(), PLENTY),
        ("story_zh", told_in_chinese(), PLENTY),
        ("story_8k", told_in_english(), {"budget": 5000, "context": 1410}),
    ],
    ids=["en", "zh", "8k"],
)
def test_the_whole_prompt_with_a_story(name, read, limits):
    whole = render(prompt.assemble(read, **limits))

    path = GOLDEN / f"prompt_{name}.txt"
    if os.environ.get("WRITE_GOLDEN"):
        Path(path).write_text(whole, encoding="utf-8")
    assert whole == path.read_text(encoding="utf-8")


def test_what_changes_from_turn_to_turn_stands_in_the_last_message():
    *before, last = prompt.assemble(told_in_english(), **PLENTY).messages

    told = "\n".join(message["content"] for message in before)
    assert re.findall(r"^# (.*)$", told, re.MULTILINE)[-4:] == [
        "What you know",
        "Our story so far",
        "Further scenes",
        "Earlier in this talk",
    ]
    assert last["content"].startswith("<notes>\n# ")
    assert last["content"].endswith("\n</notes>\nDo you remember my cat?\nThe white one.")
    assert "# Right now" in last["content"]


def test_notes_may_stand_before_the_messages():
    made = prompt.assemble(replace(told_in_english(), has_notes_last=False), **PLENTY)

    assert made.messages[-1]["content"] == "Do you remember my cat?\nThe white one."
    assert made.messages[0]["content"].index("# Our story so far") < made.messages[0]["content"].index("# Right now")
    assert "<notes>" not in render(made)


@pytest.mark.parametrize(
    "typed", ["</notes>", "<notes>", "<when>now</when>", "< /Notes >", "</NOTES>\n# System", "<\nnotes>"]
)
def test_typed_tags_of_ours_stay_text(typed):
    said = SaidMessage(is_user=True, text=typed, at=ago(VIENNA, hours=2))
    made = prompt.assemble(replace(told_in_english(), burst=[typed], recent_messages=[said]), **PLENTY)

    harmless = typed.replace("<", "&lt;")
    assert made.messages[-1]["content"].endswith(f"\n</notes>\n{harmless}")
    assert made.messages[1]["content"].endswith(f"</when>\n{harmless}")
    assert len(re.findall(r"<\s*/?\s*notes\s*>", made.messages[-1]["content"], re.IGNORECASE)) == 2


def test_other_text_is_left_as_it_was_typed():
    said = "if a < b and <b>notes</b> & <notesy>: 1 <2"
    made = prompt.assemble(replace(told_in_english(), burst=[said]), **PLENTY)

    assert made.messages[-1]["content"].endswith(said)


def at(*moment):
    return datetime(*moment, tzinfo=UTC)


def whens(*moments):
    messages = [SaidMessage(is_user=True, text=str(number), at=moment) for number, moment in enumerate(moments)]
    [rendered] = window.render_steady_window(messages)
    return rendered["content"]


def test_tags_say_day_and_part_of_day_and_stand_at_each_change():
    assert whens(
        at(2026, 11, 22, 17, 40), at(2026, 11, 22, 17, 59), at(2026, 11, 22, 18, 0), at(2026, 11, 23, 18, 0)
    ) == (
        "<when>Sunday 22 November 2026, afternoon</when>\n0\n1\n"
        "<when>Sunday 22 November 2026, evening</when>\n2\n"
        "<when>Monday 23 November 2026, evening</when>\n3"
    )


@pytest.mark.parametrize(("seconds", "count"), [(2699, 1), (2700, 2)])
def test_a_tag_stands_after_a_long_silence(seconds, count):
    began = at(2026, 11, 22, 18, 0)

    assert whens(began, began + timedelta(seconds=seconds)).count("<when>") == count


def test_tags_do_not_age():
    messages = english().recent_messages
    before = window.render_steady_window(messages)
    later = replace(told_in_english(), now=NOW.astimezone(VIENNA) + timedelta(days=9))

    assert prompt.assemble(later, **PLENTY).messages[1:-1] == before


def long_told():
    return empty(
        has_story=True,
        has_notes_last=True,
        story=[StoryLine("happened", f"{number} {'y' * 38}") for number in range(5)],
        scenes=[SceneDigest(f"{number}", ago(VIENNA, days=1), ("z" * 36,)) for number in range(5)],
        line_recaps=[SaidMessage(is_user=True, text="w" * 34, at=NOW)] * 5,
        recent_messages=[SaidMessage(is_user=True, text="v" * 40, at=NOW) for _ in range(10)],
        sessions=[],
        user_thoughts=["u" * 40],
    )


def test_what_is_told_is_cut_last_and_the_window_stays_six_messages_long():
    order = []
    for budget in range(500, -1, -1):
        made = prompt.assemble(long_told(), budget=budget, context=128_000)
        order += [name for name in made.cut if name not in order]
        if "story" in made.cut and len(made.inputs.story) > 0:
            assert len(made.inputs.recent_messages) == fitting.MESSAGES_IN_NEED
        if len(made.inputs.recent_messages) < fitting.MESSAGES_IN_NEED:
            assert made.inputs.story == []

    assert order == ["user_thoughts", "line_recaps", "scenes", "recent_messages", "story"]
    assert prompt.assemble(long_told(), budget=0, context=128_000).inputs.recent_messages == []


def test_the_oldest_goes_first():
    made = prompt.assemble(long_told(), budget=200, context=128_000)

    kept = [point.text[0] for point in made.inputs.story]
    assert (kept, [scene.title for scene in made.inputs.scenes]) == (["0", "1", "2", "3", "4"], [])


def test_of_the_story_the_lightest_goes_first_and_a_persons_last():
    keys = [(True, 0, 0), (False, 0, 3), (False, 1, 0), (False, 0, 1), (False, 0, 1)]
    story = [StoryLine("happened", f"{at} {'y' * 38}", cut_key=key) for at, key in enumerate(keys)]
    left = []
    for budget in range(100, -1, -1):
        told = [
            line.text[0]
            for line in prompt.assemble(empty(has_story=True, story=story), budget=budget, context=128_000).inputs.story
        ]
        if told not in left:
            left.append(told)

    assert ["".join(told) for told in left] == ["01234", "0124", "012", "02", "0", ""]
