"""Everything of a bond, or of an account, in one zip."""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from django.db import connection, transaction
from django.db.models import Q

from chat.models import Turn
from chat.transfer import shapes
from echovessel.archives.zip_files import Say, Writer, silent
from echovessel.postgres import deadlines
from memory.transfer import exporting
from memory.transfer.layers import Layer
from personas.models import Bond, Persona, User
from personas.transfer import exporting as personas

README = Path(__file__).parent / "export_readme.md"
# What is going on now is no memory yet; a reply's text is the line that it became.
TURNS = Layer(
    name="turns",
    model=Turn,
    kept=~Q(status__in=[Turn.Status.PENDING, Turn.Status.RUNNING]),
    left_out=frozenset({"text", "stop_requested"}),
    shapes={"timings": shapes.TIMINGS, "trace": shapes.TRACE},
)
BOND, ACCOUNT = "bond", "account"


def of_bond(bond: Bond, *, now: datetime, say: Say = silent) -> IO[bytes]:
    """A zip of one bond, in a file that is gone once it is closed."""
    with one_view(), packing(now, say) as (file, to):
        write_bond(bond, user=bond.user, to=to)
        to.close(kind=BOND, bonds=[bond_folder(bond)], personas=[])
    return file


def of_account(user: User, *, now: datetime, say: Say = silent) -> IO[bytes]:
    """A zip of all that is a user's own: bonds, personas without one, and the account's settings."""
    with one_view(), packing(now, say) as (file, to):
        bonds = list(user.bonds.select_related("persona", "user").order_by("id"))
        alone = list(Persona.objects.filter(owner=user).exclude(bonds__user=user).order_by("id"))
        to.lines("account.jsonl", [account(user)])
        for bond in bonds:
            write_bond(bond, user=user, to=to)
        for persona in alone:
            personas.write(persona, bond=None, user=user, to=to, folder=persona_folder(persona))
        to.close(kind=ACCOUNT, bonds=[*map(bond_folder, bonds)], personas=[*map(persona_folder, alone)])
    return file


def write_bond(bond: Bond, *, user: User, to: Writer) -> None:
    folder = bond_folder(bond)
    personas.write(bond.persona, bond=bond, user=user, to=to, folder=folder)
    exporting.write(bond, to=to, folder=folder, also=[TURNS])
    to.lines(f"{folder}/L6_mood.jsonl", [mood(bond)])


def bond_folder(bond: Bond) -> str:
    return f"bonds/{bond.pk}"


def persona_folder(persona: Persona) -> str:
    return f"personas/{persona.pk}"


def mood(bond: Bond) -> dict[str, Any]:
    names = ("created_at", "mood", "energy", "last_user_signal", "mood_updated_at")
    return {name: getattr(bond, name) for name in names}


def account(user: User) -> dict[str, Any]:
    names = ("username", "email", "display_name", "time_zone", "language", "date_joined")
    return {name: getattr(user, name) for name in names}


@contextmanager
def packing(now: datetime, say: Say) -> Iterator[tuple[IO[bytes], Writer]]:
    """A file to pack into, ready to be read from its beginning afterwards; gone where packing fails."""
    with ExitStack() as where_it_fails:
        file = where_it_fails.enter_context(tempfile.TemporaryFile())
        to = Writer(file, exported_at=now, say=say)
        to.text("README.md", README.read_text(encoding="utf-8"))
        yield file, to
        file.seek(0)
        where_it_fails.pop_all()


@contextmanager
def one_view() -> Iterator[None]:
    """Every query in it sees the database as the first one does; what is said meanwhile is not half there."""
    is_outermost = not connection.in_atomic_block
    with transaction.atomic():
        # A transaction that is open already has chosen its view.
        if is_outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        deadlines.be_patient()
        yield
