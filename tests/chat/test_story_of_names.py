"""One person under three names, from the first message to recall; and two who are never one."""

from datetime import timedelta

import pytest

from memory.entities import merging
from memory.models import ConceptNode, Entity, EntityMerge
from memory.recall import memories
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.talking import close, say
from tests.support.talks import event, extraction, thoughts

pytestmark = pytest.mark.django_db
QUESTION = "# Something to clear up"
EVENTS = {
    "Yiyang": "The user's sister Yiyang moved to Bergen.",
    "Scott": "Scott found work at the harbour.",
    "黄逸扬": "黄逸扬下个月结婚。",
}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def talk(bond, *lines, day, **answer):
    """A session of these messages on a day, closed and consolidated.

    Returns the prompts of its replies and its extraction.
    """
    now = NOW + timedelta(days=day)
    llm = FakeLLM(
        *["I see."] * len(lines), answers={"extraction": extraction(**answer), "reflection": [thoughts()] * 9}
    )
    for at, message in enumerate(lines):
        say(bond, message, now=now + timedelta(minutes=at), llm=llm)
    session = close(bond, now=now + timedelta(hours=1), llm=llm)
    assert session.status == "closed"
    replies = [call.text for call in llm.calls if call.feature == "reply"]
    [extracted] = [call.text for call in llm.calls if call.feature == "extraction"]
    return replies, extracted


def told(name, *, lines=(1,)):
    return event(EVENTS[name], lines=lines)


def person(name, *aliases):
    return {"canonical_name": name, "kind": "person", "aliases": list(aliases)}


def names(entity):
    return list(entity.aliases.filter(deleted_at=None).order_by("id").values_list("name", flat=True))


def recalled(bond, name):
    found = memories.search(bond=bond, query=f"{name}?", vector=None, now=NOW + timedelta(days=20))
    return {item.node.description for item in found.kept}


def story(bond, **cleared_up):
    """Until the two names are merged. The question is in one prompt of the session only."""
    talk(
        bond,
        "My sister Yiyang moved to Bergen.",
        "It rains there.",
        "I miss her.",
        day=0,
        events=[told("Yiyang")],
        mentioned_entities=[person("Yiyang")],
    )
    supposed = {"a": "Scott", "b": "Yiyang", "stated_in": None}
    replies, extracted = talk(
        bond,
        "Scott found work at the harbour.",
        "With ships.",
        "Good for Scott.",
        day=3,
        events=[told("Scott")],
        mentioned_entities=[person("Scott")],
        possible_same=[supposed],
    )
    assert not any(QUESTION in text for text in replies)
    assert "<uncertain_pair>\n(none)\n" in extracted
    replies, extracted = talk(
        bond,
        "Scott called me today.",
        "He sounded happy, Scott did.",
        "Scott is what everyone calls Yiyang.",
        day=5,
        **cleared_up,
    )
    # Not first thing after two days of silence.
    assert [text.count(QUESTION) for text in replies] == [0, 1, 0]
    assert "<uncertain_pair>\nScott / Yiyang\n" in extracted
    return Entity.objects.order_by("id")


STATED = {"possible_same": [{"a": "Scott", "b": "Yiyang", "stated_in": 5}]}
CLARIFIED = {"entity_clarification": {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": True}}


@pytest.mark.parametrize(("cleared_up", "by"), [(STATED, "stated"), (CLARIFIED, "clarified")])
def test_my_sister_and_scott_and_a_chinese_name_are_one(bond, cleared_up, by):
    yiyang, _ = story(bond, **cleared_up)
    assert (names(yiyang), EntityMerge.objects.get().decided_by) == (["Yiyang", "Scott"], by)

    replies, extracted = talk(
        bond,
        "黄逸扬下个月结婚。",
        "就是Yiyang的中文名字。",
        "Scott 也请我了。",
        day=8,
        events=[told("黄逸扬")],
        mentioned_entities=[person("Yiyang", "黄逸扬")],
    )

    assert not any(QUESTION in text for text in replies)
    assert "- Yiyang (person), also: Scott" in extracted
    assert names(yiyang) == ["Yiyang", "Scott", "黄逸扬"]
    assert list(Entity.objects.not_deleted_or_merged()) == [yiyang]
    assert [recalled(bond, name) for name in ("Yiyang", "SCOTT", "黄逸扬")] == [set(EVENTS.values())] * 3


def test_two_that_were_made_one_are_two_again(bond):
    yiyang, scott = story(bond, **STATED)

    merging.undo(merge=EntityMerge.objects.get(), now=NOW)

    assert (names(yiyang), names(scott)) == (["Yiyang"], ["Scott"])
    assert [recalled(bond, name) for name in ("Yiyang", "Scott")] == [{EVENTS["Yiyang"]}, {EVENTS["Scott"]}]


def test_what_is_different_is_asked_no_more(bond):
    answer = {"entity_clarification": {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": False}}
    story(bond, **answer)
    again = {"possible_same": [{"a": "Yiyang", "b": "Scott", "stated_in": None}]}

    replies, extracted = talk(bond, "Scott and Yiyang met.", "At last.", "They like each other.", day=9, **again)
    later, _ = talk(bond, "Scott wrote.", "Yiyang too.", "Both today.", day=12)

    assert not any(QUESTION in text for text in replies + later)
    assert "<uncertain_pair>\n(none)\n" in extracted
    assert {one.merge_status for one in Entity.objects.all()} == {"confirmed"}


@pytest.mark.parametrize("backend", ["hash", "onnx"])
def test_chen_jing_and_liu_yang_are_never_one_nor_the_deaths_of_two_parents(bond, settings, backend):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = backend, "bundled"
    deaths = ["用户的妈妈去年去世了。", "用户的爸爸去年去世了。"]
    talk(
        bond,
        "陈静和我妈妈是同事。",
        "我妈妈去年去世了。",
        "陈静来看我。",
        day=0,
        events=[event(deaths[0], impact=-9, lines=(3,))],
        mentioned_entities=[person("陈静"), person("妈妈")],
    )
    talk(
        bond,
        "刘洋认识我爸爸。",
        "我爸爸去年去世了。",
        "刘洋来看我。",
        day=1,
        events=[event(deaths[1], impact=-9, lines=(3,))],
        mentioned_entities=[person("刘洋"), person("爸爸")],
    )

    assert [
        (one.canonical_name, names(one), one.merge_status)
        for one in Entity.objects.not_deleted_or_merged().order_by("id")
    ] == [(name, [name], "confirmed") for name in ("陈静", "妈妈", "刘洋", "爸爸")]
    assert [(node.description, node.mention_count) for node in ConceptNode.objects.events().order_by("id")] == [
        (death, 1) for death in deaths
    ]
