from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from chat.management.commands import evaluate
from echovessel.llm import provider
from echovessel.llm.errors import ModelRefusedError
from memory.evaluation.stories import suite as stories_suite
from memory.evaluation.tally import Evaluated
from memory.models import ConceptNode
from personas.models import Bond, Persona
from tests.memory.evaluation.stories import small
from tests.support.fakes import FakeLLM

pytestmark = pytest.mark.django_db


def run(*, live=None, stories=None):
    said: list[str] = []
    made = stories_suite.evaluate(
        offline=provider.get_fallback_llm(), live=live, say=said.append, stories=stories or [small()]
    )
    return made, said


def test_story_is_told_asked_about_and_counted():
    made, said = run()

    assert said == ["Telling small (1 of 1)"]
    assert {figure["name"]: figure["value"] for figure in made.figures} == {
        "factual recall F1": 1.0,
        "emotional peak retention": 1.0,
        "over-recall": 0.0,
        "deletion compliance": 1.0,
        "alias recall": 1.0,
        "dated recall": 1.0,
        "things as they stand": 1.0,
        "offline peak retention": 1.0,
        "offline false peaks": 0.0,
    }
    assert made.misses == []


def test_each_miss_is_told_with_its_story():
    changes = {
        "questions": [
            {"ask": "Which ferry office?", "find": ["gran"], "by": "fact"},
            {"ask": "Tides?", "find": ["gran"], "by": "peak"},
        ],
        "forgets": [],
        "unrelated": ["flowerpot"],
        "ends": {"same": [["Yiyang", "Contoso"]], "different": [], "states": {"gran": "superseded"}},
    }

    made, _ = run(stories=[small(**changes)])

    key = "The user's spare key is under the blue flowerpot. | The spare key is under the blue flowerpot."
    assert made.misses == [
        "factual recall F1 en  small: Which ferry office?  does not find gran",
        "factual recall F1 en  small: Which ferry office?  brings: The user's sister Yiyang starts work at the ferry office on 3 March.",
        "emotional peak retention en  small: gran is not found by Tides?",
        f"over-recall en  small: flowerpot  brings: {key}",
        "things as they stand en  small: ['Yiyang', 'Contoso'] are not one",
        "things as they stand en  small: gran is live, not superseded",
    ]


def test_runs_leave_one_bond_for_each_telling():
    run()
    run()

    assert Bond.objects.count() == Persona.objects.count() == 2
    assert ConceptNode.objects.filter(description="The user works at Northwind.", state="superseded").count() == 1


def test_live_needs_a_model_server():
    with pytest.raises(CommandError, match="--live needs a model server"):
        call_command("evaluate", live=True)


def said_by_a_model(**changes):
    gran = {"description": "The user lost her grandmother.", "emotional_impact": -8, "source_lines": [2]}
    answers = {
        "extraction": {"events": [gran]},
        "reflection": {"thoughts": []},
        "slow_tick": {},
        "judge": {"found": [1], "beside": []},
    }
    return FakeLLM(answers=answers | changes)


def test_live_figures_are_reported_without_a_target():
    made, _ = run(live=said_by_a_model(), stories=[small(unrelated=["hi"], questions=small().questions[:1])])

    assert [(figure["name"], figure["target"], figure["held"]) for figure in made.figures] == [
        (name, None, None)
        for name in (
            "factual recall F1",
            "over-recall",
            "deletion compliance",
            "live peak retention",
            "live false peaks",
        )
    ]


def test_session_that_is_not_consolidated_is_told():
    made, _ = run(
        live=said_by_a_model(extraction=ModelRefusedError("Too expensive.")), stories=[small(questions=[], forgets=[])]
    )

    assert [miss for miss in made.misses if miss.startswith("failed talks")] == [
        "failed talks en  small: 02 March Too expensive.",
        "failed talks en  small: 04 March Too expensive.",
    ]


def test_command_shows_the_misses_then_each_figure():
    shown = StringIO()
    figures = [
        {"name": "alias recall", "lang": "en", "value": 0.95, "target": ">= 0.9", "held": True},
        {"name": "dated recall", "lang": "zh", "value": 0.5, "target": ">= 0.9", "held": False},
        {"name": "live false peaks", "lang": "en", "value": 0.25, "target": None, "held": None},
    ]

    evaluate.Command(stdout=shown).show(Evaluated(figures, ["dated recall zh  a story: a question"]))

    assert shown.getvalue().splitlines() == [
        "  missed  dated recall zh  a story: a question",
        "alias recall                                   en  0.950  target >= 0.9  held",
        "dated recall                                   zh  0.500  target >= 0.9  MISSED",
        "live false peaks                               en  0.250  reported",
    ]
