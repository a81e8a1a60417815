from datetime import timedelta

import pytest

from memory.models import Message, Session
from memory.search import search, snippets
from tests.support.factories import NOW, AliasFactory, BondFactory, ConceptNodeFactory, EntityFactory
from tests.support.talks import talk

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def found(bond, query, **more):
    return [(one.layer, one.snippet) for one in search.search(bond=bond, query=query, **more)]


@pytest.mark.parametrize(
    ("query", "snippet"),
    [
        ("kettle", "Mum gave me two blue [[kettles]], made in Łódź."),
        ("KETTLES", "Mum gave me two blue [[kettles]], made in Łódź."),
        ("kett", "Mum gave me two blue [[kettles]], made in Łódź."),
        ("ettle", "Mum gave me two blue k[[ettle]]s, made in Łódź."),
        ("give kettle", None),
        ("kettle blue", "Mum gave me two [[blue]] [[kettles]], made in Łódź."),
        ("blue kettle", "Mum gave me two [[blue kettles]], made in Łódź."),
        ("the", None),
        ("me", "Mum gave [[me]] two blue kettles, made in Łódź."),
        ("łódź", "Mum gave me two blue kettles, made in [[Łódź]]."),
        ("ｂｌｕｅ", "Mum gave me two [[blue]] kettles, made in Łódź."),
        ("%", None),
        ("_", None),
        ("'", None),
        ("\\", None),
        ("blue | red", None),
        ("!blue", "Mum gave me two [[blue]] kettles, made in Łódź."),
    ],
)
def test_latin_words_are_found_whole_inflected_begun_and_in_part(query, snippet, bond):
    talk("Mum gave me two blue kettles, made in Łódź.", bond=bond)

    assert found(bond, query) == ([("L2", snippet)] if snippet else [])


@pytest.mark.parametrize(
    ("query", "snippet"),
    [
        ("โรงพยาบาล", "น้องสาวทำงานที่[[โรงพยาบาล]]ในเชียงใหม่"),
        ("โรงพยาบาล น้องสาว", "[[น้องสาว]]ทำงานที่[[โรงพยาบาล]]ในเชียงใหม่"),
    ],
)
def test_of_thai_the_words_of_the_query_alone_are_marked(query, snippet):
    line = snippet.replace("[[", "").replace("]]", "")

    assert snippets.build_snippet(line, snippets.SnippetQuery(query)) == snippet


@pytest.mark.parametrize(
    ("query", "snippet"),
    [
        ("妈妈", "昨天[[妈妈]]做了红烧肉，我们家的猫也想吃"),
        ("猫", "昨天妈妈做了红烧肉，我们家的[[猫]]也想吃"),
        ("红烧肉", "昨天妈妈做了[[红烧肉]]，我们家的猫也想吃"),
        ("我们", "昨天妈妈做了红烧肉，[[我们]]家的猫也想吃"),
        ("猫 妈妈", "昨天[[妈妈]]做了红烧肉，我们家的[[猫]]也想吃"),
        ("爸爸", None),
        ("妈猫", None),
    ],
)
def test_chinese_words_are_found_by_their_characters(query, snippet, bond):
    talk("昨天妈妈做了红烧肉，我们家的猫也想吃", bond=bond)

    assert found(bond, query) == ([("L2", snippet)] if snippet else [])


def test_signs_are_found_as_they_stand(bond):
    talk("So glad 🙂", "100% sure", "C++ is hard", bond=bond)

    assert [found(bond, query) for query in ("🙂", "100%", "c++", "  ")] == [
        [("L2", "So glad [[🙂]]")],
        [("L2", "[[100%]] sure")],
        [("L2", "[[C++]] is hard")],
        [],
    ]


def test_all_layers_are_searched_newest_first(bond):
    said = talk("Nimbus ate the cheese.", bond=bond, now=NOW - timedelta(days=2))
    event = ConceptNodeFactory(bond=bond, description="The cat Nimbus ate cheese.", session=said, created_at=NOW)
    thought = ConceptNodeFactory(
        bond=bond, type="expectation", description="Nimbus will eat cheese again.", created_at=NOW - timedelta(days=1)
    )
    cat = EntityFactory(
        bond=bond, canonical_name="Nimbus", description="Their cat.", created_at=NOW - timedelta(days=3)
    )
    AliasFactory(entity=cat, name="the cloud")

    assert search.search(bond=bond, query="nimbus") == [
        search.SearchHit("L3", event.pk, "event", NOW, "The cat [[Nimbus]] ate cheese.", said.pk),
        search.SearchHit(
            "L4", thought.pk, "expectation", thought.created_at, "[[Nimbus]] will eat cheese again.", None
        ),
        search.SearchHit(
            "L2", said.messages.get().pk, "message", NOW - timedelta(days=2), "[[Nimbus]] ate the cheese.", said.pk
        ),
        search.SearchHit("L5", cat.pk, "pet", NOW - timedelta(days=3), "[[Nimbus]], the cloud: Their cat.", None),
    ]
    assert found(bond, "cloud") == [("L5", "Nimbus, the [[cloud]]: Their cat.")]
    assert found(bond, "cheese", layers=["L4"]) == [("L4", "Nimbus will eat [[cheese]] again.")]


@pytest.mark.parametrize(
    ("query", "is_found"),
    [("cheese eaten", False), ("ate cheese", True), ("chees", True), ("养了", True), ("一只猫", True), ("了一", True)],
)
def test_memories_are_found_by_words_and_parts(query, is_found, bond):
    ConceptNodeFactory(bond=bond, description="Nimbus ate the cheese. 养了一只猫")

    assert bool(found(bond, query)) == is_found


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"chosen": False}, {"role": "system"}], ids=str)
def test_messages_that_do_not_count_are_not_found(gone, bond):
    talk("My cat.", bond=bond)
    Message.objects.update(**gone)

    assert found(bond, "cat") == []


@pytest.mark.parametrize("gone", [{"deleted_at": NOW}, {"off_record": True}], ids=str)
def test_messages_of_sessions_that_do_not_count_are_not_found(gone, bond):
    talk("My cat.", bond=bond)
    Session.objects.update(**gone)

    assert found(bond, "cat") == []


def test_what_was_forgotten_corrected_or_merged_is_not_found(bond):
    ConceptNodeFactory(bond=bond, description="A cat.", deleted_at=NOW)
    ConceptNodeFactory(bond=bond, description="A cat.", state="superseded")
    kept = EntityFactory(bond=bond, canonical_name="Tom")
    EntityFactory(bond=bond, canonical_name="Cat", deleted_at=NOW, alias=None)
    EntityFactory(bond=bond, canonical_name="Cat", merged_into=kept, alias=None)

    assert found(bond, "cat") == []


def test_nothing_of_a_stranger_is_found(bond):
    charlie = BondFactory(user__username="charlie")
    talk("My cat.", bond=charlie)
    ConceptNodeFactory(bond=charlie, description="A cat.")
    EntityFactory(bond=charlie, canonical_name="Cat")

    assert found(bond, "cat") == []


def test_pages_go_through_all_without_a_gap_and_nothing_twice(bond):
    talk(*(f"Cat {n}" for n in range(7)), bond=bond)
    for n in range(5):
        ConceptNodeFactory(bond=bond, description=f"The cat {n}", created_at=NOW - timedelta(seconds=n // 2))
        EntityFactory(bond=bond, canonical_name=f"Cat {n}")

    whole = search.search(bond=bond, query="cat")
    pages, after = [], {}
    while page := search.search(bond=bond, query="cat", after=after, most=3):
        after = search.build_positions(page, after=after)
        pages += page

    assert len(whole) == 17
    assert [one.at for one in whole] == sorted((one.at for one in whole), reverse=True)
    assert pages == whole


def test_what_lies_far_back_is_found_too(bond, monkeypatch):
    monkeypatch.setattr(search, "NEWEST", 2)
    talk("Cat one", *["Nothing"] * 5, "Cat two", bond=bond)

    assert found(bond, "cat") == [("L2", "[[Cat]] two"), ("L2", "[[Cat]] one")]


@pytest.mark.parametrize("count", [1, 3])
def test_it_costs_the_same_for_many(count, bond, django_assert_num_queries):
    for n in range(count):
        talk(f"Cat {n}", bond=bond)
        ConceptNodeFactory(bond=bond, description=f"A cat {n}")
        EntityFactory(bond=bond, canonical_name=f"Cat {n}")

    with django_assert_num_queries(5):
        assert len(search.search(bond=bond, query="cat")) == 3 * count


def test_a_long_message_is_shown_by_the_piece_around_the_match(bond):
    talk("First of all, " + "nothing happened. " * 40 + "Then the cat came home " + "and slept. " * 40, bond=bond)

    snippet = "…happened. nothing happened. Then the [[cat]] came home" + " and slept." * 10 + "…"
    assert found(bond, "cat") == [("L2", snippet)]
