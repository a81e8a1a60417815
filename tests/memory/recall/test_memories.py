from dataclasses import replace
from datetime import date, timedelta

import pytest
from django.db import connection, transaction

from echovessel import text
from echovessel.embeddings import vectors
from memory.recall import candidates, memories, scoring
from tests.support.factories import NOW, BondFactory, EntityFactory, SessionFactory
from tests.support.recalling import ASKED, node, reasons, search

pytestmark = pytest.mark.django_db

CAT = "The user's cat jumps on their face at night."


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def test_an_empty_bond_recalls_nothing(bond):
    node(BondFactory(user__username="charlie"), cosine=1.0)

    assert search(bond, vector=ASKED) == memories.RecallResult(items=(), named=())


@pytest.mark.parametrize(("cosine", "reason"), [(0.2801, None), (0.2799, "floor")])
def test_relevance_just_under_the_floor_is_dropped(bond, cosine, reason):
    found = node(bond, cosine=cosine)

    recalled = search(bond, vector=ASKED)

    assert recalled.items[0].terms.relevance == pytest.approx(0.4, abs=1e-4)
    assert reasons(recalled) == [(found.pk, reason)]


def test_under_the_floor_an_anchored_node_stays(bond):
    anchored = node(bond, cosine=-0.9)
    cat = EntityFactory(bond=bond, nodes=[anchored])

    recalled = search(bond, "小黑 again", vector=ASKED)

    assert recalled.named == (cat,)
    assert [(item.anchored_by, item.terms.anchor, item.kept) for item in recalled.items] == [((cat.pk,), 1.0, True)]


@pytest.mark.parametrize(
    "gone",
    [
        {"deleted_at": NOW},
        {"stale": True},
        {"state": "superseded"},
        {"type": "intention"},
        {"type": "expectation"},
    ],
    ids=str,
)
def test_only_live_events_and_thoughts_are_recalled(bond, gone):
    thought = node(bond, CAT, cosine=0.9, type="thought")
    left_out = node(bond, CAT, cosine=1.0, **gone)
    EntityFactory(bond=bond, nodes=[left_out])

    recalled = search(bond, "does 小黑 jump at night", vector=ASKED)

    assert reasons(recalled) == [(thought.pk, None)]


def test_every_term_is_in_the_score(bond):
    event = node(
        bond, CAT, cosine=0.5, emotional_impact=-8, relational_tags=["unresolved"], created_at=NOW - timedelta(days=14)
    )
    cat = EntityFactory(bond=bond, nodes=[event])

    item = search(bond, "小黑", vector=ASKED).items[0]

    assert item.terms == scoring.ScoreTerms(
        recency=0.5, relevance=pytest.approx(0.5, abs=1e-3), impact=0.8, relational=0.5, anchor=1.0, graph=0.0, fit=1.0
    )
    assert item.score == pytest.approx(0.25 + 1.5 + 1.6 + 0.5 + 1.5 + 2.5, abs=1e-2)
    assert item.anchored_by == (cat.pk,)


def test_the_weight_of_relational_tags_is_a_setting(bond, settings):
    node(bond, cosine=1.0, relational_tags=["unresolved"])
    light = search(bond, vector=ASKED).items[0].score

    settings.RELATIONAL_BONUS_WEIGHT = 3.0

    assert search(bond, vector=ASKED).items[0].score == pytest.approx(light + 1.0)


def test_ties_go_by_impact_then_newest(bond):
    small = node(bond, cosine=1.0, emotional_impact=2)
    older = node(bond, cosine=0.5, emotional_impact=-5)
    newer = node(bond, cosine=0.5, emotional_impact=5)
    items = {item.node.pk: item for item in search(bond, vector=ASKED).items}

    even = [items[pk]._replace(score=1.0) for pk in (small.pk, older.pk, newer.pk)]

    assert [item.node.pk for item in sorted(even, key=memories.build_sort_key)] == [newer.pk, older.pk, small.pk]


def test_k_and_floor_each_give_their_reason_and_any_number_of_a_session_is_kept(bond):
    talk = SessionFactory(bond=bond)
    same = [node(bond, cosine=1.0 - place / 100, session=talk) for place in range(5)]
    far = node(bond, cosine=0.0)

    recalled = search(bond, vector=ASKED, k=4)

    assert reasons(recalled) == [
        *[(event.pk, None) for event in same[:4]],
        (same[4].pk, "beyond_k"),
        (far.pk, "floor"),
    ]
    assert [item.node for item in recalled.kept] == same[:4]


def test_of_what_says_the_same_again_the_best_is_kept(bond):
    first, again, other = (
        node(bond, cosine=1.0 - place / 100, description=said)
        for place, said in enumerate(("I rang my sister.", "I rang my Sister.", "My sister had a girl."))
    )

    recalled = search(bond, vector=ASKED, k=2)

    assert reasons(recalled) == [(first.pk, None), (other.pk, None), (again.pk, "repeats")]


@pytest.mark.parametrize(("floor", "is_kept"), [(memories.WIDE_FLOOR, True), (memories.WIDE_FLOOR + 0.001, False)])
def test_a_wider_choice_has_a_floor_of_its_own(bond, floor, is_kept, monkeypatch):
    node(bond, cosine=0.0)
    found = search(bond, vector=ASKED)
    item = found.items[0]._replace(terms=replace(found.items[0].terms, relevance=memories.WIDE_FLOOR))
    monkeypatch.setattr(memories, "WIDE_FLOOR", floor)

    assert [one.kept for one in memories.widen(replace(found, items=(item,))).items] == [is_kept]


def test_a_wider_choice_takes_three_times_as_many_of_the_same_candidates(bond, django_assert_num_queries):
    for place in range(7):
        node(bond, cosine=1.0 - place / 100)
    narrow = search(bond, vector=ASKED, k=2)

    with django_assert_num_queries(0):
        wide = memories.widen(narrow, k=2)

    assert (len(narrow.kept), len(wide.kept)) == (2, 6)
    assert [item.node for item in wide.items] == [item.node for item in narrow.items]
    assert wide.items[-1].reason == "beyond_k"


def test_k_is_a_setting(bond, settings):
    for _ in range(12):
        node(bond, cosine=1.0)

    assert len(search(bond, vector=ASKED).kept) == 10
    settings.RETRIEVE_K = 0
    assert search(bond, vector=ASKED).kept == []


def test_chinese_is_ranked_by_bigrams_and_nothing_is_concluded_from_vectors(bond):
    cat = node(bond, "用户养了一只叫小黑的白猫，半夜会跳到脸上。", cosine=-1.0)
    mother = node(bond, "用户的妈妈上个月去世了。", cosine=1.0)

    recalled = search(bond, "小黑的白猫", vector=None)

    assert [(item.node.pk, item.kept) for item in recalled.items] == [(cat.pk, True)]
    assert mother.pk not in [item.node.pk for item in recalled.items]


def test_a_period_is_looked_for_where_the_vector_is_unusable(bond):
    told = node(bond, "用户在海边。", event_time_start=date(2024, 7, 2), event_time_end=date(2024, 7, 2))

    assert [item.node.pk for item in search(bond, "2024年7月").kept] == [told.pk]


def test_what_is_ahead_is_looked_for_without_a_word_of_it(bond):
    for days in (-2, 9, 400):
        day = NOW.date() + timedelta(days)
        node(bond, f"用户第{days}天。", event_time_start=day, event_time_end=day)

    assert [item.node.description for item in search(bond, "what's coming up?").kept] == ["用户第9天。"]


def bag(written):
    return scoring.build_term_bag(text.extract_terms(written))


def test_vectors_of_another_model_are_never_mixed_in(bond):
    other = node(bond, "A quiet evening.", cosine=1.0, embedding_model="another")
    shares = node(bond, CAT, cosine=1.0, embedding_model="another")

    recalled = search(bond, "a cat at night", vector=ASKED)

    assert other.pk not in [item.node.pk for item in recalled.items]
    assert [(item.node.pk, item.terms.relevance) for item in recalled.items] == [
        (shares.pk, scoring.compute_lexical_relevance(bag("a cat at night"), bag(CAT)))
    ]


def test_shared_terms_help_a_middling_vector_and_never_harm(bond):
    node(bond, "cat night", cosine=0.2)
    node(bond, "dog day", cosine=0.9)

    relevance = {item.node.description: item.terms.relevance for item in search(bond, "cat night", vector=ASKED).items}

    assert relevance["cat night"] == pytest.approx(
        (vectors.relevance(0.2 + scoring.SHARED_TERMS_BONUS) + 1.0) / 2, abs=1e-3
    )
    assert relevance["dog day"] == pytest.approx(vectors.relevance(0.9), abs=1e-3)


@pytest.mark.parametrize(("others", "relevance"), [(8, 0.4), (9, 0.3601)], ids=["too few to say", "enough"])
def test_what_is_a_little_near_to_everything_takes_more(bond, others, relevance):
    event = node(bond, cosine=0.2801)
    for _ in range(others):
        node(bond, cosine=0.19, created_at=NOW - timedelta(days=1))

    [item] = [item for item in search(bond, vector=ASKED).items if item.node == event]

    assert item.terms.relevance == pytest.approx(relevance, abs=1e-3)


def test_who_speaks_of_one_thing_only_is_understood(bond):
    for _ in range(12):
        node(bond, cosine=0.6)

    assert len(search(bond, vector=ASKED).kept) == 10


def test_at_least_forty_nearest_are_looked_at(bond):
    for place in range(45):
        node(bond, cosine=0.9 - place / 100)

    assert len(search(bond, vector=ASKED).items) == 40


def test_a_name_that_is_everywhere_does_not_crowd_out_another(bond, monkeypatch):
    monkeypatch.setattr(candidates, "ANCHORED_MOST", 2)
    monkeypatch.setattr(candidates, "NEAREST", 0)
    often = [node(bond, cosine=0.9 - place / 10) for place in range(4)]
    seldom = node(bond, cosine=-0.5)
    EntityFactory(bond=bond, nodes=often)
    EntityFactory(bond=bond, canonical_name="Anna", nodes=[seldom, often[0]])

    recalled = search(bond, "小黑 and Anna", vector=ASKED)

    assert {item.node.pk for item in recalled.items} == {often[0].pk, often[1].pk, seldom.pk}
    assert {item.node.pk: len(item.anchored_by) for item in recalled.items}[often[0].pk] == 2


def test_recall_reads_only(bond, django_assert_num_queries):
    event = node(bond, CAT, cosine=0.9)
    EntityFactory(bond=bond, nodes=[event])

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        with django_assert_num_queries(2):
            recalled = search(bond, "does 小黑 jump at night", vector=ASKED)
        transaction.set_rollback(True)

    assert [item.node.pk for item in recalled.kept] == [event.pk]


def someone(bond, *nodes, kind="person", name="Kowalczyk"):
    return EntityFactory(bond=bond, canonical_name=name, kind=kind, nodes=nodes)


@pytest.mark.parametrize(
    ("cosine", "impact", "anchors"), [(0.501, -6, True), (0.501, 7, True), (0.501, -5, False), (0.499, -9, False)]
)
def test_who_is_described_instead_of_named_brings_what_weighs_with_them(bond, cosine, impact, anchors):
    described, other = node(bond, cosine=cosine), node(bond, cosine=0.0, emotional_impact=impact)
    man = someone(bond, described, other)

    found = {item.node.pk: item for item in search(bond, vector=ASKED).items}

    assert found[other.pk].anchored_by == ((man.pk,) if anchors else ())
    assert found[other.pk].kept is anchors


def test_nobody_is_meant_where_the_nearest_memory_is_about_two_or_a_place(bond):
    crowded, other = node(bond, cosine=0.9), node(bond, cosine=0.0, emotional_impact=9)
    someone(bond, crowded, other)
    someone(bond, crowded, name="Rosa")
    elsewhere = BondFactory(user__username="lin")
    place = node(elsewhere, cosine=0.9, emotional_impact=9)
    someone(elsewhere, place, kind="place")

    assert [item.anchored_by for item in search(bond, vector=ASKED).items] == [(), ()]
    assert [item.anchored_by for item in search(elsewhere, vector=ASKED).items] == [()]


def test_who_is_named_is_meant_and_nobody_else(bond):
    near, named = node(bond, cosine=0.9, emotional_impact=9), node(bond, cosine=0.0)
    someone(bond, near)
    rosa = someone(bond, named, name="Rosa")

    found = {item.node.pk: item.anchored_by for item in search(bond, "Rosa?", vector=ASKED).items}

    assert found == {near.pk: (), named.pk: (rosa.pk,)}


@pytest.mark.parametrize(
    ("asked", "told"),
    [("Am I going to be a gran?", "She will be a grandmother."), ("How is my mum?", "Her mother is ill.")],
)
def test_relatives_are_found_by_what_they_are_called(bond, asked, told):
    found = node(bond, told)
    node(bond, "She paints boats.")

    assert [item.node.pk for item in search(bond, asked).kept] == [found.pk]
