"""Character cards of version 3, which other programs read too: https://github.com/kwaroran/character-card-spec-v3."""

import base64
import json
import struct
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image

from personas import avatars, blocks
from personas.models import CoreBlock, Persona, PersonaFacts

EXTENSION = "echovessel"
_PAPER, _SIDE = (250, 247, 242), 512
_EMPTY_TEXTS = ("scenario", "first_mes", "mes_example", "system_prompt", "post_history_instructions")


def build_card(persona: Persona) -> dict[str, Any]:
    """A persona as a card: what other programs have no field for stands in an extension of our own."""
    own = {"tagline": persona.tagline, "language": persona.language, "facts": load_facts(persona)}
    fields = {
        **dict.fromkeys(_EMPTY_TEXTS, ""),
        "name": persona.name,
        "description": load_text(persona, CoreBlock.Label.PERSONA),
        "personality": load_text(persona, CoreBlock.Label.STYLE),
        "creator_notes": persona.tagline,
        "alternate_greetings": [],
        "group_only_greetings": [],
        "tags": [],
        "creator": "",
        "character_version": "",
        "creation_date": int(persona.created_at.timestamp()),
        "extensions": {EXTENSION: own},
    }
    return {"spec": "chara_card_v3", "spec_version": "3.0", "data": fields}


def get_extension(card: Mapping[str, Any]) -> dict[str, Any]:
    """What a card holds that only an install like this one writes; empty for all others."""
    extensions = card.get("extensions")
    own = extensions.get(EXTENSION) if isinstance(extensions, dict) else None
    return own if isinstance(own, dict) else {}


def load_text(persona: Persona, label: str) -> str:
    block = blocks.find(persona, label)
    return block.content if block else ""


def load_facts(persona: Persona) -> dict[str, str]:
    facts = PersonaFacts.objects.filter(persona=persona).first() or PersonaFacts()
    return {name: value for name, value in facts.as_dict().items() if value}


def encode_json(card: Mapping[str, Any]) -> bytes:
    return json.dumps(card, ensure_ascii=False, indent=2).encode()


def encode_png(card: Mapping[str, Any], *, picture: bytes) -> bytes:
    """The card inside a picture; older programs look for `chara`, newer ones for `ccv3`."""
    drawn = BytesIO()
    make_picture(picture).save(drawn, "PNG")
    text = base64.b64encode(json.dumps(card, ensure_ascii=False).encode())
    older = base64.b64encode(json.dumps({**card, "spec": "chara_card_v2", "spec_version": "2.0"}).encode())
    content = drawn.getvalue()
    # Text may stand anywhere between the head, which is 33 bytes long with the signature, and the end.
    return content[:33] + make_text_chunk(b"chara", older) + make_text_chunk(b"ccv3", text) + content[33:]


def make_picture(picture: bytes) -> Image.Image:
    if not picture:
        return Image.new("RGB", (_SIDE, _SIDE), _PAPER)
    return avatars.decode(picture).convert("RGB")


def make_text_chunk(keyword: bytes, text: bytes) -> bytes:
    body = b"tEXt" + keyword + b"\0" + text
    return struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
