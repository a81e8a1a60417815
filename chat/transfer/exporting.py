"""Export a bond or an account as a zip."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from django.db.models import Q
from pydantic import TypeAdapter

from chat.models import Turn
from chat.turns.trace import Trace
from echovessel.archives.zip_files import ArchiveWriter, FileProgress, ignore_file
from echovessel.postgres import deadlines
from memory.transfer import exporting
from memory.transfer.layers import Layer
from memory.transfer.shapes import Number
from personas.models import Bond, Persona, User
from personas.transfer import exporting as personas

README = Path(__file__).parent / "export_readme.md"
# Runtime state is left out; the text of a finished reply is its message.
TURNS = Layer(
    name="turns",
    model=Turn,
    kept=~Q(status__in=[Turn.Status.PENDING, Turn.Status.RUNNING]),
    left_out=frozenset({"text", "stop_requested"}),
    shapes={"timings": TypeAdapter(dict[str, Number | None]), "trace": TypeAdapter(Trace)},
)
BOND, ACCOUNT = "bond", "account"


def export_bond(bond: Bond, *, now: datetime, say: FileProgress = ignore_file) -> IO[bytes]:
    """Return a zip of one bond, in a file that is deleted when it is closed."""
    with read_snapshot(), open_archive(now, say) as (file, to):
        write_bond(bond, user=bond.user, to=to)
        to.close(kind=BOND, bonds=[get_bond_folder(bond)], personas=[])
    return file


def export_account(user: User, *, now: datetime, say: FileProgress = ignore_file) -> IO[bytes]:
    """Return a zip of everything that a user owns: bonds, personas without a bond, and the account's settings."""
    with read_snapshot(), open_archive(now, say) as (file, to):
        bonds = list(user.bonds.select_related("persona", "user").order_by("id"))
        alone = list(Persona.objects.filter(owner=user).exclude(bonds__user=user).order_by("id"))
        to.write_rows("account.jsonl", [serialize_account(user)])
        for bond in bonds:
            write_bond(bond, user=user, to=to)
        for persona in alone:
            personas.write(persona, bond=None, user=user, to=to, folder=get_persona_folder(persona))
        to.close(kind=ACCOUNT, bonds=[*map(get_bond_folder, bonds)], personas=[*map(get_persona_folder, alone)])
    return file


def write_bond(bond: Bond, *, user: User, to: ArchiveWriter) -> None:
    folder = get_bond_folder(bond)
    personas.write(bond.persona, bond=bond, user=user, to=to, folder=folder)
    exporting.write(bond, to=to, folder=folder, also=[TURNS])
    to.write_rows(f"{folder}/L6_mood.jsonl", [serialize_mood(bond)])


def get_bond_folder(bond: Bond) -> str:
    return f"bonds/{bond.pk}"


def get_persona_folder(persona: Persona) -> str:
    return f"personas/{persona.pk}"


def serialize_mood(bond: Bond) -> dict[str, Any]:
    names = ("created_at", "mood", "energy", "last_user_signal", "mood_updated_at")
    return {name: getattr(bond, name) for name in names}


def serialize_account(user: User) -> dict[str, Any]:
    names = ("username", "email", "display_name", "time_zone", "language", "date_joined")
    return {name: getattr(user, name) for name in names}


@contextmanager
def open_archive(now: datetime, say: FileProgress) -> Iterator[tuple[IO[bytes], ArchiveWriter]]:
    """Open a file to write a zip into, then rewind it. The file is closed if writing fails."""
    with ExitStack() as where_it_fails:
        file = where_it_fails.enter_context(tempfile.TemporaryFile())
        to = ArchiveWriter(file, exported_at=now, say=say)
        to.write_file("README.md", README.read_text(encoding="utf-8"))
        yield file, to
        file.seek(0)
        where_it_fails.pop_all()


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Let every query see the database as it is at the first one."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        # The snapshot of a transaction that is already open cannot change.
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        deadlines.extend_limits()
        yield
