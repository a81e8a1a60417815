from datetime import date

import pytest

from echovessel.materials import Material, Passage, parse
from tests.echovessel.materials.files import as_json, conversation, said, zipped

NOON = 1_700_000_000  # 14 November 2023
DAY = 86_400


def test_conversations_are_read_by_day():
    talk = conversation(
        said("a", "root", "user", "My mill stands still.", NOON),
        said("b", "a", "assistant", "Why?", NOON + 5),
        said("c", "b", "user", "No water.", NOON + DAY),
        current_node="c",
    )
    other = conversation(said("a", "root", "user", "小黑 slept.", NOON), title="Cat", current_node="a")

    material = parse("conversations.json", as_json([talk, other]))

    passages = [
        Passage("User: My mill stands still.\n\nAssistant: Why?", date(2023, 11, 14), "Bread"),
        Passage("User: No water.", date(2023, 11, 15), "Bread"),
        Passage("User: 小黑 slept.", date(2023, 11, 14), "Cat"),
    ]
    assert material == Material("chatgpt", "\n\n".join(passage.text for passage in passages), passages)


def test_the_branch_shown_last_is_read_and_no_other():
    talk = conversation(
        said("a", "root", "user", "Say it.", NOON),
        said("b", "a", "assistant", "First try.", NOON + 1),
        said("c", "a", "assistant", "Second try.", NOON + 2),
        current_node="c",
    )

    assert parse("a.json", as_json([talk])).text == "User: Say it.\n\nAssistant: Second try."


def test_without_a_branch_lines_come_in_the_order_of_time():
    talk = conversation(
        said("b", "a", "assistant", "Second.", NOON + 1), said("a", "root", "user", "First.", NOON), current_node="?"
    )

    assert parse("a.json", as_json([talk])).text == "User: First.\n\nAssistant: Second."


@pytest.mark.parametrize(
    "changes",
    [
        {"author": {"role": "system"}},
        {"author": {"role": "tool"}},
        {"author": None},
        {"metadata": {"is_visually_hidden_from_conversation": True}},
        {"content": {"content_type": "code", "text": "1"}},
        {"content": {"content_type": "text", "parts": None}},
        {"content": {"content_type": "multimodal_text", "parts": [{"asset_pointer": "x"}]}},
        {"content": "text"},
    ],
)
def test_what_nobody_said_is_left_out(changes):
    talk = conversation(
        said("a", "root", "user", "Rain.", NOON),
        said("b", "a", "user", "Not said.", NOON, **changes),
        current_node="b",
    )

    assert parse("a.json", as_json([talk])).text == "User: Rain."


@pytest.mark.parametrize("at", [None, "soon", True, [1], 1e300, -5, "NaN", 10**400])
def test_a_time_that_is_none_leaves_the_day_of_the_conversation(at):
    talk = conversation(said("a", "root", "user", "Rain.", at), current_node="a", create_time=NOON)

    assert parse("a.json", as_json([talk])).dated == [Passage("User: Rain.", date(2023, 11, 14), "Bread")]


def test_a_circle_of_parents_ends():
    talk = conversation(said("a", "b", "user", "One.", NOON), said("b", "a", "user", "Two.", NOON), current_node="b")

    assert parse("a.json", as_json([talk])).text == "User: One.\n\nUser: Two."


@pytest.mark.parametrize(
    "odd", [None, 3, "x", [], {"mapping": []}, {"mapping": {"a": None}}, {"mapping": {"a": {"message": 3}}}]
)
def test_an_odd_conversation_loses_none_of_the_others(odd):
    talk = conversation(said("a", "root", "user", "Rain.", NOON), current_node="a")

    assert parse("a.json", as_json([talk, odd])).text == "User: Rain."


def test_the_zip_is_read_in_all_its_parts():
    first, second = (
        as_json([conversation(said("a", "root", "user", text, NOON), current_node="a")]) for text in ("One.", "Two.")
    )

    material = parse(
        "export.zip",
        zipped(**{"conversations-000__json": first, "conversations-001__json": second, "user__json": "{}"}),
    )

    assert material.text == "User: One.\n\nUser: Two."
