from pathlib import PurePath

from echovessel.materials import cards, chatgpt, diary, json_texts, png, tables, unpacking
from echovessel.materials.decoding import decoded
from echovessel.materials.material import BYTES_MOST, Material, MaterialError
from echovessel.texts import storable

KNOWN = "Text (.txt, .md), JSON, CSV, ChatGPT exports (.json, .zip) and character cards (.json, .png) can be read."
EMPTY = "This file is empty, or holds no text."
PLAIN = {"": "txt", ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md"}
PICTURES = (b"\xff\xd8\xff", b"RIFF", b"GIF8")


def read(name: str, content: bytes) -> Material:
    """The text of a file, by what its first bytes and its name say it is. Raises MaterialError."""
    if len(content) > BYTES_MOST:
        raise MaterialError("too_long", f"This file is too large; at most {BYTES_MOST // 2**20} MiB are read.")
    if not content.strip():
        raise MaterialError("invalid", EMPTY)
    material = read_kind(PurePath(name).suffix.lower(), content)
    if not material.text.strip():
        raise MaterialError("invalid", EMPTY)
    return material


def read_kind(suffix: str, content: bytes) -> Material:
    if content.startswith(png.SIGNATURE):
        return cards.material(png.card_text(content))
    if content.startswith(PICTURES):
        raise MaterialError("invalid", "A picture holds a character card only if it is the card's own PNG file.")
    if unpacking.is_zip(content):
        return chatgpt.unpacked(content)
    if suffix == ".json":
        return read_json(decoded(content))
    if suffix == ".csv":
        return tables.material(decoded(content))
    if suffix not in PLAIN:
        raise MaterialError("invalid", f"This kind of file is not known here. {KNOWN}")
    text = storable(decoded(content))
    return Material(PLAIN[suffix], text, diary.entries(text))


def read_json(text: str) -> Material:
    if chatgpt.is_export(text):
        return chatgpt.material([text])
    card = cards.found(text)
    if card is not None:
        return cards.as_material(card)
    return Material("json", json_texts.flattened(text))
