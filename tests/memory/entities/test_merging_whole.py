from datetime import timedelta

import pytest
from django.apps import apps
from django.core import serializers

from echovessel.embeddings import embedding
from memory.entities import merging
from memory.models import EntityMerge, Mention
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    UserFactory,
)
from tests.support.rest import answered, api

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def operator(client):
    user = UserFactory(username="mara", is_staff=True, is_superuser=True)
    client.force_login(user)
    return client


@pytest.fixture
def pair(bond):
    """Two with fifty events each, two of them the same, and with everything else that a merge moves."""
    line = MessageFactory(session__bond=bond, content="Ann rang.")
    events = [ConceptNodeFactory(bond=bond, description=f"Ann rang, {number}.", sources=[line]) for number in range(98)]
    ConceptNodeFactory(bond=bond, type="thought", description="She waits for a call.", evidence=events[:3])
    certain = {"bond": bond, "kind": "person", "confirmed_at": NOW}
    ann = EntityFactory(canonical_name="Ann", nodes=events[:50], description="A friend from school.", **certain)
    [vector] = embedding.embed(["Anna"])
    anna = EntityFactory(
        canonical_name="Anna",
        nodes=events[48:],
        description="My friend.",
        description_by="owner",
        last_mentioned_at=NOW + timedelta(days=1),
        embedding=vector,
        **certain,
    )
    AliasFactory(entity=anna, name="Annie")
    merging.separate_entities(
        a=anna, b=EntityFactory(canonical_name="Hanna", nodes=events[:2], **certain), by="owner", now=NOW
    )
    merging.separate_entities(a=ann, b=EntityFactory(canonical_name="Anton", **certain), by="owner", now=NOW)
    for name in ("Anni", "Anouk"):
        EntityFactory(canonical_name=name, merge_status="uncertain", merge_target=anna, **certain)
    return ann, anna


def whole():
    """All that is remembered, row by row; not that there was a merge."""
    models = [model for model in apps.get_app_config("memory").get_models() if model is not EntityMerge]
    return {model._meta.label: serializers.serialize("json", model._base_manager.order_by("pk")) for model in models}


def act(client, model, action, *rows, **more):
    ticked = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(f"/admin/memory/{model}/", ticked | more, follow=True).content.decode()


def test_a_merge_and_its_undoing_are_the_same_by_the_admin_and_by_the_api(operator, bond, pair):
    ann, anna = pair
    api_path, client = f"/api/bonds/{bond.pk}/memory/entities", api(bond.user)
    before = whole()

    act(operator, "entity", "merge", ann, anna, kept=ann.pk)
    by_admin = whole()
    shown_by_admin = answered(client.get(f"{api_path}/{ann.pk}/"))
    act(operator, "entitymerge", "undo", EntityMerge.objects.get(undone_at=None))
    after_admin = whole()
    merged = client.post(f"{api_path}/{anna.pk}/merge/", {"into": ann.pk}).json()
    by_api = whole()
    undone = client.post(f"{api_path}/merges/{merged['merge']}/undo/")

    assert (by_admin == before, by_api) == (False, by_admin)
    assert (after_admin, whole()) == (before, before)
    assert (merged["entity"], answered(undone)[0]) == (ann.pk, 200)
    status, shown = shown_by_admin
    assert (status, shown["aliases"], shown["description"], shown["linked_events_count"]) == (
        200,
        ["Ann", "Anna", "Annie"],
        "My friend.",
        98,
    )
    decided = list(EntityMerge.objects.order_by("id").values_list("decided_by", flat=True))
    assert decided == ["operator", "owner"]


def test_before_a_merge_the_page_shows_both_sides_and_what_comes_out(operator, pair):
    page = act(operator, "entity", "merge", *pair)

    told = ("Ann, Anna, Annie", "Mentioned in 50 memories", "Mentioned in 98 memories", "My friend.")
    assert [one in page for one in told] == [True] * 4
    assert (EntityMerge.objects.count(), Mention.objects.filter(entity=pair[0]).count()) == (0, 50)
