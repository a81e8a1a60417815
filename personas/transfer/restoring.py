"""Restores a persona and its L1 blocks from files. A restore counts as an explicit save by the person who runs it."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models

from echovessel.archives import columns
from echovessel.archives.zip_files import BROKEN, ArchiveError, ArchiveReader
from personas import answering, avatars
from personas.cards.values import UnkeepableValue, clean_value
from personas.models import (
    BlockRevision,
    Bond,
    CoreBlock,
    KeptCard,
    LoreEntry,
    Opening,
    OpeningRevision,
    Persona,
    PersonaFacts,
    User,
)
from personas.transfer.exporting import AVATAR, BLOCKS, CARD, LORE, LORE_COLUMNS, OPENING, PERSONA

Row = TypeVar("Row", bound=models.Model)
FILES = (PERSONA, BLOCKS, OPENING, LORE, CARD, AVATAR)
PERSONA_KEYS = ("name", "nickname", "tagline", "language", "created_at")
BLOCK_KEYS = {"holder", "label", "content", "version", "updated_at", "revisions"}
REVISION_KEYS = {"n", "content", "saved_at"}
OPENING_KEYS = {"n", "greetings", "starters", "saved_at"}


def restore_persona(*, owner: User, source: ArchiveReader, folder: str, now: datetime) -> Persona:
    """Create the persona as the user's own, private. Raises ArchiveError."""
    said = source.read_object(f"{folder}/{PERSONA}")
    facts = said.get("facts", {})
    if not isinstance(facts, dict) or facts.keys() - set(PersonaFacts.NAMES):
        raise make_error("the persona has unknown facts")
    told = {name: said[name] for name in PERSONA_KEYS if said.get(name) is not None} | read_answers(said)
    persona = save_row(Persona(**{"owner": owner, "created_at": now, **clean_values(Persona, told)}))
    save_row(PersonaFacts(persona=persona, **clean_values(PersonaFacts, facts)))
    return persona


def read_answers(said: Mapping[str, Any]) -> dict[str, Any]:
    """Return the columns of how the persona answers, where they are set; older exports have none. Raises ArchiveError."""
    answers = said.get("answers", {})
    if not isinstance(answers, dict) or answers.keys() - set(answering.NAMES):
        raise make_error("the persona has unknown settings")
    return {f"answer_{name}": value for name, value in answers.items() if value is not None}


def load_picture(source: ArchiveReader, folder: str) -> bytes:
    """Return the re-encoded picture, or nothing if there is none. The caller stores it last. Raises ArchiveError."""
    if f"{folder}/{AVATAR}" not in source.entries:
        return b""
    try:
        return avatars.redraw(source.read_file(f"{folder}/{AVATAR}"))
    except avatars.AvatarError as error:
        raise make_error("the picture cannot be read") from error


def restore_texts(persona: Persona, bond: Bond | None, *, user: User, source: ArchiveReader, folder: str) -> None:
    restore_blocks(persona, bond, user=user, source=source, folder=folder)
    restore_opening(persona, user=user, source=source, folder=folder)
    restore_card(persona, source=source, folder=folder)


def restore_blocks(persona: Persona, bond: Bond | None, *, user: User, source: ArchiveReader, folder: str) -> None:
    """Create the blocks with their revisions, as saved by this user. Raises ArchiveError."""
    for line in source.read_rows(f"{folder}/{BLOCKS}"):
        holder = {"persona": persona, "bond": bond}.get(str(line.get("holder")))
        if line.keys() != BLOCK_KEYS or holder is None:
            raise make_error("a text has no owner")
        held: dict[str, Any] = {"persona": persona} if holder is persona else {"bond": bond}
        held |= clean_values(CoreBlock, {name: line[name] for name in ("label", "content", "version", "updated_at")})
        block = save_row(CoreBlock(**held, updated_by=user))
        for said in parse_revisions(line):
            save_row(BlockRevision(block=block, saved_by=user, **clean_values(BlockRevision, said)))


def restore_opening(persona: Persona, *, user: User, source: ArchiveReader, folder: str) -> None:
    """Create the opening with its revisions, as saved by this user. Older exports have none. Raises ArchiveError."""
    if not source.has_rows(f"{folder}/{OPENING}"):
        return
    opening = None
    for line in source.read_rows(f"{folder}/{OPENING}"):
        if line.keys() != OPENING_KEYS:
            raise make_error("a greeting is invalid")
        told = clean_values(OpeningRevision, line)
        if opening is None:
            current = {"version": told.pop("n"), "updated_at": told.pop("saved_at"), **told}
            opening = save_row(Opening(persona=persona, updated_by=user, **current))
        else:
            save_row(OpeningRevision(opening=opening, saved_by=user, **told))


def restore_card(persona: Persona, *, source: ArchiveReader, folder: str) -> None:
    """Create the lore, and what a character card brought besides. Older exports have neither. Raises ArchiveError."""
    if f"{folder}/{CARD}" in source.entries:
        # Not by `save_row`: a card that brought nothing besides has no fields, and is kept all the same.
        fields = clean_object(source.read_object(f"{folder}/{CARD}"), "the card")
        KeptCard.objects.create(persona=persona, fields=fields)
    if not source.has_rows(f"{folder}/{LORE}"):
        return
    for line in source.read_rows(f"{folder}/{LORE}"):
        if line.keys() != set(LORE_COLUMNS):
            raise make_error("a lore entry is invalid")
        told = clean_values(LoreEntry, {name: line[name] for name in LORE_COLUMNS if name != "kept"})
        entry = LoreEntry(persona=persona, **told, kept=clean_object(line["kept"], "a lore entry"))
        entry.fold_keys()
        save_row(entry)


def clean_object(given: Any, what: str) -> dict[str, Any]:
    """Return an object of JSON that the database can hold. Raises ArchiveError."""
    try:
        cleaned = clean_value(given)
    except UnkeepableValue as error:
        raise make_error(f"{what} is invalid") from error
    if not isinstance(cleaned, dict):
        raise make_error(f"{what} is no object")
    return cleaned


def parse_revisions(line: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    found = line["revisions"]
    if not isinstance(found, list):
        raise make_error("a text has no list of revisions")
    for revision in found:
        if not isinstance(revision, dict) or revision.keys() != REVISION_KEYS:
            raise make_error("a revision is invalid")
        yield revision


def save_row(row: Row) -> Row:
    """Validate the columns of a row and insert it. Raises ArchiveError."""
    try:
        # It refers to rows that were just written, and the database looks at constraints anyway.
        row.clean_fields(exclude=[column.name for column in row._meta.fields if column.is_relation])
        row.save(force_insert=True)
    except (ValidationError, TypeError, ValueError, IntegrityError) as error:
        raise make_error(f"a {row._meta.verbose_name} is invalid") from error
    return row


def clean_values(model: type[models.Model], told: Mapping[str, Any]) -> dict[str, Any]:
    """Convert values to the types of their columns. Raises ArchiveError."""
    try:
        return {name: columns.clean_value(model._meta.get_field(name), given) for name, given in told.items()}
    except columns.ColumnError as error:
        raise make_error(f"of a {model._meta.verbose_name} {error}") from error


def make_error(what: str) -> ArchiveError:
    return ArchiveError("invalid", BROKEN, what=what)
