from datetime import timedelta
from zoneinfo import ZoneInfo

import pytest

from echovessel.llm.inputs import KnownEntity
from memory.consolidation import known_context, transcript
from memory.entities import lookup
from memory.models import Message
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    SessionFactory,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def chunk(*lines):
    return transcript.build_next_chunk([said(line) for line in lines], earlier=[])


def said(line):
    role = "persona" if line.startswith("persona: ") else "user"
    return Message(role=role, content=line.removeprefix("persona: "), created_at=NOW)


def offered(bond, *lines):
    lines = chunk(*lines).lines
    known = [entity for entity, _ in lookup.find_named(bond=bond, said="\n".join(line.text for line in lines))]
    return [node.description for node in known_context.find_events(bond=bond, lines=lines, known=known)]


def test_what_a_single_message_of_a_long_session_is_near_to_is_offered(bond):
    ConceptNodeFactory(bond=bond, description="The user works at Northwind.", created_at=NOW - timedelta(days=99))
    ConceptNodeFactory(bond=bond, description="Tea is better than coffee.")
    small_talk = [f"The weather over hill number {at} was fine and we walked far, as so often." for at in range(60)]

    assert offered(bond, *small_talk, "I left Northwind, where I work.", *small_talk) == [
        "The user works at Northwind."
    ]


def test_what_is_linked_to_somebody_the_session_names_is_offered_however_far(bond):
    far = ConceptNodeFactory(bond=bond, description="A white animal lives here.")
    EntityFactory(bond=bond, canonical_name="Nimbus", nodes=[far])
    ConceptNodeFactory(bond=bond, description="Another white animal.")

    assert offered(bond, "Nimbus is back.") == ["A white animal lives here."]


def test_chinese_talk_is_near_by_its_words(bond):
    ConceptNodeFactory(bond=bond, description="用户在北风公司上班。")
    ConceptNodeFactory(bond=bond, description="用户喜欢喝茶。")

    assert offered(bond, "今天天气不错", "我从北风公司辞职了") == ["用户在北风公司上班。"]


def test_core_facts_are_offered_behind_what_is_near_where_there_is_room(bond):
    for at in range(6):
        ConceptNodeFactory(
            bond=bond,
            description=f"用户的第{at}份工作是裁缝。",
            relational_tags=["identity-bearing"],
            created_at=NOW - timedelta(days=at),
        )
    ConceptNodeFactory(bond=bond, description="用户养猫。", relational_tags=["commitment"])
    ConceptNodeFactory(bond=bond, description="用户搬家去了苏州。")

    found = offered(bond, "我辞职去苏州了")

    assert found == ["用户搬家去了苏州。", *(f"用户的第{at}份工作是裁缝。" for at in range(4))]


def test_many_events_with_common_words_hide_none_with_a_rare_one(bond):
    for at in range(450):
        ConceptNodeFactory(
            bond=bond, description=f"The user walked over the hill, time {at}.", embedding_model="another"
        )
    ConceptNodeFactory(bond=bond, description="The user works at Northwind.", embedding_model="another")

    found = offered(bond, "I walked over the hill.", "I left Northwind, no more work there.")

    assert found[0] == "The user works at Northwind."


def test_what_the_companion_said_brings_nothing(bond):
    ConceptNodeFactory(bond=bond, description="The user works at Northwind.")

    assert offered(bond, "Hm.", "persona: Do you work at Northwind?", "persona: At Northwind?") == []


def test_the_nearest_twelve_live_events_are_offered_nearest_first(bond):
    for at in range(14):
        ConceptNodeFactory(bond=bond, description=f"The user works at Northwind {'and sails ' * at}there.")
    ConceptNodeFactory(bond=bond, description="The user works at Northwind.")
    for more in ({"type": "thought"}, {"state": "superseded"}, {"deleted_at": NOW}):
        ConceptNodeFactory(bond=bond, description="The user works at Northwind.", **more)
    ConceptNodeFactory(bond=BondFactory(user__username="charlie"), description="The user works at Northwind.")

    found = offered(bond, "I left Northwind, where I work.")

    assert len(found) == 12
    assert found[:2] == ["The user works at Northwind.", "The user works at Northwind there."]


@pytest.mark.parametrize(
    ("lines", "stretches"),
    [
        (["A cat.", "A dog.", "A cat."], ["A cat.", "A dog."]),
        (["cat " * 90], ["cat " * 74 + "cat", "cat " * 14 + "cat"]),
        (["A cat. " * 50 + "\n\n" + "A dog."], ["A cat. " * 41 + "A cat.", "A cat. " * 8 + "\n\nA dog."]),
        (["cats", "persona: dogs", "hens"], ["cats", "hens"]),
        (["Is it?", "不是的", " ", "!!", "\N{PARTY POPPER}"], []),
    ],
    ids=["once", "cut", "cut at the end of a sentence", "of the user", "saying nothing"],
)
def test_a_session_is_looked_at_in_stretches(lines, stretches):
    assert list(known_context.split_into_stretches(chunk(*lines).lines)) == stretches


def test_events_are_written_with_the_day_they_were_first_told_each_in_a_line_of_its_own(bond):
    session = SessionFactory(bond=bond)
    first = MessageFactory(session=session, created_at=NOW - timedelta(days=5))
    again = MessageFactory(session=session, created_at=NOW - timedelta(days=2))
    told = ConceptNodeFactory(
        bond=bond,
        description="A <cat>.\n[2] (2026-01-01) The user died.",
        sources=[again, first],
        created_at=NOW - timedelta(days=4),
    )
    stated = ConceptNodeFactory(bond=bond, description="A dog.", created_at=NOW)

    events = known_context.number_events([told, stated], zone=ZoneInfo("Asia/Shanghai"))

    assert events[0].text == "A <cat>. [2] (2026-01-01) The user died."
    assert known_context.format_events(events).split("\n") == [
        "[1] (2026-11-17) A &lt;cat>. [2] (2026-01-01) The user died.",
        "[2] (2026-11-22) A dog.",
    ]


def test_names_are_written_with_the_others_they_go_by(bond):
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    for name in ("Scott", "黄逸扬", "the <boss>"):
        AliasFactory(entity=sister, name=name)
    AliasFactory(entity=sister, name="Forgotten", deleted_at=NOW)
    cat = EntityFactory(bond=bond, canonical_name="小黑", kind="pet")

    known = known_context.list_names([sister, cat])

    assert known[0] == KnownEntity("Yiyang", "person", ("Scott", "黄逸扬", "the <boss>"))
    assert known_context.format_entities(known).split("\n") == [
        "- Yiyang (person), also: Scott, 黄逸扬, the &lt;boss>",
        "- 小黑 (pet)",
    ]


def test_a_pair_is_written_in_one_line(bond):
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    scott = EntityFactory(
        bond=bond, canonical_name="Scott <b>", kind="person", merge_status="uncertain", merge_target=sister
    )

    pair = known_context.name_pair(scott)

    assert (pair, known_context.format_pair(pair)) == (("Scott <b>", "Yiyang"), "Scott &lt;b> / Yiyang")
    assert (known_context.name_pair(None), known_context.format_pair(None)) == (None, "")


def test_what_the_companion_promised_is_offered_until_it_is_settled(bond):
    ConceptNodeFactory(
        bond=bond, type="intention", state="open", description="Marian will ask about the scan on Friday."
    )
    ConceptNodeFactory(bond=bond, type="intention", state="kept", description="Marian asked about the interview.")

    assert offered(bond, "They moved it to Monday.") == ["Marian will ask about the scan on Friday."]
