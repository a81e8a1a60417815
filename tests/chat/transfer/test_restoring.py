import json
import zipfile
from io import BytesIO

import pytest

from chat.models import Turn
from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError
from echovessel.embeddings import embedding
from memory.entities import merging
from memory.models import ConceptNode, Entity, EntityMerge, Message, Scene
from memory.recall import embeddings, memories
from personas.models import Persona
from tests.support import sample
from tests.support.exports import account, exported, files, packed
from tests.support.factories import NOW, BondFactory, PersonaFactory
from tests.support.lives import GONE, SECRET, everything, lived

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond(lived_bond):
    return lived_bond


@pytest.fixture
def mara(bond):
    return bond.user


def test_the_data_of_the_sample_are_restored_whole():
    life = sample.live()

    [restored] = restoring.restore(exported(life.bond), user=life.lin, now=NOW)

    there, here = (
        [model.objects.filter(bond=bond, deleted_at=None).count() for model in (Message, ConceptNode, Entity)]
        for bond in (life.bond, restored)
    )
    assert (here, Scene.objects.filter(bond=restored).count()) == (there, 4)


def test_what_is_restored_is_the_same_memory(bond, lin):
    settings = {"model": "own", "temperature": 0.3, "top_p": 0.9, "tokens": 200, "length": "short"}
    Persona.objects.filter(pk=bond.persona_id).update(**{f"answer_{name}": one for name, one in settings.items()})
    bond.persona.refresh_from_db()
    embeddings.embed_restored(bond_id=bond.pk)

    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)
    embeddings.embed_restored(bond_id=restored.pk)

    assert (restored.user, restored.persona.owner, restored.persona.visibility) == (lin, lin, "private")
    assert everything(restored) == everything(bond)


def test_what_is_restored_is_recalled_alike(bond, lin):
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    def recalled(of):
        embeddings.embed_restored(bond_id=of.pk)
        [vector] = embedding.embed(["Who jumps at night?"])
        found = memories.search(bond=of, query="Who jumps at night, 小黑?", vector=vector, now=NOW)
        return [(item.node.description, round(item.score, 6)) for item in found.items]

    before = recalled(bond)
    assert len(before) >= 3
    assert recalled(restored) == before


def test_a_restored_merge_is_undone_alike(bond, lin):
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    for one in (bond, restored):
        merging.undo(merge=EntityMerge.objects.get(bond=one), now=NOW)

    assert everything(restored) == everything(bond)


def test_an_export_holds_nothing_deleted_or_off_the_record(bond):
    contents = files(exported(bond))

    whole = b"\n".join(contents.values())
    assert (SECRET.encode() in whole, GONE.encode() in whole, b"embedding" in whole) == (False, False, False)
    assert b"\\u" not in whole


def test_the_same_export_is_restored_twice_in_one_install(bond, mara):

    made = [restoring.restore(exported(bond), user=mara, now=NOW)[0] for _ in range(2)]

    assert everything(made[0]) == everything(made[1]) == everything(bond)
    assert Turn.objects.filter(status="done").count() == 3


def test_an_account_is_restored_whole(bond, mara, lin):
    bonds = [bond, BondFactory(user=mara, persona__name="Teo")]
    PersonaFactory(owner=mara, name="Alone", tagline="Nobody knows her yet")

    restored = restoring.restore(account(mara), user=lin, now=NOW)

    assert [everything(bond) for bond in restored] == [everything(bond) for bond in bonds]
    alone = Persona.objects.exclude(bonds__user=lin).get(owner=lin)
    assert (alone.name, alone.tagline) == ("Alone", "Nobody knows her yet")


@pytest.mark.usefixtures("bond")
def test_an_account_takes_no_others_along(lin):
    PersonaFactory(name="Charlie's", visibility="shared")

    contents = files(account(lin))

    assert sorted(contents) == ["README.md", "account.jsonl", "manifest.json"]
    assert json.loads(contents["account.jsonl"])["username"] == "lin"


def test_of_a_shared_persona_its_texts_stay_with_its_owner(bond, lin):
    persona = bond.persona
    Persona.objects.filter(pk=persona.pk).update(visibility="shared", tagline="Keeps a mill")
    bond = BondFactory(user=lin, persona=Persona.objects.get(pk=persona.pk))

    contents = files(exported(bond))

    folder = f"bonds/{bond.pk}"
    assert json.loads(contents[f"{folder}/persona.json"]) == {"name": "Marian", "tagline": "Keeps a mill"}
    assert contents[f"{folder}/L1_blocks.jsonl"] == b""
    [restored] = restoring.restore(packed(contents), user=lin, now=NOW)
    assert (restored.persona.name, restored.persona.owner) == ("Marian", lin)


def test_a_refused_account_leaves_no_picture_of_its_other_companions(bond, mara, lin, media):
    bonds = [bond, lived(mara)]
    contents = files(account(mara))
    contents[f"bonds/{bonds[1].pk}/avatar.webp"] = b"<svg/>"
    pictures = sorted(media.rglob("*"))

    with pytest.raises(ArchiveError, match="the picture cannot be read"):
        restoring.restore(packed(contents), user=lin, now=NOW)

    assert sorted(media.rglob("*")) == pictures


def test_a_row_that_is_there_twice_is_refused(bond, lin):
    contents = files(exported(bond))
    name = f"bonds/{bond.pk}/L6_mood_changes.jsonl"
    contents[name] += contents[name]
    contents["manifest.json"] = contents["manifest.json"].replace(
        b'L6_mood_changes.jsonl": 1', b'L6_mood_changes.jsonl": 2'
    )

    with pytest.raises(ArchiveError, match="has a row twice"):
        restoring.restore(packed(contents), user=lin, now=NOW)


@pytest.mark.parametrize(
    "content", [b"", b"no zip", b"PK\x05\x06" + b"\0" * 18, b"PK\x05\x06" + b"\0" * 8 + b"\xff\xff\xff\x7f" + b"\0" * 6]
)
def test_a_file_that_is_no_export_is_refused(content, lin):
    with pytest.raises(ArchiveError):
        restoring.restore(BytesIO(content), user=lin, now=NOW)


def test_a_file_that_is_there_twice_is_refused(bond, lin):
    contents = files(exported(bond))
    file = packed(contents)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("README.md", "again")

    with pytest.raises(ArchiveError, match="a file twice"):
        restoring.restore(file, user=lin, now=NOW)


def test_messages_keep_their_order_and_numbers_of_their_own(bond, lin):
    [restored] = restoring.restore(exported(bond), user=lin, now=NOW)

    def said(of):
        return list(
            Message.objects.visible().not_off_record().filter(bond=of).order_by("id").values_list("content", flat=True)
        )

    assert said(restored) == said(bond)
    assert not set(bond.messages.values_list("pk")) & set(restored.messages.values_list("pk"))
