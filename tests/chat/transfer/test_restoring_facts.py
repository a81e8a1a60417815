import json

import pytest

from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError
from memory.facts import drafts, undoing, writing
from memory.facts.drafts import FactError
from memory.models import ConceptNode, FactWrite, Session
from tests.support.exports import exported, files, packed, put_rows, rows
from tests.support.factories import NOW, BondFactory, FactFactory
from tests.support.facts import home, job
from tests.support.lives import LATER, everything

pytestmark = pytest.mark.django_db


def undone(bond):
    """Undo every write, newest first; the ops of those that could be."""
    done = []
    for write in FactWrite.objects.for_bond(bond).not_undone().order_by("-id"):
        try:
            done.append(undoing.undo(write=write, now=LATER).op)
        except FactError:
            continue
    return done


def test_restored_writes_are_undone_alike(lin, lived_bond):
    bond = lived_bond
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    assert undone(restored) == undone(bond)

    assert everything(restored) == everything(bond)


def test_an_export_from_before_there_were_facts_is_restored(contents, lin):
    written, folder = contents
    for name in ("L3_facts", "links", "doubts", "fact_writes"):
        put_rows(written, f"{folder}/{name}.jsonl", [])
    mentions = f"{folder}/L5_mentions.jsonl"
    events = {row["id"] for name in ("L3_events", "L4_thoughts") for row in rows(written, f"{folder}/{name}.jsonl")}
    for name, column in ((mentions, "node_id"), (f"{folder}/sources.jsonl", "node_id")):
        put_rows(written, name, [row for row in rows(written, name) if row[column] in events])
    # What is left out was exported for a while.
    for name, left_out in (
        ("L2_sessions", {"left_at": None, "loaded_text": ""}),
        ("L2_messages", {"about_id": None}),
        ("L3_events", {"shared": False, "copy_of_id": None}),
    ):
        put_rows(written, f"{folder}/{name}.jsonl", [row | left_out for row in rows(written, f"{folder}/{name}.jsonl")])
    manifest = json.loads(written["manifest.json"])
    for name in ("L3_facts", "links", "doubts", "fact_writes"):
        del written[f"{folder}/{name}.jsonl"], manifest["rows"][f"{folder}/{name}.jsonl"]
    written["manifest.json"] = json.dumps(manifest).encode()

    [bond] = restoring.restore(packed(written), user=lin, now=NOW)

    assert ConceptNode.objects.for_bond(bond).exists()
    assert not ConceptNode.objects.for_bond(bond).facts().exists()


def test_a_missing_file_that_the_export_names_is_refused(contents, lin):
    written, folder = contents
    del written[f"{folder}/L3_facts.jsonl"]

    with pytest.raises(ArchiveError, match=r"L3_facts\.jsonl is missing"):
        restoring.restore(packed(written), user=lin, now=NOW)


def test_neither_prompts_nor_what_is_shared_go_along(lin, lived_bond):
    bond = lived_bond
    Session.objects.for_bond(bond).update(loaded_text="a loaded secret", loaded_ids=[1])
    original = FactFactory(description="The user sings.", shared=True)
    FactFactory(bond=bond, description="The user sings.", shared=True, copy_of=original)

    contents = files(exported(bond))

    assert b"loaded" not in b"".join(contents.values())
    [restored] = restoring.restore(packed(contents), user=lin, now=NOW)
    node = ConceptNode.objects.for_bond(restored).get(description="The user sings.")
    assert (node.shared, node.copy_of) == (False, None)


def test_what_a_close_noted_as_past_comes_back_with_its_write(lin):
    bond = BondFactory(user__username="nina")
    [fact] = drafts.prepare([home()])
    writing.save_past(bond=bond, fact=fact, successor=None, held=(NOW, NOW), writer=job())

    [restored] = restoring.restore(packed(files(exported(bond))), user=lin, now=NOW)

    write = FactWrite.objects.for_bond(restored).get()
    assert (write.before, write.node.state, write.node.state_reason) == ({"state": "superseded"}, "superseded", "ended")


def crafted(contents, layer, **changes):
    written, folder = contents
    name = f"{folder}/{layer}.jsonl"
    told = rows(written, name)
    told[0] |= changes
    put_rows(written, name, told)
    return packed(written)


@pytest.mark.parametrize(
    ("layer", "changes", "detail"),
    [
        ("L3_facts", {"tier": "certain"}, "tier cannot be"),
        ("L3_facts", {"facet": ""}, "violates a constraint"),
        ("L3_facts", {"facet": "about_us"}, "violates a constraint"),
        ("L3_facts", {"description": "x" * 601}, "violates a constraint"),
        ("L3_facts", {"detail": "x" * 4001}, "violates a constraint"),
        ("L3_facts", {"value": ""}, "violates a constraint"),
        ("L3_facts", {"state": "live", "superseded_by_id": None}, "violates a constraint"),
        ("links", {"relation": ""}, "relation cannot be"),
        ("links", {"a_id": 10**9}, "a_id names"),
        ("doubts", {"kind": "cat"}, "kind cannot be"),
        ("fact_writes", {"op": "confirmed"}, "has nothing before it"),
        ("fact_writes", {"before": {"tier": "x"}}, "before has another shape"),
        ("fact_writes", {"before": {"text": "x"}}, "before has another shape"),
        ("fact_writes", {"node_id": 10**9}, "node_id names"),
        ("fact_writes", {"offset": -1}, "offset cannot be"),
    ],
)
def test_a_crafted_row_is_refused(layer, changes, detail, contents, lin):
    with pytest.raises(ArchiveError, match=detail):
        restoring.restore(crafted(contents, layer, **changes), user=lin, now=NOW)
