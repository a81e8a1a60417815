from collections import Counter

import pytest
import yaml

from echovessel.text import CJK_CHARACTER
from memory.evaluation.narrating import lives
from memory.evaluation.narrating import suite as narrating_suite
from memory.evaluation.narrating.lives import LifeQuestion
from memory.evaluation.narrating.suite import NarratingResult
from memory.models import ConceptNode, Entity, Message

LIVES = lives.load_all()
SMALL = {
    "half": "development",
    "lang": "en",
    "user": "Mara",
    "persona": "Ada",
    "now": "2026-06-01",
    "told": [
        {
            "id": "cat",
            "day": "2026-03-02",
            "said": "I have a white cat called Nimbus.",
            "reply": "A white cat.",
            "memory": "Mara has a white cat called Nimbus.",
            "impact": 4,
            "names": {"Nimbus": "pet"},
        },
        {"id": "tea", "day": "2026-03-02", "said": "Now I make tea.", "reply": "Enjoy it."},
    ],
    "messages": [{"say": "Nimbus the white cat is ill.", "find": ["cat"]}, {"say": "hi", "find": []}],
    "days": [{"say": "What did we talk about on 2 March?", "find": ["cat", "tea"]}],
    "wishes": [],
}


def small():
    return lives.Life.model_validate(yaml.safe_load(yaml.safe_dump(SMALL)))


def test_half_of_the_lives_are_chinese():
    assert Counter((life.half, life.lang) for life in LIVES.values()) == {
        ("development", "en"): 8,
        ("development", "zh"): 8,
        ("judged", "en"): 3,
        ("judged", "zh"): 3,
    }


@pytest.mark.parametrize("name", LIVES)
def test_life_has_all_that_is_asked_of_one(name):
    life = LIVES[name]
    with_none = [one for one in life.messages if not one.find]

    assert (len(life.messages), len(with_none), len(life.days), len(life.wishes)) == (30, 10, 6, 4)
    assert all(len(one.find) <= 5 for one in life.messages)


@pytest.mark.parametrize("name", LIVES)
def test_messages_are_as_long_as_people_narrate(name):
    life = LIVES[name]
    lengths = [
        len(CJK_CHARACTER.findall(one.say)) if life.lang == "zh" else len(one.say.split())
        for one in (*life.messages, *life.long_messages)
    ]

    assert min(lengths) >= 40
    assert 150 <= max(lengths) <= 320


@pytest.mark.parametrize("name", LIVES)
def test_messages_of_several_subjects_begin_with_one_that_bears_on_something(name):
    asked = LIVES[name].messages

    assert [bool(asked[parts[0]].find) for parts in lives.PARTS] == [True] * 4


def test_what_was_not_told_cannot_be_wanted():
    with pytest.raises(ValueError, match="Nothing is told as dog"):
        lives.Life.model_validate(SMALL | {"messages": [{"say": "Where is it?", "find": ["dog"]}]})


@pytest.mark.django_db
def test_a_life_is_written_with_its_memories_and_people():
    lived = lives.write(small())

    assert list(Message.objects.order_by("id").values_list("content", flat=True)) == [
        "I have a white cat called Nimbus.",
        "A white cat.",
        "Now I make tea.",
        "Enjoy it.",
    ]
    node = ConceptNode.objects.get()
    assert [source.pk for source in node.source_messages.all()] == [lived.messages["cat"]]
    assert [entity.canonical_name for entity in Entity.objects.filter(mentions__node=node)] == ["Nimbus"]


@pytest.mark.django_db
def test_what_is_brought_to_mind_is_counted(tmp_path, monkeypatch):
    monkeypatch.setattr(lives, "load_all", lambda: {"small": small()})
    monkeypatch.setattr(lives, "PARTS", ())

    evaluated = narrating_suite.evaluate(say=lambda line: None)

    values = {one["name"]: one["value"] for one in evaluated.figures if "among 10" not in one["name"]}
    assert values == {
        "development, memories among the kept": 1.0,
        "development, messages told": 1.0,
        "development, days: memories among the kept": 0.0,
        "development, days: messages told": 1.0,
        "development, nothing where nothing bears": 1.0,
    }
    assert [miss for miss in evaluated.misses if "Nimbus" in miss] == []


@pytest.mark.django_db
@pytest.mark.parametrize(("half", "shown"), [("development", True), ("judged", False)])
def test_misses_of_what_judges_are_not_told(half, shown, monkeypatch):
    life = small().model_copy(update={"half": half, "messages": []})
    monkeypatch.setattr(lives, "load_all", lambda: {"small": life})
    monkeypatch.setattr(lives, "PARTS", ())

    evaluated = narrating_suite.evaluate(say=lambda line: None)

    assert bool(evaluated.misses) == shown


def answer(**changes):
    told = {
        "life": "small",
        "lang": "en",
        "half": "judged",
        "kind": "",
        "asked": LifeQuestion(say="Well.", find=["a", "b"]),
    }
    return NarratingResult(**(told | {"kept": [], "told": [], "known": [], "given": 0, "baselines": {}} | changes))


@pytest.mark.parametrize(("lang", "kept", "held"), [("en", ["a", "b"], True), ("en", ["a"], False)])
def test_judged_figures_are_held_or_missed(lang, kept, held):
    found = list(narrating_suite.build_figures([answer(lang=lang, kept=kept)], half="judged"))

    assert found[0] == {
        "name": "judged, memories among the kept",
        "lang": "en",
        "value": len(kept) / 2,
        "target": ">= 0.65",
        "held": held,
    }


def test_a_standing_wish_may_stand_in_the_prompt_as_a_fact():
    found = narrating_suite.build_figures([answer(kind="wishes", kept=["a"], known=["b", "c"])], half="judged")

    assert {one["name"]: one["value"] for one in found}[f"judged, {narrating_suite.WISHES_HEARD}"] == 1.0


def test_figures_for_development_have_no_target():
    [first, *_] = narrating_suite.build_figures([answer(half="development")], half="development")

    assert (first["target"], first["held"]) == (None, None)


def test_chinese_behind_english_is_a_figure():
    answers = [answer(kept=["a", "b"], told=["a"]), answer(lang="zh", kept=["a"], told=["a"])]

    *_, gap = narrating_suite.build_figures(answers, half="judged")

    assert (gap["name"], gap["value"], gap["held"]) == ("judged, worst gap between zh and en", 0.5, False)


def test_misses_say_what_is_lacking_and_what_is_too_much():
    brings = answer(asked=LifeQuestion(say="Nothing much.", find=[]), kept=["a"], told=["b"], given=2)

    assert [*narrating_suite.format_misses(answer(kept=["a"])), *narrating_suite.format_misses(brings)] == [
        "small, judged: Well.  a is not among the messages told",
        "small, judged: Well.  b is not among the memories among the kept and the messages told",
        "small, judged: Nothing much.  brings a, b",
    ]
