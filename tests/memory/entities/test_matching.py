import math

import pytest

from memory.entities import matching
from memory.entities.matching import NameMatch
from tests.support.factories import NOW, BondFactory, EntityFactory

pytestmark = pytest.mark.django_db

# Whole numbers of length 200, which half floats keep: their cosines to the first axis are exactly 0.955 and 0.755.
EXACTLY = {0.85: [191, 59, 6, 1, 1], 0.65: [151, 131, 6, 1, 1]}


def vector(*numbers):
    return [float(number) for number in numbers] + [0.0] * (384 - len(numbers))


def at(relevance):
    """A vector of this relevance to the first axis."""
    if relevance in EXACTLY:
        return vector(*EXACTLY[relevance])
    cosine = 1 - (2 * (1 - relevance)) ** 2 / 2
    return vector(cosine, math.sqrt(1 - cosine**2))


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def known(bond, name="Yiyang", *, kind="person", embedding=None, model="hash", **more):
    return EntityFactory(
        bond=bond,
        canonical_name=name,
        kind=kind,
        embedding=embedding or vector(1),
        embedding_model=model,
        **more,
    )


def like(bond, vector, *, name="Yi Yang", kind="person"):
    return matching.find_match(bond=bond, name=name, kind=kind, vector=vector)


@pytest.mark.parametrize(
    ("relevance", "is_same"), [(1.0, True), (0.85, True), (0.849, False), (0.84, False), (0.65, False)]
)
def test_a_name_that_is_near_is_the_same_or_may_be(bond, relevance, is_same):
    one = known(bond)

    assert like(bond, at(relevance)) == NameMatch(entity=one, is_same=is_same)


@pytest.mark.parametrize("relevance", [0.649, 0.64, 0.3])
def test_a_name_that_is_not_near_is_a_new_one(bond, relevance):
    known(bond)

    assert like(bond, at(relevance)) is None


def test_the_nearest_counts_among_those_of_the_same_kind(bond):
    known(bond, "Far", embedding=at(0.9))
    near = known(bond, "Near")
    known(bond, "Oslo", kind="place")
    known(bond, "Gone", deleted_at=NOW)
    known(bond, "Joined", merged_into=near)
    known(bond, "Of another model", model="all-MiniLM-L6-v2")
    known(BondFactory(), "Of another bond")
    EntityFactory(bond=bond, canonical_name="陈静", kind="person", embedding_model="hash")

    assert like(bond, vector(1)) == NameMatch(entity=near, is_same=True)
    assert like(bond, vector(1), kind="org") is None


def test_nothing_is_concluded_without_a_usable_vector(bond):
    EntityFactory(bond=bond, canonical_name="陈静", kind="person", embedding_model="hash")

    assert matching.embed_names([["刘洋"], []]) == [None, None]
    assert like(bond, None, name="刘洋") is None


def test_an_entitys_vector_is_that_of_its_first_name_that_can_be_read():
    [yiyang], [anna] = matching.embed_names([["Yiyang"]]), matching.embed_names([["Anna"]])

    assert matching.embed_names([["黄逸扬", "Yiyang", "Anna"], ["Anna"]]) == [yiyang, anna]


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Room 112", "Room"),
        ("Mrs 静 Tanaka, the piano teacher", "Mrs 洋 Tanaka, the piano teacher"),
        ("Yiyang", "Yiyang 黄"),
    ],
)
def test_names_whose_numbers_or_characters_differ_are_never_the_same(bond, name, other):
    one = known(bond, name)

    assert like(bond, vector(1), name=other) == NameMatch(entity=one, is_same=False)


@pytest.mark.parametrize(
    ("name", "other"),
    [("Room 112", "Room 113"), ("Mara's sister", "Mara's brother"), ("Mum's friend Jo", "Dad's friend Jo")],
)
def test_names_of_other_relatives_or_numbers_are_not_compared(bond, name, other):
    known(bond, name)
    one = known(bond, "Room", embedding=at(0.7))

    assert like(bond, vector(1), name=other) == NameMatch(entity=one, is_same=False)


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ("四川", "成都", "place"),
        ("Казань", "Москва", "place"),
        ("さくら", "佐藤さん", "person"),
        ("지혜", "영희", "person"),
    ],
)
def test_names_without_common_characters_are_two(bond, one, other, kind):
    known(bond, one, kind=kind)

    assert like(bond, at(0.7), name=other, kind=kind) is None


def test_names_with_the_same_numbers_and_characters_may_be_the_same(bond):
    one = known(bond, "Room 112 静")

    assert like(bond, vector(1), name="room 112, 静") == NameMatch(entity=one, is_same=True)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("name", "other", "expected"),
    [
        ("Anna", "Hannah", None),
        ("Anna", "Ann", None),
        ("Daniel", "Daniela", None),
        ("Chen Jing", "Liu Yang", None),
        ("mother", "father", None),
        ("陈静", "刘洋", None),
        ("Chen Jing", "Chen Jin", False),
        ("Mara's sister", "Mara's brother", None),
        ("Mum's house", "Mom's house", False),
        ("Zoë", "Zoe", True),
        ("Dr. Smith", "Dr Smith", True),
    ],
)
def test_what_the_bundled_model_makes_of_names(bond, settings, name, other, expected):
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "onnx", "bundled"
    first, second = matching.embed_names([[name], [other]])
    one = EntityFactory(
        bond=bond, canonical_name=name, kind="person", embedding=first, embedding_model="all-MiniLM-L6-v2"
    )

    found = like(bond, second, name=other)

    assert found == (None if expected is None else NameMatch(entity=one, is_same=expected))
