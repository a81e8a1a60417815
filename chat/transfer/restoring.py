"""Restore the bonds of an exported zip as somebody's own: all of it, or nothing."""

import zipfile
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import IO, Any

from django.db import DataError, IntegrityError, transaction

from chat.models import Turn
from chat.transfer.exporting import TURNS
from chat.turns.trace import Trace
from echovessel.archives import zip_files
from echovessel.archives.zip_files import ArchiveError, ArchiveReader
from echovessel.materials import MaterialError, unpacking
from echovessel.postgres import deadlines
from memory.jobs import queue
from memory.models import ConceptNode, Entity, Message
from memory.transfer import restoring
from memory.transfer.layers import LAYERS
from memory.transfer.restored_ids import RestoredIds
from personas import avatars
from personas.models import Bond, Persona, User
from personas.transfer import restoring as personas

ROOT_FILES = ("README.md", zip_files.MANIFEST, "account.jsonl")
MOOD_FILE = "L6_mood.jsonl"
BOND_FILES = (*personas.FILES, MOOD_FILE, *(f"{layer.name}.jsonl" for layer in (*LAYERS, TURNS)))
FOLDERS_MOST = 1000
# The limit for pages and the API; `import_bond` takes any size.
UPLOAD_MOST = UNPACKED_MOST = 200 * 1024 * 1024

Picture = tuple[Persona, bytes]


def restore(
    file: IO[bytes], *, user: User, now: datetime, reader: Callable[[zipfile.ZipFile], ArchiveReader] = ArchiveReader
) -> list[Bond]:
    """Restore the bonds of an export with new companions. Raises ArchiveError.

    Queues `memory.tasks.embed_restored`, which makes the vectors.
    """
    try:
        with unpacking.open_zip(file) as archive, transaction.atomic():
            deadlines.extend_limits()
            made, pictures = restore_all(reader(archive), user=user, now=now)
    except MaterialError as error:
        raise zip_files.to_archive_error(error) from error
    except (IntegrityError, DataError) as error:
        raise ArchiveError("invalid", "This export is broken: a row violates a constraint.") from error
    # A rollback does not delete files.
    for persona, picture in pictures:
        avatars.put(persona=persona, content=picture)
    return made


def restore_all(source: ArchiveReader, *, user: User, now: datetime) -> tuple[list[Bond], list[Picture]]:
    """Return the bonds, and the companions' pictures, which are not written yet."""
    bonds, alone = list_folders(source, "bonds"), list_folders(source, "personas")
    known = [f"{folder}/{name}" for folder in bonds for name in BOND_FILES]
    known += [f"{folder}/{name}" for folder in alone for name in personas.FILES]
    source.check_names([*ROOT_FILES, *known])
    if not bonds:
        raise ArchiveError("invalid", "This export has no companion.")
    made = {folder: restore_bond(source, folder, user=user, now=now) for folder in bonds}
    without = {folder: restore_unbonded_persona(source, folder, user=user, now=now) for folder in alone}
    there = [*((folder, bond.persona) for folder, bond in made.items()), *without.items()]
    pictures = [(persona, picture) for folder, persona in there if (picture := personas.load_picture(source, folder))]
    return list(made.values()), pictures


def restore_unbonded_persona(source: ArchiveReader, folder: str, *, user: User, now: datetime) -> Persona:
    persona = personas.restore_persona(owner=user, source=source, folder=folder, now=now)
    personas.restore_texts(persona, None, user=user, source=source, folder=folder)
    return persona


def list_folders(source: ArchiveReader, kind: str) -> list[str]:
    named = source.manifest.get(kind)
    if not isinstance(named, list) or len(named) > FOLDERS_MOST:
        raise ArchiveError("invalid", "This export is broken: its manifest does not list %(kind)s.", kind=kind)
    for name in named:
        if not isinstance(name, str) or not name.removeprefix(f"{kind}/").isdecimal():
            raise ArchiveError(
                "invalid",
                "This export is broken: %(name)s is not a folder in it.",
                name=zip_files.clean_name(str(name)),
            )
    return list(dict.fromkeys(named))


def restore_bond(source: ArchiveReader, folder: str, *, user: User, now: datetime) -> Bond:
    persona = personas.restore_persona(owner=user, source=source, folder=folder, now=now)
    bond = personas.save_row(Bond(user=user, persona=persona, **personas.clean_values(Bond, read_mood(source, folder))))
    personas.restore_texts(persona, bond, user=user, source=source, folder=folder)
    restored = restoring.restore(bond, source=source, folder=folder, now=now)
    restoring.write_rows(restoring.read_rows([TURNS], source, folder), restored, remap_trace)
    queue.enqueue("memory.tasks.embed_restored", bond.pk)
    return bond


def read_mood(source: ArchiveReader, folder: str) -> dict[str, Any]:
    names = ("created_at", "mood", "energy", "last_user_signal", "mood_updated_at")
    rows = list(source.read_rows(f"{folder}/{MOOD_FILE}"))
    if len(rows) != 1 or rows[0].keys() != set(names):
        raise ArchiveError("invalid", "This export is broken: it has no mood.")
    return rows[0]


def remap_trace(turn: Turn, restored: RestoredIds) -> None:
    if turn.trace:
        trace = Trace.read(turn)
        trace.replace_ids(
            node=partial(restored.get_new_id, ConceptNode),
            message=partial(restored.get_new_id, Message),
            entity=partial(restored.get_new_id, Entity),
        )
        turn.trace = trace.as_json()
