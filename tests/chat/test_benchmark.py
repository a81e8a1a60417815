import pytest
from django.core.management import CommandError, call_command

from chat import benchmark
from personas.models import Bond


@pytest.mark.django_db(transaction=True)
def test_figures_of_small_data():
    figures = benchmark.measure(nodes=30, lines=80, runs=5)
    again = benchmark.seeded_bond(nodes=30, lines=80, now=None)

    assert [(figure.name, figure.unit, figure.runs) for figure in figures] == [
        ("turn overhead, p50", "ms", 5),
        ("turn overhead, p95", "ms", 5),
        ("turn overhead without embedding, p50", "ms", 5),
        ("turn overhead without embedding, p95", "ms", 5),
        ("turn overhead, queries", "queries", 1),
        ("growth from 1000 to 30 nodes", "times", 5),
        ("consolidation without model and embedding", "sessions/s", 5),
    ]
    assert all(figure.value > 0 for figure in figures)
    assert again == Bond.objects.get(pk=again.pk)
    assert Bond.objects.count() == 2


@pytest.mark.parametrize("wrong", [{"runs": 4}, {"nodes": 0}, {"lines": 0}])
def test_wrong_scale_is_refused(wrong):
    with pytest.raises(CommandError, match="--runs must be 5 or more, --nodes and --lines 1 or more"):
        call_command("benchmark", **wrong)
