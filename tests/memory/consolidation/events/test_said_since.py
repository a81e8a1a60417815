from datetime import timedelta

import pytest
from django.utils import translation

from memory.nodes import links
from tests.support.factories import NOW, BondFactory, EntityFactory
from tests.support.facts import live, save, writer
from tests.support.talks import closed_talk, consolidate, event, extraction, model, talk

pytestmark = pytest.mark.django_db

KEPT = ["Mum works nights at the hospital laundry.", "The user's boss is called Angela."]


@pytest.fixture
def bond(settings):
    settings.EMBEDDING_BACKEND = "bundled"
    return BondFactory(user__username="mara")


@pytest.mark.parametrize(
    ("said", "of"),
    [
        ("Mum has gone back to days at last.", KEPT[:1]),
        ("Angela has left, the new boss is some bloke called Tunde.", KEPT[1:]),
        ("Has mum gone back to days?", []),
        ("Jo's mum has gone back to days.", []),
        ("The bakery has new opening hours.", []),
    ],
)
def test_an_event_stands_behind_the_fact_that_it_may_change(bond, said, of):
    for told in KEPT:
        save(bond, told)

    consolidate(closed_talk(said, "Good night.", "Bye.", bond=bond), model(extraction(event(said, lines=(1,)))))

    assert [link.b.description for link in links.load_live(bond)] == of
    assert live(bond) == KEPT


@pytest.mark.parametrize(
    ("kept", "said", "is_linked"),
    [
        ("Lena has a grandson called Otto, he is five.", "Lena has a check-up for her knee, Otto comes along.", False),
        ("Lena's birthday is on 6 March.", "Lena's knee has been hurting since Monday.", False),
        (
            "Lena's partner is Otto; they met three years ago.",
            "Lena and her aunt have not spoken since summer, she rings her in the new year.",
            False,
        ),
        ("孙丽在出版社做编辑，之前做过四年文案", "乐乐搬走了，之前得了流感，现在好了", False),
        ("乐乐是孙丽的孩子，今年五岁", "孙丽晚上带乐乐去社区医院", False),
        (
            "Sundays are hard for Lena because the flat gets quiet.",
            "Lena found a top-floor flat with a yellow door.",
            False,
        ),
        ("小满在杭州一家出版社做童书编辑。", "一个小读者给小满寄了一张画，画的是会飞的土豆。", False),
        ("Otto works nights at the laundry.", "Otto has gone back to days at the laundry.", True),
    ],
)
def test_a_name_alone_links_nothing_that_a_model_wrote(bond, kept, said, is_linked):
    for name in ("Lena", "Otto", "孙丽", "乐乐", "王小满"):
        EntityFactory(bond=bond, canonical_name=name)
    save(bond, kept)

    consolidate(closed_talk(said, "Good night.", "Bye.", bond=bond), model(extraction(event(said, lines=(1,)))))

    assert links.load_live(bond).exists() is is_linked


def test_a_page_says_in_its_language_how_two_memories_are_linked(bond):
    fact, since, other = (save(bond, told).node for told in (*KEPT, "Jo bakes."))
    for relation, one in ((links.SAID_SINCE, since), ("她的同事", other)):
        links.create(a=one, b=fact, relation=relation, now=NOW)

    with translation.override("zh-hans"):
        assert links.load_linked(bond, fact) == [("后来又说", since), ("她的同事", other)]


@pytest.mark.parametrize("by", ["tool", "person"])
def test_a_fact_that_was_told_later_is_not_changed(bond, by):
    said = "Mum has gone back to days."
    session = closed_talk(said, "She works nights at the laundry again.", "Bye.", bond=bond)
    told = [] if by == "person" else [session.messages.order_by("id")[1]]
    save(bond, KEPT[0], by=writer(by=by, messages=told, now=NOW + timedelta(minutes=1)))

    consolidate(session, model(extraction(event(said, lines=(1,)))))

    assert [*links.load_live(bond)] == []


def test_a_fact_that_is_noted_beside_stands_behind_the_one_that_it_may_change(bond):
    session = talk("Mum is back on days at the laundry now.", bond=bond)
    save(bond, KEPT[0])
    save(bond, "Mum is back on days at the laundry now.", by=writer(messages=[session.messages.get()]))

    [link] = links.load_live(bond)
    assert (link.b.description, link.relation) == (KEPT[0], links.SAID_SINCE)
