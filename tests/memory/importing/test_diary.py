from datetime import date

import pytest

from echovessel.llm import provider
from memory.models import ConceptNode, Entity
from tests.memory.importing.files import mara, read_on, started

pytestmark = pytest.mark.django_db

ENGLISH = """Diary 2024

3 March
My father died this morning. I can't stop crying.

14 June, at the lake
My sister Anna got engaged! I'm so happy for her.

2 August: We adopted a dog called Pilot.
"""
CHINESE = """2024年3月3日 星期日 晴
爸爸今天早上去世了，我哭了一整天。

6月14日
妹妹小美订婚了，我特别高兴！

8月2日：我们领养了一只狗，叫皮蛋。
"""


def events(text):
    bond = mara()
    read_on(started(text, bond=bond), provider.get_fallback_llm())
    nodes = ConceptNode.objects.for_bond(bond).filter(type="event").order_by("event_time_start", "id")
    return bond, [(node.event_time_start, node.event_time_end, node.emotional_impact) for node in nodes]


@pytest.mark.parametrize(("text", "names"), [(ENGLISH, {"Anna", "Pilot"}), (CHINESE, {"小美", "皮蛋"})])
def test_each_entry_of_a_diary_keeps_its_day_and_its_own_weight(text, names):
    bond, found = events(text)

    assert [(start, end) for start, end, _ in found] == [
        (date(2024, 3, 3), date(2024, 3, 3)),
        (date(2024, 6, 14), date(2024, 6, 14)),
        (date(2024, 8, 2), date(2024, 8, 2)),
    ]
    father, engaged, dog = (impact for _, _, impact in found)
    assert (father <= -7, engaged >= 3, dog >= 1) == (True, True, True)
    assert names <= set(Entity.objects.for_bond(bond).values_list("canonical_name", flat=True))


def test_where_only_months_are_told_what_happened_is_dated_by_its_month():
    _, found = events("# March 2024\nMy father died.\n\n# June\nI got promoted!\n")

    assert [(start, end) for start, end, _ in found] == [
        (date(2024, 3, 1), date(2024, 3, 31)),
        (date(2024, 6, 1), date(2024, 6, 30)),
    ]


def test_of_a_diary_without_dates_nothing_is_lost_and_each_paragraph_is_weighed_alone():
    _, found = events("My father died.\n\nI got promoted!\n\nWe have a cat called Nimbus.")

    assert [(start, impact < 0) for start, _, impact in found] == [(None, True), (None, False), (None, False)]


def test_an_impossible_date_stays_in_the_text_without_a_day():
    _, found = events("2024-02-30\nMy father died.\n\n2024-03-01\nI got promoted!\n")

    assert [start for start, _, _ in found] == [date(2024, 3, 1), None]
