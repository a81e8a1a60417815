import threading
from datetime import timedelta

import pytest
from django.db import connection

from personas import blocks
from personas.models import BlockRevision, CoreBlock
from tests.support.factories import NOW, BondFactory, UserFactory

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


def save(bond, content, *, label="user", holder=None, now=NOW, user=None):
    return blocks.save(holder=holder or bond, label=label, content=content, user=user or bond.user, now=now)


def revisions(block):
    return [(kept.n, kept.content, kept.saved_at) for kept in block.revisions.order_by("n")]


def test_the_first_save_makes_the_block(bond):
    block = save(bond, "I keep bees.")

    assert (block.label, block.content, block.version, block.updated_at, block.updated_by) == (
        "user",
        "I keep bees.",
        1,
        NOW,
        bond.user,
    )
    assert (block.bond, block.persona, revisions(block)) == (bond, None, [])


def test_a_save_replaces_the_text_and_keeps_the_old_one(bond):
    lin = UserFactory(username="lin")
    save(bond, "One.")
    save(bond, "Two.", now=LATER, user=lin)

    block = save(bond, "", now=LATER + timedelta(days=1))

    assert (block.content, block.version, CoreBlock.objects.count()) == ("", 3, 1)
    assert revisions(block) == [(1, "One.", NOW), (2, "Two.", LATER)]
    assert [kept.saved_by for kept in block.revisions.order_by("n")] == [bond.user, lin]


def test_saving_the_same_text_changes_nothing(bond):
    save(bond, "One.")

    block = save(bond, "One.", now=LATER)

    assert (block.version, block.updated_at, revisions(block)) == (1, NOW, [])


def test_an_earlier_text_can_be_restored_and_the_present_one_becomes_a_revision(bond):
    save(bond, "One.", holder=bond.persona, label="style")
    block = save(bond, "Two.", holder=bond.persona, label="style", now=LATER)

    restored = blocks.restore(revision=block.revisions.get(), user=bond.user, now=LATER + timedelta(days=1))

    assert (restored, restored.content, restored.version) == (block, "One.", 3)
    assert revisions(block) == [(1, "One.", NOW), (2, "Two.", LATER)]
    again = blocks.restore(revision=block.revisions.get(n=2), user=bond.user, now=LATER)
    assert (again.content, BlockRevision.objects.count()) == ("Two.", 3)


def test_each_holder_has_its_own_texts(bond):
    other = BondFactory(user__username="lin", persona=bond.persona)
    save(bond, "The bond's.", label="style")
    save(bond, "The persona's.", label="style", holder=bond.persona)

    assert blocks.find(bond, "style").content == "The bond's."
    assert blocks.find(bond.persona, "style").content == "The persona's."
    assert blocks.find(other, "style") is None
    assert blocks.find(bond, "user") is None


@pytest.mark.django_db(transaction=True)
def test_saves_at_once_lose_no_text():
    bond = BondFactory(user__username="mara")
    begin = threading.Barrier(4)

    def act(content):
        try:
            begin.wait(10)
            save(bond, content)
        finally:
            connection.close()

    threads = [threading.Thread(target=act, args=(f"Text {n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    block = CoreBlock.objects.get()
    assert sorted([block.content, *(kept.content for kept in block.revisions.all())]) == [f"Text {n}" for n in range(4)]
    assert (block.version, sorted(kept.n for kept in block.revisions.all())) == (4, [1, 2, 3])
