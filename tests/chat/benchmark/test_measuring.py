import pytest
from django.core.management import CommandError, call_command
from django.db import close_old_connections

from chat.benchmark import measuring
from chat.benchmark.measuring import Plan
from chat.benchmark.parts import facts
from chat.benchmark.seeding import Scale
from memory.models import ConceptNode


@pytest.mark.django_db(transaction=True)
def test_figures_of_small_data(tmp_path, monkeypatch):
    # The measured threads return their connections.
    monkeypatch.setattr("channels.db.close_old_connections", close_old_connections)
    said = []
    plan = Plan(
        folder=tmp_path,
        scale=Scale(nodes=30, bonds=4, messages=80),
        runs=5,
        turns=1,
        conversations=1,
        say=said.append,
        parts=measuring.SEEDED,
    )

    found = measuring.measure(plan)

    assert [(figure.name, figure.unit, figure.runs) for figure in found.figures] == [
        ("turn overhead, p50", "ms", 5),
        ("turn overhead, p95", "ms", 5),
        ("turn overhead without embedding, p50", "ms", 5),
        ("turn overhead without embedding, p95", "ms", 5),
        ("turn overhead, queries", "queries", 1),
        ("turn overhead, a burst of 300 words, p50", "ms", 5),
        ("growth from 30 to 30 memories", "times", 5),
        ("consolidation", "sessions/s", 5),
        ("search over 80 lines, Latin words, p95", "ms", 5),
        ("search over 80 lines, Chinese words, p95", "ms", 5),
        ("recall among 30 memories, p50", "ms", 5),
        ("recall among 80 lines, p50", "ms", 5),
        ("signals of a line, p95", "ms", 244),
        ("knowing, added to a turn, p50", "ms", 5),
        ("a wider look, added to a turn, p50", "ms", 5),
        ("a wider look", "statements", 1),
        ("turn with knowing, queries", "queries", 1),
        ("first turn with knowing, queries", "queries", 1),
    ]
    assert all(figure.value > 0 for figure in found.figures if "added" not in figure.name)
    assert found.side_by_side == []
    assert said[-3:] == ["Measuring: search", "Measuring: recall", "Measuring: mind"]


@pytest.mark.django_db(transaction=True)
def test_figures_of_facts(tmp_path, monkeypatch):
    monkeypatch.setattr("channels.db.close_old_connections", close_old_connections)
    monkeypatch.setattr(facts, "LIVE_MOST", 20)
    monkeypatch.setattr(facts, "NOTED_FACTS", 10)
    scale = Scale(nodes=30, bonds=4, messages=80)
    plan = Plan(folder=tmp_path, scale=scale, runs=5, turns=1, conversations=1, say=[].append, parts=["facts"])

    found = measuring.measure(plan)

    assert [(figure.name, figure.unit, figure.runs) for figure in found.figures] == [
        ("loaded set of 20 facts, p95", "ms", 5),
        ("one write without embedding, p95", "ms", 5),
        ("one write, statements", "statements", 1),
        ("rules on 20000 characters, p95", "ms", 5),
        ("decay of 30 facts", "s", 1),
        ("turn beside facts, queries", "queries", 1),
        ("first turn of a session, queries", "queries", 1),
    ]
    assert all(figure.held for figure in found.figures if figure.unit == "statements")
    assert ConceptNode.objects.facts().count() == 20 + 10 + 30


@pytest.mark.parametrize("wrong", [{"runs": 4}, {"nodes": 0}, {"bonds": 0}, {"lines": 0}, {"turns": 0}])
def test_wrong_scale_is_refused(wrong):
    with pytest.raises(CommandError, match="--runs must be 5 or more, all other numbers 1 or more"):
        call_command("benchmark", **wrong)


def test_unknown_parts_are_refused():
    with pytest.raises(
        CommandError,
        match="There is no part speed; choose of turns, consolidation, search, recall, mind, facts, sockets",
    ):
        call_command("benchmark", "speed")
