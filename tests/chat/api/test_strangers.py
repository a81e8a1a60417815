import copy
import re

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections
from django.test import override_settings
from django.urls import URLResolver
from rest_framework.test import APIClient

from chat.api.urls import urlpatterns
from memory.entities import merging
from memory.facts import acts
from memory.forgetting import removal
from memory.models import Doubt, EntityRemark, StoryStep
from personas import avatars, blocks
from personas.accounts import authentication
from personas.authored import lore_entries, openings
from tests.memory.importing.files import read, said
from tests.support import facts, worlds
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    RestorationFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
)
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api
from tests.support.story import create_scene, create_version

pytestmark = pytest.mark.django_db
OPEN_TO_ALL = ("auth/login/", "schema/", "docs/", "")
METHODS = ("get", "post", "put", "patch", "delete")


def paths(patterns, prefix=""):
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from paths(pattern.url_patterns, prefix + str(pattern.pattern))
        else:
            yield prefix + str(pattern.pattern), pattern.callback.cls


ALL = [
    (route, method)
    for route, view in paths(urlpatterns)
    for method in METHODS
    if hasattr(view, method) and route not in OPEN_TO_ALL
]
BELOW_SOMETHING = [case for case in ALL if "<" in case[0]]
BELOW_A_BOND = [case for case in ALL if "bond_id" in case[0]]
NESTED = [case for case in BELOW_A_BOND if len(re.findall("_id>", case[0])) > 1]


@pytest.fixture(scope="module")
def ids_of_mara(django_db_setup, django_db_blocker, tmp_path_factory):
    media = tmp_path_factory.mktemp("media")
    with override_settings(MEDIA_ROOT=media), worlds.shared(made, database=django_db_blocker) as ids:
        yield ids


@pytest.fixture
def mara(ids_of_mara):
    """Mara's ids, one for every name in a path."""
    return copy.deepcopy(ids_of_mara)


def made():
    mara = UserFactory(username="mara")
    bond = BondFactory(user=mara)
    avatars.put(persona=bond.persona, content=b"a picture")
    session = SessionFactory(bond=bond, status="failed", failure_code="model_timeout", message_count=2)
    turn = TurnFactory(session=session, status="failed")
    MessageFactory(session=session, turn_id=turn.pk)
    reply = MessageFactory(session=session, role="persona", turn_id=turn.pk)
    event = ConceptNodeFactory(bond=bond)
    others = {
        kind: ConceptNodeFactory(bond=bond, type=kind, evidence=[event])
        for kind in ("thought", "intention", "expectation")
    }
    for holder, label in ((bond.persona, "style"), (bond, "style")):
        for content in ("Plain.", "Plainer."):
            blocks.save(holder=holder, label=label, content=content, user=mara, now=NOW)
    for greeting in ("Hello.", "Come in."):
        openings.save(persona=bond.persona, greetings=[greeting], starters=[], user=mara, now=NOW)
    entry = lore_entries.add(persona=bond.persona, fields={"keys": ["hive"], "content": "The angry one."})
    return {
        "entry_id": entry.pk,
        "user": mara,
        "bond_id": bond.pk,
        "persona_id": bond.persona_id,
        "session_id": session.pk,
        "turn_id": turn.pk,
        "message_id": reply.pk,
        "entity_id": (entity := EntityFactory(bond=bond)).pk,
        "merge_id": merged_entities(bond).pk,
        "token_id": authentication.issue_token(mara, now=NOW)[1].pk,
        "restoration_id": RestorationFactory(user=mara).pk,
        **taken_in(bond),
        "events": event.pk,
        **{f"{kind}s": node.pk for kind, node in others.items()},
        **noted(bond),
        **forgotten(bond),
        **told(bond, reply, entity),
        "label": "style",
        "n": 1,
    }


def noted(bond):
    """The ids of a fact, a link, a write and a doubt."""
    first, second = (facts.save(bond, content) for content in (facts.NUTS, facts.LEEDS))
    linked = acts.link(bond=bond, a=first.node, b=second.node, relation="beside", writer=facts.writer())
    doubt = Doubt.objects.open_about_nodes(kind="stale", this=first.node, that=None, by="page", now=NOW)
    return {"facts": first.node_id, "write_id": first.pk, "link_id": linked.before["link"], "doubt_id": doubt.pk}


def taken_in(bond):
    """The ids of an import, and of what it proposes."""
    imported = read(said(about_user=[{"content": "Has a cat.", "source_quote": "a white cat"}]), bond=bond)
    return {"import_id": imported.pk, "proposal_id": imported.proposals.get().pk}


def told(bond, message, entity):
    """The ids of a scene, of a remark that it made, and of a step of its story, of which version 1 is current."""
    scene = create_scene(bond, message)
    create_version(bond, scene)
    step = StoryStep.objects.create(bond=bond, kind="scene_recap", target=scene.pk, state="failed", created_at=NOW)
    remark = EntityRemark.objects.create(
        bond=bond, entity=entity, scene=scene, text="Grey.", line=message.pk, created_at=NOW
    )
    return {"scene_id": scene.pk, "step_id": step.pk, "remark_id": remark.pk}


def forgotten(bond):
    entity = EntityFactory(bond=bond, canonical_name="Inky")
    removal.forget_entity(entity=entity, now=NOW)
    return {"kind": "entity", "object_id": entity.pk}


def merged_entities(bond):
    kept, merged = (EntityFactory(bond=bond, canonical_name=name, kind="person") for name in ("Yiyang", "Scott"))
    return merging.merge_entities(kept=kept, merged=merged, by="owner", now=NOW)


def filled(route, ids):
    kind = re.search(r"memory/(\w+)/", route)
    known = ids | ({"node_id": ids[kind.group(1)]} if "node_id" in route else {})
    return "/api/" + re.sub(r"<\w+:(\w+)>", lambda name: str(known[name.group(1)]), route)


def answers(client, cases, ids):
    return {case: answered(getattr(client, case[1])(filled(case[0], ids), {})) for case in cases}


def test_a_stranger_finds_nothing(mara):
    charlie = api(UserFactory(username="charlie"))

    assert answers(charlie, BELOW_SOMETHING, mara) == dict.fromkeys(BELOW_SOMETHING, NOT_FOUND)


def test_a_stranger_finds_nothing_through_a_bond_of_their_own(mara):
    bond = BondFactory(user__username="charlie")

    found = answers(api(bond.user), NESTED, mara | {"bond_id": bond.pk})

    assert {case: (status, body["code"]) for case, (status, body) in found.items()} == dict.fromkeys(
        NESTED, (404, "not_found")
    )


def test_who_is_not_signed_in_is_told_so(mara):
    assert answers(APIClient(), ALL, mara) == dict.fromkeys(ALL, NOT_SIGNED_IN)


def close(response):
    """Close a stream or file, and keep the test's transaction."""
    request_finished.disconnect(close_old_connections)
    response.close()
    request_finished.connect(close_old_connections)


@pytest.mark.parametrize(("route", "method"), BELOW_SOMETHING)
def test_the_ids_of_these_tests_are_good_ones(route, method, mara):
    response = getattr(api(mara["user"]), method)(filled(route, mara), {})
    close(response)

    assert response.status_code in (200, 201, 202, 204, 400, 409)


@pytest.mark.parametrize("route", ["bonds/", "personas/", "usage/"])
def test_a_strangers_lists_are_empty(route, mara):
    body = api(UserFactory(username="charlie")).get(f"/api/{route}").json()

    assert body.get("results", body.get("rows")) == []


@pytest.mark.parametrize(
    "route", ["nowhere/", "bonds", "bonds/x/", "bonds/1/memory/secrets/", "bonds/99999999999999999999/"]
)
def test_a_path_that_leads_nowhere_is_an_error_like_others(route):
    charlie = api(UserFactory(username="charlie"))

    status, body = answered(charlie.get(f"/api/{route}"))

    assert (status, body["code"], body["fields"]) == (404, "not_found", None)
