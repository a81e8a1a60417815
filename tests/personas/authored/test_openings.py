import threading
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, transaction

from personas.authored import openings
from personas.models import Opening
from tests.support.factories import NOW, BondFactory, UserFactory

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(days=1)


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara", persona__name="Marian")


def save(bond, *greetings, starters=(), now=NOW, user=None):
    return openings.save(persona=bond.persona, greetings=greetings, starters=starters, user=user or bond.user, now=now)


def revisions(opening):
    return [(kept.n, kept.greetings, kept.starters, kept.saved_at) for kept in opening.revisions.order_by("n")]


def test_a_save_replaces_the_opening_and_keeps_the_old_one(bond):
    lin = UserFactory(username="lin")
    save(bond, "One.", starters=["Hello?"])

    opening = save(bond, "Two.", "Three.", now=LATER, user=lin)

    assert (opening.greetings, opening.starters, opening.version) == (["Two.", "Three."], [], 2)
    assert (opening.updated_at, opening.updated_by) == (LATER, lin)
    assert revisions(opening) == [(1, ["One."], ["Hello?"], NOW)]


def test_saving_the_same_again_changes_nothing(bond):
    save(bond, "One.")

    opening = save(bond, "One.", now=LATER)

    assert (opening.version, opening.updated_at, revisions(opening)) == (1, NOW, [])


def test_an_earlier_opening_is_saved_again(bond):
    save(bond, "One.")
    opening = save(bond, "Two.")

    restored = openings.restore(revision=opening.revisions.get(), user=bond.user, now=LATER)

    assert (restored.greetings, restored.version) == (["One."], 3)


def test_the_database_takes_ten_greetings_of_2000_characters_and_no_more(bond):
    save(bond, *["x" * 2000] * 10)

    for greetings in (["x"] * 11, ["x" * 20_001]):
        with pytest.raises(IntegrityError), transaction.atomic():
            Opening.objects.filter(persona=bond.persona).update(greetings=greetings)


def test_the_database_takes_six_starters(bond):
    save(bond, starters=["x" * 200] * 6)

    with pytest.raises(IntegrityError), transaction.atomic():
        Opening.objects.filter(persona=bond.persona).update(starters=["x"] * 7)


def test_a_reader_sees_their_names_in_the_place_of_placeholders(bond):
    bond.persona.nickname = "Mae"
    opening = save(bond, "Come in, {{user}}. I am {{char}}.", starters=["Who is <BOT>?"])

    assert [(one.id, one.content) for one in openings.list_greetings(bond, opening)] == [
        ("1-0", "Come in, Mara. I am Mae.")
    ]
    assert openings.list_starters(bond, opening) == ["Who is Mae?"]


@pytest.mark.parametrize(
    ("greeting_id", "found"),
    [
        ("2-0", "New, Mara."),
        ("1-1", "Old two."),
        ("2-1", None),
        ("3-0", None),
        ("0-0", None),
        ("-", None),
        ("", None),
        ("1", None),
        ("1--1", None),
        ("1-0\0", None),
        ("²-0", None),
        ("1-99999999999", None),
        ("9999999999-0", None),
    ],
)
def test_a_greeting_is_found_by_its_id_also_of_an_earlier_version(greeting_id, found, bond):
    save(bond, "Old one.", "Old two.")
    save(bond, "New, {{user}}.")

    assert openings.find_greeting(bond, greeting_id) == found


def test_a_persona_without_an_opening_has_no_greeting(bond):
    assert openings.find_greeting(bond, "1-0") is None
    assert (openings.load(bond.persona).greetings, openings.load(bond.persona).version) == ([], 0)


@pytest.mark.django_db(transaction=True)
def test_saves_at_the_same_time_come_one_after_the_other(bond):
    def write(content):
        save(bond, content)
        connection.close()

    threads = [threading.Thread(target=write, args=[f"Greeting {n}."]) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    opening = Opening.objects.get()
    assert (opening.version, [kept.n for kept in opening.revisions.order_by("n")]) == (4, [1, 2, 3])
