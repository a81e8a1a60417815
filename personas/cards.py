"""Character cards of version 3, which other programs read too: https://github.com/kwaroran/character-card-spec-v3."""

import base64
import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from personas import avatars, blocks
from personas.models import CoreBlock, Persona, PersonaFacts

EXTENSION = "echovessel"
_PAPER, _SIDE = (250, 247, 242), 512
_EMPTY_TEXTS = ("scenario", "first_mes", "mes_example", "system_prompt", "post_history_instructions")


def build_card(persona: Persona) -> dict[str, Any]:
    """Return a persona as a card. Fields that the format lacks go into our own extension."""
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
    """Return the extension that EchoVessel writes, or nothing for cards of other programs."""
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
    """Embed the card in a picture: older programs read `chara`, newer ones `ccv3`."""
    older = json.dumps({**card, "spec": "chara_card_v2", "spec_version": "2.0"})
    chunks = PngInfo()
    chunks.add_text("chara", base64.b64encode(older.encode()).decode())
    chunks.add_text("ccv3", base64.b64encode(json.dumps(card, ensure_ascii=False).encode()).decode())
    image = avatars.decode(picture).convert("RGB") if picture else Image.new("RGB", (_SIDE, _SIDE), _PAPER)
    file = BytesIO()
    image.save(file, "PNG", pnginfo=chunks)
    return file.getvalue()
