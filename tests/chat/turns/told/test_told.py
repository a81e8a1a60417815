"""What a person says of a fact that stands, in their own words, changes that fact and no other."""

import pytest

from memory.models import FactWrite
from tests.chat.turns.told import chinese, english
from tests.support.factories import NOW, BondFactory
from tests.support.facts import live, save
from tests.support.fakes import FakeLLM
from tests.support.talking import say

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("standing", "line", "op", "words", "others"),
    [(*one, language.OTHERS) for language in (english, chinese) for one in (*language.TOLD, *language.ALSO_TOLD)],
)
def test_what_is_told_in_other_words_is_done(standing, line, op, words, others):
    bond = BondFactory(user__username="mara")
    for fact in filter(None, [standing, *others]):
        save(bond, fact)
    last = FactWrite.objects.latest("id").pk

    say(bond, line, now=NOW, llm=FakeLLM("Yes."))

    done = list(FactWrite.objects.for_bond(bond).filter(pk__gt=last).values_list("op", flat=True))
    holds = live(bond)
    assert done == [op] * bool(op)
    assert {*others} <= {*holds}
    assert (standing in holds) == (bool(standing) and op == "")
    assert words in " ".join(one for one in holds if one not in others)
