"""What a person says of a fact that stands, in their own words, changes that fact and no other."""

import copy

import pytest

from memory.models import FactWrite
from tests.chat.turns.told import chinese, english
from tests.support import worlds
from tests.support.factories import NOW, BondFactory
from tests.support.facts import live, save
from tests.support.talking import note

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def bonds(django_db_setup, django_db_blocker):
    """A bond for each language, of which the facts stand that a line shall leave alone."""
    with worlds.shared(made, database=django_db_blocker) as bonds:
        yield bonds


def made():
    bonds = {english: BondFactory(user__username="mara"), chinese: BondFactory(user__username="lin")}
    for language, bond in bonds.items():
        for fact in language.OTHERS:
            save(bond, fact)
    return bonds


@pytest.mark.parametrize(
    ("language", "standing", "line", "op", "words"),
    [(language, *one) for language in (english, chinese) for one in (*language.TOLD, *language.ALSO_TOLD)],
)
def test_what_is_told_in_other_words_is_done(bonds, language, standing, line, op, words):
    bond, others = copy.deepcopy(bonds[language]), language.OTHERS
    if standing:
        save(bond, standing)
    last = FactWrite.objects.latest("id").pk

    note(bond, line, now=NOW)

    done = list(FactWrite.objects.for_bond(bond).filter(pk__gt=last).values_list("op", flat=True))
    holds = live(bond)
    assert done == [op] * bool(op)
    assert {*others} <= {*holds}
    assert (standing in holds) == (bool(standing) and op == "")
    assert words in " ".join(one for one in holds if one not in others)
