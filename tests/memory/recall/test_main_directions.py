import math
from datetime import timedelta

import pytest

from echovessel.embeddings import vectors
from memory.forgetting import purging, removal
from memory.models import MainDirections
from memory.recall import embeddings, lines, main_directions
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory

pytestmark = pytest.mark.django_db

COUNT = 4


@pytest.fixture(autouse=True)
def few(monkeypatch):
    monkeypatch.setattr(main_directions, "MIN_MESSAGES", COUNT)


def unit(**parts):
    """A unit vector with these parts, by place: `unit(at0=3, at1=4)`."""
    length = math.hypot(*parts.values())
    return [parts.get(f"at{place}", 0) / length for place in range(384)]


def told(bond, *said, **more):
    """A closed session of messages, each with its vector or one of its own."""
    session = SessionFactory(bond=bond, status="closed", message_count=len(said))
    return [
        MessageFactory(
            session=session,
            content=content,
            embedding=vector or unit(**{f"at{place}": 1}),
            embedding_model="hash",
            **more,
        )
        for place, (content, vector) in enumerate(said)
    ]


def directions(bond):
    return MainDirections.objects.filter(bond=bond).first()


def test_main_directions_are_unit_vectors_at_right_angles_the_strongest_first():
    rows = [unit(at5=9, at6=1), unit(at5=9, at6=-1), unit(at5=9, at7=1), unit(at2=1, at5=1), unit(at2=1)]

    first, second = vectors.compute_main_directions(rows, count=2)

    assert abs(first[5]) > 0.9
    assert abs(second[2]) > 0.9
    assert math.hypot(*first) == pytest.approx(1, abs=1e-5)
    assert math.hypot(*second) == pytest.approx(1, abs=1e-5)
    assert sum(a * b for a, b in zip(first, second, strict=True)) == pytest.approx(0, abs=1e-5)


def test_a_bond_of_few_messages_has_none():
    bond = BondFactory()
    told(bond, *[("The rain.", None)] * (COUNT - 1))

    embeddings.embed_bond(bond_id=bond.pk)

    assert directions(bond) is None


def test_they_are_made_with_the_vectors_and_again_when_the_bond_has_grown_by_a_quarter():
    bond = BondFactory()
    told(bond, *[("The rain.", None)] * COUNT)
    embeddings.embed_bond(bond_id=bond.pk)
    assert directions(bond).message_count == COUNT

    MainDirections.objects.update(message_count=COUNT + 1)
    told(bond, ("The rain.", None), ("The rain.", None))
    embeddings.embed_bond(bond_id=bond.pk)
    assert directions(bond).message_count == COUNT + 1

    told(bond, ("The rain.", None))
    embeddings.embed_bond(bond_id=bond.pk)
    assert directions(bond).message_count == COUNT + 3


def test_they_are_not_made_of_what_recall_may_not_quote():
    bond = BondFactory()
    told(bond, *[("The rain.", None)] * (COUNT - 1))
    told(bond, ("The rain.", None), left_out=True)
    told(bond, ("The rain.", None), deleted_at=NOW)

    embeddings.embed_bond(bond_id=bond.pk)

    assert directions(bond) is None


def test_those_of_another_model_are_made_anew_by_reembed():
    bond = BondFactory()
    told(bond, *[("The rain.", None)] * COUNT)
    main_directions.renew(bond_id=bond.pk)
    MainDirections.objects.update(embedding_model="another")

    embeddings.reembed()

    assert directions(bond).embedding_model == "hash"


def test_what_is_near_to_everything_is_not_near_to_a_question():
    bond = BondFactory()
    same, meant = unit(at0=9, at1=1), unit(at0=5, at3=6)
    told(bond, ("Kettles boil slowly.", same), ("Drums are loud.", meant))
    asked = lines.build_query(bond=bond, query="a violin", vector=unit(at0=9, at3=4), today=None)

    def nearest():
        fits = {row[7]: row[2] for row in lines.fetch_rows(asked, besides=[], not_session=0, picked=9)}
        return max(fits, key=lambda content: fits[content])

    assert nearest() == "Kettles boil slowly."

    MainDirections.objects.create(
        bond=bond, embedding_model="hash", first=unit(at0=1), second=unit(at1=1), message_count=9
    )
    assert nearest() == "Drums are loud."

    MainDirections.objects.update(embedding_model="another")
    assert nearest() == "Kettles boil slowly."


def test_erasing_messages_for_good_erases_what_was_made_of_them():
    bond, other = BondFactory(), BondFactory(user__username="lin")
    [first, *_] = told(bond, *[("The rain.", None)] * COUNT)
    told(other, *[("The rain.", None)] * COUNT)
    for each in (bond, other):
        main_directions.renew(bond_id=each.pk)
    removal.forget_session(session=first.session, now=NOW)

    purging.purge(now=NOW + timedelta(days=31))

    assert directions(bond) is None
    assert directions(other) is not None
