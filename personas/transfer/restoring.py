"""A persona and the texts of L1 from files; restoring is an explicit act of the person who does it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import models

from echovessel.archives import columns
from echovessel.archives.zip_files import ArchiveError, Reader
from personas import avatars
from personas.models import BlockRevision, Bond, CoreBlock, Persona, PersonaFacts, User
from personas.transfer.exporting import AVATAR, BLOCKS, PERSONA

Row = TypeVar("Row", bound=models.Model)
FILES = (PERSONA, BLOCKS, AVATAR)
BLOCK = {"holder", "label", "content", "version", "updated_at", "revisions"}
REVISION = {"n", "content", "saved_at"}


def restore_persona(*, owner: User, source: Reader, folder: str, now: datetime) -> Persona:
    """Make the persona anew, as this user's own and shared with nobody. Raises ArchiveError."""
    said = source.object(f"{folder}/{PERSONA}")
    facts = said.get("facts", {})
    if not isinstance(facts, dict) or facts.keys() - set(PersonaFacts.NAMES):
        raise broken("the persona has other facts")
    told = {name: said[name] for name in ("name", "tagline", "language", "created_at") if said.get(name) is not None}
    persona = saved(Persona(**{"owner": owner, "created_at": now, **checked(Persona, told)}))
    saved(PersonaFacts(persona=persona, **checked(PersonaFacts, facts)))
    return persona


def picture(source: Reader, folder: str) -> bytes:
    """Made anew, to be put once all is certain; nothing where there is none. Raises ArchiveError."""
    if f"{folder}/{AVATAR}" not in source.entries:
        return b""
    try:
        return avatars.made_anew(source.content(f"{folder}/{AVATAR}"))
    except avatars.AvatarError as error:
        raise broken("the picture cannot be read") from error


def restore_blocks(persona: Persona, bond: Bond | None, *, user: User, source: Reader, folder: str) -> None:
    """Write the texts with their revisions, as saved by this user. Raises ArchiveError."""
    for line in source.lines(f"{folder}/{BLOCKS}"):
        holder = {"persona": persona, "bond": bond}.get(str(line.get("holder")))
        if line.keys() != BLOCK or holder is None:
            raise broken("a text is nobody's")
        held: dict[str, Any] = {"persona": persona} if holder is persona else {"bond": bond}
        held |= checked(CoreBlock, {name: line[name] for name in ("label", "content", "version", "updated_at")})
        block = saved(CoreBlock(**held, updated_by=user))
        for said in revisions(line):
            saved(BlockRevision(block=block, saved_by=user, **checked(BlockRevision, said)))


def revisions(line: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    found = line["revisions"]
    if not isinstance(found, list):
        raise broken("a text has no list of revisions")
    for revision in found:
        if not isinstance(revision, dict) or revision.keys() != REVISION:
            raise broken("a revision is none")
        yield revision


def saved(row: Row) -> Row:
    """A row written after its columns were checked."""
    try:
        row.full_clean()
    except (ValidationError, TypeError, ValueError) as error:
        raise broken(f"a {row._meta.verbose_name} cannot be as it says") from error
    row.save(force_insert=True)
    return row


def checked(model: type[models.Model], told: Mapping[str, Any]) -> dict[str, Any]:
    """What is told of a row, as its columns take it. Raises ArchiveError."""
    try:
        return {name: columns.value(model._meta.get_field(name), given) for name, given in told.items()}
    except columns.ColumnError as error:
        raise broken(f"of a {model._meta.verbose_name} {error}") from error


def broken(what: str) -> ArchiveError:
    return ArchiveError("invalid", f"This export is broken: {what}.")
