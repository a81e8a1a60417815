import pytest

from memory.facts import resolution
from memory.facts.drafts import FactError
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory
from tests.support.facts import LEEDS, NUTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


def resolve(bond, ref):
    try:
        return resolution.resolve(bond=bond, ref=ref)
    except FactError as error:
        return error.code, list(error.candidates)


@pytest.mark.parametrize("form", ["{}", "[{}]", "#{}", " [#{}] "])
def test_a_fact_is_found_by_its_id(form, bond):
    node = FactFactory(bond=bond)

    assert resolve(bond, form.format(node.pk)) == node


@pytest.mark.parametrize("ref", ["lives in leeds", "LEEDS", "  ｌｅｅｄｓ ", "user  lives"])
def test_a_fact_is_found_by_words_it_holds(ref, bond):
    node = FactFactory(bond=bond, description=LEEDS)
    FactFactory(bond=bond)

    assert resolve(bond, ref) == node


def test_the_exact_text_comes_first(bond):
    FactFactory(bond=bond, description="The user likes tea with milk.")
    node = FactFactory(bond=bond, description="The user likes tea")

    assert resolve(bond, "the user likes TEA") == node


def test_several_are_shown_and_none_is_taken(bond):
    nodes = [FactFactory(bond=bond, description=f"The user has plan {at}.") for at in range(7)]

    assert resolve(bond, "has plan") == ("ambiguous", nodes[:1:-1])
    assert resolve(bond, "plan 3") == nodes[3]


def test_uncertain_facts_are_found_and_past_and_forgotten_ones_are_not(bond):
    unsure = FactFactory(bond=bond, state="uncertain")
    past = FactFactory(bond=bond, description=LEEDS, state="superseded")
    gone = FactFactory(bond=bond, description=LEEDS, deleted_at=NOW)
    event = ConceptNodeFactory(bond=bond, description=LEEDS)

    assert resolve(bond, "nuts") == unsure
    for ref in ("Leeds", *(str(one.pk) for one in (past, gone, event))):
        assert resolve(bond, ref) == ("not_found", [])


def test_a_strangers_fact_is_not_found(bond):
    foreign = FactFactory()

    assert resolve(bond, str(foreign.pk)) == ("not_found", [])
    assert resolve(bond, NUTS) == ("not_found", [])


@pytest.mark.parametrize("ref", ["", "  ", "9" * 19, "no such words"])
def test_nothing_is_found_by_nothing(ref, bond):
    FactFactory(bond=bond)

    assert resolve(bond, ref) == ("not_found", [])


def test_a_number_that_is_no_id_is_looked_for_in_the_texts(bond):
    node = FactFactory(bond=bond, description="The user was born in 1987654321.")

    assert resolve(bond, "1987654321") == node
