"""Exports a persona and its L1 blocks as files."""

import json
from collections.abc import Iterator
from typing import Any

from echovessel.archives.zip_files import ArchiveWriter, encode_value
from personas import avatars
from personas.cards import load_facts
from personas.models import Bond, CoreBlock, Persona, User

PERSONA, BLOCKS, AVATAR = "persona.json", "L1_blocks.jsonl", "avatar.webp"


def write(persona: Persona, *, bond: Bond | None, user: User, to: ArchiveWriter, folder: str) -> None:
    """Write a persona with its blocks and those of the user's bond. A persona of another owner is written without its own blocks."""
    is_own = persona.owner_id == user.pk
    shown: dict[str, Any] = {"name": persona.name, "tagline": persona.tagline}
    if is_own:
        shown |= {"language": persona.language, "facts": load_facts(persona), "visibility": persona.visibility}
        shown |= {"created_at": persona.created_at, "archived_at": persona.archived_at}
    to.write_file(f"{folder}/{PERSONA}", json.dumps(shown, ensure_ascii=False, indent=2, default=encode_value))
    to.write_rows(f"{folder}/{BLOCKS}", serialize_blocks(persona if is_own else None, bond))
    if picture := avatars.load_readable(persona):
        to.write_file(f"{folder}/{AVATAR}", picture)


def serialize_blocks(persona: Persona | None, bond: Bond | None) -> Iterator[dict[str, Any]]:
    for name, holder in (("persona", persona), ("bond", bond)):
        for block in holder.blocks.order_by("id") if holder else ():
            yield {"holder": name, **serialize_block(block), "revisions": serialize_revisions(block)}


def serialize_block(block: CoreBlock) -> dict[str, Any]:
    return {"label": block.label, "content": block.content, "version": block.version, "updated_at": block.updated_at}


def serialize_revisions(block: CoreBlock) -> list[dict[str, Any]]:
    return [dict(revision) for revision in block.revisions.order_by("n").values("n", "content", "saved_at")]
