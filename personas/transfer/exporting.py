"""Exports a persona and its L1 blocks as files."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from echovessel.archives.zip_files import ArchiveWriter, encode_value
from personas import answering, avatars
from personas.cards.building import load_facts
from personas.cards.card import LORE_SETTINGS
from personas.models import Bond, KeptCard, Opening, OpeningRevision, Persona, User

PERSONA, BLOCKS, OPENING, AVATAR = "persona.json", "L1_blocks.jsonl", "L1_opening.jsonl", "avatar.webp"
LORE, CARD = "L1_lore.jsonl", "card.json"
LORE_COLUMNS = ("place", "keys", "content", *LORE_SETTINGS, "kept")


def write(persona: Persona, *, bond: Bond | None, user: User, to: ArchiveWriter, folder: str) -> None:
    """Write a persona with its blocks and those of the user's bond. A persona of another owner is written without its own blocks."""
    is_own = persona.owner_id == user.pk
    shown: dict[str, Any] = {"name": persona.name, "tagline": persona.tagline}
    if is_own:
        shown |= {
            "nickname": persona.nickname,
            "language": persona.language,
            "facts": load_facts(persona),
            "visibility": persona.visibility,
            "answers": answering.get_settings(persona),
        }
        shown |= {"created_at": persona.created_at, "archived_at": persona.archived_at}
    to.write_file(f"{folder}/{PERSONA}", json.dumps(shown, ensure_ascii=False, indent=2, default=encode_value))
    to.write_rows(f"{folder}/{BLOCKS}", serialize_blocks(persona if is_own else None, bond))
    if is_own:
        to.write_rows(f"{folder}/{OPENING}", serialize_opening(persona))
        to.write_rows(f"{folder}/{LORE}", persona.lore.order_by("place", "id").values(*LORE_COLUMNS))
        for kept in KeptCard.objects.filter(persona=persona):
            to.write_file(f"{folder}/{CARD}", json.dumps(kept.fields, ensure_ascii=False))
    if picture := avatars.load_readable(persona):
        to.write_file(f"{folder}/{AVATAR}", picture)


def serialize_blocks(persona: Persona | None, bond: Bond | None) -> Iterator[dict[str, Any]]:
    for name, holder in (("persona", persona), ("bond", bond)):
        for block in holder.blocks.order_by("id") if holder else ():
            written = {name: getattr(block, name) for name in ("label", "content", "version", "updated_at")}
            revisions = block.revisions.order_by("n").values("n", "content", "saved_at")
            yield {"holder": name, **written, "revisions": list(revisions)}


def serialize_opening(persona: Persona) -> Iterator[dict[str, Any]]:
    """Yield the opening's versions, newest first."""
    for opening in Opening.objects.filter(persona=persona):
        yield serialize_version(opening, n=opening.version, saved_at=opening.updated_at)
        for revision in opening.revisions.order_by("-n"):
            yield serialize_version(revision, n=revision.n, saved_at=revision.saved_at)


def serialize_version(texts: Opening | OpeningRevision, *, n: int, saved_at: datetime) -> dict[str, Any]:
    return {"n": n, "greetings": texts.greetings, "starters": texts.starters, "saved_at": saved_at}
