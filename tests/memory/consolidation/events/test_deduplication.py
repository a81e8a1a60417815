import math
from datetime import date, timedelta

import pytest

from echovessel.models import BondEvent
from memory.answers.schemas import EntityAnswer, EventAnswer
from memory.consolidation.events import deduplication
from memory.consolidation.parse_answer import ExtractedEvent
from memory.models import ConceptNode, Mention
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.talks import CAT, event, extraction, remember, step

pytestmark = pytest.mark.django_db

SAID = "The user moved to Berlin."
SAME = [1.0] + [0.0] * 383
FRIDAY = {"start": "2026-11-27", "end": "2026-11-27"}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def at_relevance(relevance):
    cosine = 1 - 2 * (1 - relevance) ** 2
    return [cosine, math.sqrt(1 - cosine**2)] + [0.0] * 382


def known(bond, description=SAID, **more):
    return ConceptNodeFactory(
        **{"bond": bond, "embedding": SAME, "embedding_model": "hash"} | more, description=description
    )


def said_before(bond, description=SAID, *, vector=SAME, named=(), now=NOW, supersedes=(), **more):
    told = EventAnswer(**{"description": description, "emotional_impact": 0} | more)
    named = [EntityAnswer(**entity) for entity in named]
    found = ExtractedEvent(index=0, key="", event=told, sources=[], supersedes=list(supersedes), named=named)
    return deduplication.find_duplicate(bond=bond, found=found, vector=vector, now=now)


@pytest.mark.parametrize(
    ("relevance", "is_same"), [(1, True), (0.86, True), (0.85, True), (0.849, False), (0.84, False)]
)
def test_it_must_be_as_near_as_texts_that_say_the_same(bond, relevance, is_same):
    node = known(bond)

    assert said_before(bond, vector=at_relevance(relevance)) == (node if is_same else None)


@pytest.mark.parametrize(
    ("more", "is_same"),
    [
        ({}, True),
        ({"created_at": NOW - timedelta(days=30)}, True),
        ({"created_at": NOW - timedelta(days=30, seconds=1)}, False),
        ({"origin": "user"}, True),
        ({"deleted_at": NOW}, False),
        ({"state": "superseded"}, False),
        ({"type": "thought"}, False),
        ({"subject": "shared"}, False),
        ({"embedding": None}, False),
        ({"embedding_model": "another"}, False),
        ({"emotional_impact": 3}, False),
        ({"event_time_start": date(2026, 11, 27), "event_time_end": date(2026, 11, 27)}, False),
    ],
    ids=str,
)
def test_what_was_told_must_be_a_live_event_of_the_last_thirty_days_that_fits(bond, more, is_same):
    node = known(bond, **more)

    assert said_before(bond) == (node if is_same else None)


@pytest.mark.parametrize(
    ("more", "is_same"),
    [
        ({}, True),
        ({"emotional_impact": 1}, True),
        ({"relational_tags": ["commitment"]}, True),
        ({"emotional_impact": 0}, False),
        ({"emotional_impact": -2}, False),
        ({"relational_tags": ["correction"]}, False),
        ({"vector": None}, False),
        ({"event_time": None}, False),
        ({"event_time": {"start": "2026-11-27", "end": "2026-11-28"}}, False),
    ],
    ids=str,
)
def test_what_is_told_now_must_fit(bond, more, is_same):
    node = known(bond, emotional_impact=5, event_time_start=date(2026, 11, 27), event_time_end=date(2026, 11, 27))

    assert said_before(bond, **{"emotional_impact": 4, "event_time": FRIDAY} | more) == (node if is_same else None)


def test_what_makes_something_untrue_says_nothing_again(bond):
    old = known(bond)

    assert said_before(bond, supersedes=[old]) is None


def test_a_stranger_told_nothing_before(bond):
    known(BondFactory(user__username="charlie"))

    assert said_before(bond) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The user's mother died.", "The user's father died."),
        ("用户的妈妈去世了。", "用户的爸爸去世了。"),
        ("用户的母亲去世了。", "用户的父亲去世了。"),
        ("用户的奶奶住院了。", "用户的外公住院了。"),
        ("陈静升职了，用户替她高兴。", "刘洋升职了，用户替她高兴。"),
        ("The user's mother-in-law is ill.", "The user's mother is ill."),
        ("The user's older brother is here.", "The user's younger brother is here."),
        ("Anna moved in with the user.", "Hanna moved in with the user."),
        ("The user met Anna.", "The user met Anna and Ben."),
        ("The user's exam is on Monday.", "The user's exam is on Tuesday."),
        ("The user has two cats.", "The user has three cats."),
        ("The user ran 10 km.", "The user ran 21 km."),
        ("The rent is 1,200 euros.", "The rent is 1,250 euros."),
        ("用户养了两只猫。", "用户养了三只猫。"),
        ("The user got the job.", "The user did not get the job."),
        ("The user's in touch with Anna.", "The user isn’t in touch with Anna."),
        ("用户通过了考试。", "用户没通过考试。"),
        ("The user moved from Berlin to Hamburg.", "The user moved from Hamburg to Berlin."),
        ("The user has 2 cats and 3 dogs.", "The user has 3 cats and 2 dogs."),
        ("The user's mother left his father.", "The user's father left his mother."),
        ("The user's left knee hurts.", "The user's right knee hurts."),
    ],
)
def test_texts_that_differ_in_who_or_how_many_or_whether_are_two_memories(bond, one, other):
    known(bond, one)

    assert said_before(bond, other) is None
    known(bond, other, created_at=NOW - timedelta(days=99))
    ConceptNode.objects.update(description=other)
    assert said_before(bond, one) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (SAID, SAID),
        ("The user moved to Berlin yesterday.", "Yesterday the user moved to Berlin."),
        ("The user has 2 cats.", "The user has two cats."),
        ("The user's mom came by.", "The user's mother came by."),
        ("Mara moved to Berlin.", "The user moved to Berlin."),
        ("用户养了2只猫。", "用户养了两只猫。"),
        ("用户搬到了柏林。", "用户搬到柏林了，很开心。"),
    ],
)
def test_texts_that_say_the_same_are_one(bond, one, other):
    node = known(bond, one)

    assert said_before(bond, other) == node


def test_all_names_of_somebody_are_the_same_person(bond):
    sister = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    AliasFactory(entity=sister, name="Scott")
    node = known(bond, "Yiyang moved to Berlin.")

    assert said_before(bond, "Scott moved to Berlin.") == node
    assert said_before(bond, "Benno moved to Berlin.") is None


def test_names_that_the_answer_itself_says_to_be_one_are_the_same_person(bond):
    node = known(bond, "my sister moved in with Yiyang.")
    both = [{"canonical_name": "Yiyang", "aliases": ["scott"]}]

    assert said_before(bond, "my sister moved in with scott.", named=both) == node
    assert said_before(bond, "my sister moved in with scott.") is None


def test_names_in_small_letters_count_where_the_answer_names_them(bond):
    known(bond, "the user met anna.")
    named = [{"canonical_name": "anna"}, {"canonical_name": "ben"}]

    assert said_before(bond, "the user met ben.", named=named) is None


def test_what_is_said_again_is_counted_with_its_new_messages_and_linked(bond):
    told = event("Nimbus jumps on the user's face.", lines=[3])
    remember(*CAT, bond=bond, answer=extraction(told))
    cats = [{"canonical_name": "Nimbus", "kind": "pet"}]

    session = remember(
        "Nimbus again!",
        "On my face.",
        "He jumps.",
        bond=bond,
        now=NOW + timedelta(days=2),
        answer=extraction(told | {"source_lines": [1, 3], "emotional_impact": 1}, mentioned_entities=cats),
    )

    node = ConceptNode.objects.get()
    assert (node.mention_count, node.emotional_impact, node.created_at) == (2, 3, NOW)
    said = [message.content for message in node.source_messages.order_by("id")]
    assert said == [CAT[2], "Nimbus again!", "He jumps."]
    assert [entry.refs for entry in BondEvent.objects.filter(type="memory.node.updated")] == [
        {"node": node.pk, "changed": ["mention_count", "source_messages"]}
    ]
    assert (step(session, "extraction").outcome, step(session, "extraction").notes) == (
        "done",
        f"event 0 says again what node {node.pk} holds",
    )
    assert [(mention.entity.canonical_name, mention.node) for mention in Mention.objects.all()] == [("Nimbus", node)]


def test_an_answer_that_says_the_same_twice_makes_one_row(bond):
    remember(bond=bond, answer=extraction(event(lines=[1]), event(lines=[3])))

    assert [(node.mention_count, node.source_messages.count()) for node in ConceptNode.objects.all()] == [(2, 2)]


def test_a_promise_made_again_is_one_promise(bond):
    promise = event("Marian will ask on Friday.", subject="persona", lines=[2]) | {"event_time": FRIDAY}
    lines = ("I am afraid of Friday.", "persona: I will ask on Friday.", "Good.")

    remember(*lines, bond=bond, answer=extraction(promise))
    remember(*lines, bond=bond, now=NOW + timedelta(hours=2), answer=extraction(promise))
    remember(
        *lines,
        bond=bond,
        now=NOW + timedelta(days=7),
        answer=extraction(promise | {"event_time": {"start": "2026-12-04", "end": "2026-12-04"}}),
    )

    promises = ConceptNode.objects.order_by("id").values_list("type", "mention_count", "event_time_end")
    assert list(promises) == [("intention", 2, date(2026, 11, 27)), ("intention", 1, date(2026, 12, 4))]
