"""Crafted exports: JSON columns of a shape that the database does not check, and references in a circle."""

import json
from contextlib import suppress
from typing import Any

import pytest
from django.contrib.postgres.fields import ArrayField
from django.db.models import JSONField

from chat.models import Turn
from chat.transfer import restoring
from chat.transfer.exporting import TURNS
from echovessel.archives.zip_files import ArchiveError
from memory.models import ConceptNode, Entity, Message
from memory.transfer.layers import LAYERS
from personas.models import Bond
from tests.support.exports import packed, put_rows, rows
from tests.support.factories import NOW, UserFactory

pytestmark = pytest.mark.django_db

SHAPED = [
    (layer.name, column.name)
    for layer in (*LAYERS, TURNS)
    for column in layer.columns
    if isinstance(column, ArrayField | JSONField)
]
HOSTILE: tuple[Any, ...] = (
    *({}, [], "", "x", 3, None, True, [[1]], [{}], ["x"], [None], [True], [10**30], {"": {}}, {"items": 3}),
    *(
        {"items": [{}]},
        {"items": [{"node": 1}]},
        {"words": [[]]},
        {"cut": []},
        {"total_ms": "x"},
        {"total_ms": 10**400},
    ),
)


def restored(contents, user):
    return restoring.restore(packed(contents), user=user, now=NOW)[0]


@pytest.mark.parametrize(("layer", "column"), SHAPED)
def test_a_column_of_lists_or_objects_has_its_shape_or_the_export_is_refused(layer, column, contents, client):
    """In the short form each column has a third of the values, and its neighbours have the others."""
    assert_shaped(layer, column, HOSTILE[SHAPED.index((layer, column)) % 3 :: 3], contents, client)


@pytest.mark.soak
@pytest.mark.parametrize(("layer", "column"), SHAPED)
def test_a_column_has_its_shape_whatever_value_it_is_given(layer, column, contents, client):
    assert_shaped(layer, column, HOSTILE, contents, client)


def assert_shaped(layer, column, values, contents, client):
    written, folder = contents
    name = f"{folder}/{layer}.jsonl"
    first, *others = rows(written, name)

    for number, hostile in enumerate(values):
        lin = UserFactory(username=f"lin{number}")
        put_rows(written, name, [first | {column: hostile}, *others])
        with suppress(ArchiveError):
            bond = restored(written, lin)
            client.force_login(lin)
            assert {url: status for url, status in pages(client, bond) if status != 200} == {}


def pages(client, bond):
    """Lists, and the pages of what stood first in each file: nothing else is changed."""
    nodes = ConceptNode.objects.for_bond(bond).order_by("type", "pk").distinct("type")
    urls = [f"memory/{pk}/" for pk in nodes.values_list("pk", flat=True)]
    people = Entity.objects.for_bond(bond).not_deleted_or_merged().order_by("pk")
    urls += [f"memory/people/{pk}/" for pk in people.values_list("pk", flat=True)[:1]]
    urls += [f"turns/{pk}/why/" for pk in Turn.objects.for_bond(bond).values_list("pk", flat=True)]
    for url in ("", "memory/", "memory/thoughts/", "memory/people/", *urls):
        yield url, client.get(f"/bonds/{bond.pk}/{url}").status_code


@pytest.mark.parametrize(
    ("changes", "detail"),
    [
        ({"name": ["x"]}, "name is no text"),
        ({"tagline": {}}, "tagline is no text"),
        ({"language": 3}, "language is no text"),
        ({"facts": {"notes": ["x"]}}, "notes is no text"),
        ({"facts": []}, "the persona has unknown facts"),
        ({"created_at": 3}, "created_at is no time"),
    ],
)
def test_a_persona_has_texts_in_its_columns(changes, detail, contents):
    written, folder = contents
    said = json.loads(written[f"{folder}/persona.json"])
    written[f"{folder}/persona.json"] = json.dumps(said | changes).encode()

    with pytest.raises(ArchiveError, match=detail):
        restored(written, UserFactory())


def circle(contents, layer, column, *, of=2):
    """Let rows of a layer refer to each other by a column, the last one to the first."""
    written, folder = contents
    name = f"{folder}/{layer}.jsonl"
    told = rows(written, name)
    ids = [row["id"] for row in told[:of]]
    for row, other in zip(told, [*ids[1:], ids[0]], strict=False):
        row[column] = other
    put_rows(written, name, told)
    return written


@pytest.mark.parametrize("of", [1, 2, 3])
@pytest.mark.parametrize(
    ("layer", "column"),
    [
        ("L3_events", "superseded_by_id"),
        ("L3_events", "conflicts_with_id"),
        ("L4_thoughts", "superseded_by_id"),
        ("L5_entities", "merged_into_id"),
    ],
)
def test_references_that_lead_in_a_circle_are_refused(layer, column, of, contents):
    with pytest.raises(ArchiveError, match=rf"{column} leads from \d+ back to itself"):
        restored(circle(contents, layer, column, of=of), UserFactory())
    assert Bond.objects.count() == 1


def test_evidence_that_leads_in_a_circle_is_refused(contents):
    written, folder = contents
    thoughts = [row["id"] for row in rows(written, f"{folder}/L4_thoughts.jsonl")][:3]
    edges = [
        {"id": 10**6 + at, "parent_id": parent, "child_id": child, "orphaned": False}
        for at, (parent, child) in enumerate(zip(thoughts, [*thoughts[1:], thoughts[0]], strict=True))
    ]
    put_rows(written, f"{folder}/fillings.jsonl", edges)

    with pytest.raises(ArchiveError, match=r"fillings leads from \d+ back to itself"):
        restored(written, UserFactory())


def test_nobody_may_be_the_same_as_themselves(contents):
    written, folder = contents
    name = f"{folder}/L5_entities.jsonl"
    told = rows(written, name)
    told[0] |= {"merge_target_id": told[0]["id"], "merge_status": "uncertain"}
    put_rows(written, name, told)

    with pytest.raises(ArchiveError, match="merge_target_id leads from"):
        restored(written, UserFactory())


def test_two_may_be_in_doubt_about_each_other(contents):
    written = circle(contents, "L5_entities", "merge_target_id")
    name = f"{contents[1]}/L5_entities.jsonl"
    told = rows(written, name)
    for row in told[:2]:
        row["merge_status"] = "uncertain"
    put_rows(written, name, told)

    bond = restored(written, UserFactory())

    assert Entity.objects.for_bond(bond).filter(merge_target__isnull=False).count() >= 2


def test_a_long_chain_is_restored(contents):
    written, folder = contents
    name = f"{folder}/L3_events.jsonl"
    told = rows(written, name)
    first = told[0] | {"answer_key": None, "state": "superseded"}
    chain = [first | {"id": 10**6 + at, "superseded_by_id": 10**6 + at + 1} for at in range(1200)]
    last = first | {"id": 10**6 + 1200, "state": "live"}
    put_rows(written, name, [*told, *chain, last])

    bond = restored(written, UserFactory())

    assert ConceptNode.objects.for_bond(bond).filter(superseded_by__isnull=False).count() >= 1200
    assert Message.objects.for_bond(bond).exists()
