import json
from datetime import UTC, date, datetime

import pytest
from django.core.management import CommandError, call_command

from memory.evaluation.locomo import conversations as locomo
from memory.evaluation.locomo import suite as locomo_suite
from memory.evaluation.locomo import table as locomo_table
from memory.models import Message

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 21, tzinfo=UTC)
TOLD = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ana",
        "speaker_b": "Bo",
        "session_1_date_time": "4:04 pm on 20 January, 2023",
        "session_1": [
            {"speaker": "Ana", "dia_id": "D1:1", "text": "I bought a red kayak."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "How lovely!"},
        ],
        "session_2_date_time": "9:30 am on 3 March, 2023",
        "session_2": [{"speaker": "Bo", "dia_id": "D2:1", "text": "My grandmother plays the trumpet."}],
        "session_3_date_time": "9:30 am on 4 March, 2023",
    },
    "qa": [
        {"question": "What did Ana buy?", "evidence": ["D1:01"], "category": 1},
        {"question": "Who plays the trumpet?", "evidence": ["D2:1; D1:2", "D9:9"], "category": 4},
        {"question": "Who sings?", "evidence": [], "category": 4},
    ],
}


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "told.json"
    path.write_text(json.dumps([TOLD]))
    return path


def test_a_conversation_becomes_a_bond_with_its_sessions_and_days(file):
    [conversation] = locomo.load_conversations(file, now=NOW)

    lines = conversation.lines
    assert [(line.role, line.content, line.day) for line in lines] == [
        ("user", "I bought a red kayak.", date(2023, 1, 20)),
        ("persona", "How lovely!", date(2023, 1, 20)),
        ("persona", "My grandmother plays the trumpet.", date(2023, 3, 3)),
    ]
    assert len({line.session_id for line in lines}) == 2
    assert [(one.text, one.category, one.evidence) for one in conversation.questions] == [
        ("What did Ana buy?", 1, (lines[0].pk,)),
        ("Who plays the trumpet?", 4, (lines[2].pk, lines[1].pk)),
    ]


def test_the_figures_have_the_shape_of_the_contract(file):
    figures = locomo_suite.evaluate(file, now=NOW, say=lambda _: None)

    categories = {"1", "2", "3", "4", "5", "1-4", "all"}
    assert figures["n"] == 2
    for level in ("line", "session"):
        assert {depth: set(shares) for depth, shares in figures[level]["recall"].items()} == dict.fromkeys(
            ("5", "10", "20", "50"), categories
        )
    assert figures["line"]["recall"]["5"]["1-4"] == 1.0
    assert figures["line"]["mrr"] == 1.0
    assert set(figures["baselines"]) == {"dense", "bm25", "rrf"}
    assert figures["baselines"]["bm25"]["5"]["1"] == 1.0
    assert {depth: set(shares) for depth, shares in figures["line"]["hit"].items()} == dict.fromkeys(
        ("5", "10", "20", "50"), categories
    )
    assert set(figures["baselines"]["dense"]) == {"5", "10", "20", "50"}
    assert set(figures["memory"]["recall"]["10"]) == set(figures["turn"]["recall"]["6"]) == categories
    assert figures["memory"]["recall"]["10"]["1"] == 1.0
    assert figures["counts"] == {"1": 1, "4": 1}
    assert figures["questions"][0]["missed"] == []


def test_each_target_is_held_or_missed(file):
    figures = locomo_suite.evaluate(file, now=NOW, say=lambda _: None)
    figures["session"]["recall"]["10"]["1-4"] = 0.9499
    figures["memory"]["recall"]["10"]["1-4"] = figures["turn"]["recall"]["6"]["1-4"] = 0.76
    figures["baselines"]["dense"]["10"]["1-4"] = 0.68
    figures["baselines"]["bm25"]["10"]["1-4"] = 0.69

    assert locomo_table.format_counts(figures) == "2 questions: 1 of category 1, 1 of category 4"
    assert locomo_table.format_table(figures)[-8:] == [
        "lines @10, categories 1-4: 1.000  target >= 0.83  held",
        "lines @10 ahead of the best baseline, categories 1-4: 0.000  target >= 0.12  MISSED",
        "lines @10 ahead of the best baseline, category 1: 0.000  target >= 0.08  MISSED",
        "lines @10 ahead of the best baseline, category 3: 0.000  target >= 0.08  MISSED",
        "memories @10 ahead of bm25, categories 1-4: 0.070  target >= 0.08  MISSED",
        "memories @10 ahead of dense, categories 1-4: 0.080  target >= 0.08  held",
        "lines told in a turn @6, categories 1-4: 0.760  target >= 0.76  held",
        "talks @10, categories 1-4: 0.950  target >= 0.95  MISSED",
    ]


@pytest.mark.parametrize(("value", "held"), [(0.12, True), (0.1199, False)])
def test_a_target_that_is_just_reached_is_held(value, held):
    assert locomo_table.JudgedFigure("lines", 0.5 + value - 0.5, 0.12).is_held is held


def test_each_message_that_is_not_found_is_told():
    questions = [{"question": "Who?", "category": 1, "missed_lines": ["I did.", "Me too."]}, {"missed_lines": []}]

    assert list(locomo_table.format_misses(questions)) == [
        "category 1: Who?  does not find: I did.",
        "category 1: Who?  does not find: Me too.",
    ]


def test_messages_deeper_than_asked_for_are_not_found(file):
    [conversation] = locomo.load_conversations(file, now=NOW)
    first, second, third = Message.objects.order_by("id").values_list("pk", flat=True)
    question = locomo.LocomoQuestion("?", 2, (first, third))
    talks = {line.pk: line.session_id for line in conversation.lines}
    asked = locomo_suite.LocomoResult(question, {"words": [second, third, first]}, talks, {})

    assert locomo_suite.compute_shares([asked], by="words", depth=2)["2"] == 0.5
    assert [locomo_suite.compute_hits([asked], by="words", depth=depth)["2"] for depth in (1, 2)] == [0.0, 1.0]
    assert locomo_suite.compute_shares([asked], by="words", depth=3)["1-4"] == 1.0
    assert locomo_suite.find_first_place(asked, by="words") == 2
    assert locomo_suite.find_first_place(locomo_suite.roll_up_to_sessions(asked), by="words") == 1


def test_a_missing_file_is_told(tmp_path):
    with pytest.raises(CommandError, match="is not there; name a file with --data"):
        call_command("evaluate", "locomo", data=tmp_path / "none.json")
