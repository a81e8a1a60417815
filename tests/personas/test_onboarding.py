import pytest
from django.db import IntegrityError, transaction

from personas import onboarding
from personas.models import Bond, CoreBlock, Persona, PersonaFacts
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def texts(holder):
    return {block.label: block.content for block in holder.blocks.all()}


def test_a_companion_is_made_with_its_texts_facts_and_bond(mara):
    persona, bond = onboarding.create(
        owner=mara,
        name="Marian",
        tagline="Looks after a lighthouse",
        persona="She looks after a lighthouse.",
        style="Short sentences.",
        user="I keep bees.",
        facts={"location": "an island", "notes": None},
        language="zh",
        now=NOW,
    )

    assert (persona.owner, persona.name, persona.tagline, persona.language, persona.visibility, persona.created_at) == (
        mara,
        "Marian",
        "Looks after a lighthouse",
        "zh",
        "private",
        NOW,
    )
    assert (bond.user, bond.persona, bond.created_at, bond.mood, bond.energy) == (mara, persona, NOW, "neutral", 5)
    assert texts(persona) == {"persona": "She looks after a lighthouse.", "style": "Short sentences."}
    assert texts(bond) == {"user": "I keep bees."}
    assert persona.facts.as_dict() == dict.fromkeys(PersonaFacts.NAMES) | {"location": "an island"}


def test_a_name_and_a_text_are_enough(mara):
    persona, bond = onboarding.create(owner=mara, name="Marian", persona="x", now=NOW)

    assert (texts(persona), texts(bond)) == ({"persona": "x", "style": ""}, {"user": ""})
    assert (persona.language, persona.facts.as_dict()) == ("en", dict.fromkeys(PersonaFacts.NAMES))


def test_a_companion_is_made_whole_or_not_at_all(mara):
    with pytest.raises(IntegrityError), transaction.atomic():
        onboarding.create(owner=mara, name="Marian", persona="x", user="x" * 5001, now=NOW)

    assert (Persona.objects.count(), Bond.objects.count(), CoreBlock.objects.count()) == (0, 0, 0)


def test_a_bond_is_begun_once(mara):
    persona = PersonaFactory(owner=UserFactory(username="lin"), visibility="shared")

    first = onboarding.begin_bond(user=mara, persona=persona, now=NOW)

    assert onboarding.begin_bond(user=mara, persona=persona, now=NOW) == (first[0], False)
    assert first[1] is True


def test_personas_are_open_to_their_owner_and_when_shared(mara):
    own = PersonaFactory(owner=mara)
    shared = PersonaFactory(visibility="shared")
    PersonaFactory()
    archived = PersonaFactory(owner=mara, archived_at=NOW)
    bond = BondFactory(user=mara, persona=archived)

    assert list(Persona.objects.open_to(mara).order_by("id")) == [own, shared]
    assert list(Persona.objects.owned_by(mara)) == [own]
    assert list(Bond.objects.for_user(mara)) == [bond]
