import json
import zipfile
from io import BytesIO

import pytest

from chat.models import Turn
from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError
from echovessel.embeddings import embedding
from memory.entities import merging
from memory.models import EntityMerge, Message
from memory.recall import embeddings, memories
from personas.models import Bond, Persona
from tests.support.exports import account, exported, files, packed
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory
from tests.support.lives import GONE, MODELS, SECRET, everything, lived

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def mara():
    return UserFactory(username="mara")


@pytest.fixture
def lin():
    return UserFactory(username="lin")


def rows_below():
    return [model.objects.count() for model in (Persona, Bond, *MODELS)]


def test_what_is_restored_is_the_same_memory(mara, lin):
    bond = lived(mara)
    embeddings.embed_restored(bond_id=bond.pk)

    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)
    embeddings.embed_restored(bond_id=restored.pk)

    assert (restored.user, restored.persona.owner, restored.persona.visibility) == (lin, lin, "private")
    assert everything(restored) == everything(bond)


def test_what_is_restored_is_recalled_alike(mara, lin):
    bond = lived(mara)
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    def recalled(of):
        embeddings.embed_restored(bond_id=of.pk)
        [vector] = embedding.embed(["Who jumps at night?"])
        found = memories.search(bond=of, query="Who jumps at night, 小黑?", vector=vector, now=NOW)
        return [(item.node.description, round(item.score, 6)) for item in found.items]

    before = recalled(bond)
    assert len(before) >= 3
    assert recalled(restored) == before


def test_a_restored_merge_is_undone_alike(mara, lin):
    bond = lived(mara)
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    for one in (bond, restored):
        merging.undo(merge=EntityMerge.objects.get(bond=one), now=NOW)

    assert everything(restored) == everything(bond)


def test_an_export_holds_nothing_deleted_or_off_the_record(mara):
    contents = files(exported(lived(mara)))

    whole = b"\n".join(contents.values())
    assert (SECRET.encode() in whole, GONE.encode() in whole, b"embedding" in whole) == (False, False, False)
    assert b"\\u" not in whole


def test_the_same_export_is_restored_twice_in_one_install(mara):
    bond = lived(mara)

    made = [restoring.restore(exported(bond), user=mara, now=NOW)[0] for _ in range(2)]

    assert everything(made[0]) == everything(made[1]) == everything(bond)
    assert Turn.objects.filter(status="done").count() == 3


def test_an_account_is_restored_whole(mara, lin):
    bonds = [lived(mara), BondFactory(user=mara, persona__name="Teo")]
    PersonaFactory(owner=mara, name="Alone", tagline="Nobody knows her yet")

    restored = restoring.restore(account(mara), user=lin, now=NOW)

    assert [everything(bond) for bond in restored] == [everything(bond) for bond in bonds]
    alone = Persona.objects.exclude(bonds__user=lin).get(owner=lin)
    assert (alone.name, alone.tagline) == ("Alone", "Nobody knows her yet")


def test_an_account_takes_no_others_along(mara):
    lived(UserFactory(username="charlie"))
    PersonaFactory(name="Charlie's", visibility="shared")

    contents = files(account(mara))

    assert sorted(contents) == ["README.md", "account.jsonl", "manifest.json"]
    assert json.loads(contents["account.jsonl"])["username"] == "mara"


def test_of_a_shared_persona_its_texts_stay_with_its_owner(mara, lin):
    persona = lived(mara).persona
    Persona.objects.filter(pk=persona.pk).update(visibility="shared", tagline="Keeps a mill")
    bond = BondFactory(user=lin, persona=Persona.objects.get(pk=persona.pk))

    contents = files(exported(bond))

    folder = f"bonds/{bond.pk}"
    assert json.loads(contents[f"{folder}/persona.json"]) == {"name": "Marian", "tagline": "Keeps a mill"}
    assert contents[f"{folder}/L1_blocks.jsonl"] == b""
    [restored] = restoring.restore(packed(contents), user=lin, now=NOW)
    assert (restored.persona.name, restored.persona.owner) == ("Marian", lin)


def change(name, **changes):
    """Let the first row of a file say something else."""

    def changed(contents, folder):
        first, *rest = contents[f"{folder}/{name}"].splitlines()
        contents[f"{folder}/{name}"] = b"\n".join([json.dumps(json.loads(first) | changes).encode(), *rest])

    return changed


def put(name, content):
    def changed(contents, folder):
        contents[name.replace("@", folder)] = content

    return changed


def take(name):
    return lambda contents, folder: contents.pop(name.replace("@", folder))


def manifest(**changes):
    def changed(contents, folder):
        contents["manifest.json"] = json.dumps(json.loads(contents["manifest.json"]) | changes).encode()

    return changed


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (put("../../etc/cron.d/x", b"x"), "does not belong there"),
        (put("/etc/passwd", b"x"), "does not belong there"),
        (put("@/L9.jsonl", b"{}"), "does not belong there"),
        (take("manifest.json"), "no manifest.json"),
        (take("@/L2_messages.jsonl"), "L2_messages.jsonl is missing"),
        (take("@/persona.json"), "persona.json is missing"),
        (manifest(format="other"), "no export of this program"),
        (manifest(version=2), "another version"),
        (manifest(version="1"), "another version"),
        (manifest(bonds=["bonds/../../x"]), "is no folder of it"),
        (manifest(bonds=["bonds/1x"]), "is no folder of it"),
        (manifest(bonds=[]), "does not belong there"),
        (manifest(bonds=None), "lists no bonds"),
        (manifest(bonds=[{}]), "is no folder of it"),
        (manifest(rows={}), "is missing"),
        (put("@/L2_messages.jsonl", b""), "has 0 rows"),
        (put("@/L2_messages.jsonl", b"{}\n" * 4), "has no id"),
        (put("@/L2_messages.jsonl", b"[" * 5000), "other than JSON"),
        (put("@/L2_messages.jsonl", b"[1]\n"), "other than rows"),
        (put("@/L2_messages.jsonl", b"\xff\n"), "other than JSON"),
        (put("@/L2_messages.jsonl", b" " * (5 * 2**20)), "unpacks to too much"),
        (put("@/persona.json", b'{"name": "a", "facts": {"shoe_size": "38"}}'), "other facts"),
        (put("@/persona.json", b'{"name": ""}'), "name cannot be"),
        (put("@/persona.json", b'{"name": "' + b"x" * 81 + b'"}'), "name cannot be"),
        (put("@/avatar.webp", b"<svg/>"), "the picture cannot be read"),
        (change("L1_blocks.jsonl", content="x" * 5001), "content cannot be"),
        (change("L1_blocks.jsonl", label="user"), "cannot be as it says"),
        (change("L1_blocks.jsonl", holder="somebody"), "nobody's"),
        (change("L1_blocks.jsonl", revisions=[{"n": 1}]), "a revision is none"),
        (change("L1_blocks.jsonl", updated_at="2026-01-01T00:00:00"), "updated_at has no time zone"),
        (change("L2_sessions.jsonl", status="asleep"), "status cannot be"),
        (change("L2_sessions.jsonl", bond_id=1), "bond_id"),
        (change("L2_sessions.jsonl", deleted_at=None), "deleted_at"),
        (change("L2_sessions.jsonl", id="7"), "has no id"),
        (change("L2_sessions.jsonl", id=True), "has no id"),
        (change("L2_sessions.jsonl", started_at="2026-01-01T00:00:00"), "has no time zone"),
        (change("L2_sessions.jsonl", started_at="2036-01-01T00:00:00Z"), "breaks a rule"),
        (change("L2_sessions.jsonl", watermark=2**80), "watermark cannot be"),
        (change("L2_messages.jsonl", session_id=99), "session_id names 99"),
        (change("L2_messages.jsonl", session_id=[1]), "session_id names"),
        (change("L2_messages.jsonl", session_id=None), "session_id names None"),
        (change("L2_messages.jsonl", content=""), "content cannot be"),
        (change("L2_messages.jsonl", content=["x"]), "content is no text"),
        (change("L2_messages.jsonl", content="a\0b"), "other than rows"),
        (change("L2_messages.jsonl", content="\ud800"), "other than rows"),
        (change("L3_events.jsonl", emotional_impact=11), "breaks a rule"),
        (change("L3_events.jsonl", confidence=float("nan")), "breaks a rule"),
        (change("L3_events.jsonl", superseded_by_id=10**9), "superseded_by_id names"),
        (change("L3_events.jsonl", superseded_by_id=[1]), "superseded_by_id names"),
        (change("L3_events.jsonl", emotion_tags={}), "emotion_tags is no list"),
        (change("L3_events.jsonl", relational_tags=[[1]]), "relational_tags cannot be"),
        (change("L3_events.jsonl", mention_count=True), "mention_count is no whole number"),
        (change("turns.jsonl", trace=""), "trace is no list or object"),
        (change("L5_merges.jsonl", moved=[1]), "moved has another shape"),
        (change("L5_merges.jsonl", moved={"aliases": 3}), "moved has another shape"),
        (change("turns.jsonl", trace={"items": [3]}), "trace has another shape"),
        (change("turns.jsonl", id=3), "has no id"),
        (change("L6_mood.jsonl", energy=99), "cannot be as it says"),
        (change("L6_mood.jsonl", user_id=1), "has no mood"),
    ],
)
def test_a_hostile_export_is_refused_and_nothing_is_written(change, detail, mara, lin, media):
    bond = lived(mara)
    contents = files(exported(bond))
    change(contents, f"bonds/{bond.pk}")
    before, pictures = rows_below(), sorted(media.rglob("*"))

    with pytest.raises(ArchiveError, match=detail):
        restoring.restore(packed(contents), user=lin, now=NOW)

    assert (rows_below(), sorted(media.rglob("*"))) == (before, pictures)


def test_a_refused_account_leaves_no_picture_of_its_other_companions(mara, lin, media):
    bonds = [lived(mara), lived(mara)]
    contents = files(account(mara))
    contents[f"bonds/{bonds[1].pk}/avatar.webp"] = b"<svg/>"
    pictures = sorted(media.rglob("*"))

    with pytest.raises(ArchiveError, match="the picture cannot be read"):
        restoring.restore(packed(contents), user=lin, now=NOW)

    assert sorted(media.rglob("*")) == pictures


def test_a_row_that_is_there_twice_is_refused(mara, lin):
    bond = lived(mara)
    contents = files(exported(bond))
    name = f"bonds/{bond.pk}/L6_mood_changes.jsonl"
    contents[name] += contents[name]
    contents["manifest.json"] = contents["manifest.json"].replace(
        b'L6_mood_changes.jsonl": 1', b'L6_mood_changes.jsonl": 2'
    )

    with pytest.raises(ArchiveError, match="holds a row twice"):
        restoring.restore(packed(contents), user=lin, now=NOW)


@pytest.mark.parametrize(
    "content", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 18, b"PK\x05\x06" + b"\0" * 8 + b"\xff\xff\xff\x7f" + b"\0" * 6]
)
def test_a_file_that_is_no_export_is_refused(content, lin):
    with pytest.raises(ArchiveError):
        restoring.restore(BytesIO(content), user=lin, now=NOW)


def test_a_file_that_is_there_twice_is_refused(mara, lin):
    contents = files(exported(lived(mara)))
    file = packed(contents)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("README.md", "again")

    with pytest.raises(ArchiveError, match="a file twice"):
        restoring.restore(file, user=lin, now=NOW)


def test_lines_keep_their_order_and_numbers_of_their_own(mara, lin):
    bond = lived(mara)
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    def said(of):
        return list(
            Message.objects.visible().not_off_record().filter(bond=of).order_by("id").values_list("content", flat=True)
        )

    assert said(restored) == said(bond)
    assert not set(bond.messages.values_list("pk")) & set(restored.messages.values_list("pk"))
