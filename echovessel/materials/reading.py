from pathlib import PurePath

from echovessel.materials import cards, chat_lines, chatgpt, diary, json_texts, png, tables, unpacking
from echovessel.materials.decoding import decode_text
from echovessel.materials.material import BYTES_MOST, Material, MaterialError
from echovessel.text import strip_unstorable

UNKNOWN = "This kind of file is not known here. Text (.txt, .md), JSON, CSV, ChatGPT exports (.json, .zip) and character cards (.json, .png) can be read."
EMPTY = "This file is empty or has no text."
PLAIN = {"": "txt", ".txt": "txt", ".text": "txt", ".md": "md", ".markdown": "md"}
PICTURES = (b"\xff\xd8\xff", b"RIFF", b"GIF8")


def parse(name: str, content: bytes) -> Material:
    """Parse a file by its first bytes and its name. Raises MaterialError."""
    if len(content) > BYTES_MOST:
        raise MaterialError(
            "too_long", "This file is too large; at most %(most)s MiB are read.", most=BYTES_MOST // 2**20
        )
    if not content.strip():
        raise MaterialError("invalid", EMPTY)
    material = parse_by_kind(PurePath(name).suffix.lower(), content)
    if not material.text.strip():
        raise MaterialError("invalid", EMPTY)
    return material


def parse_by_kind(suffix: str, content: bytes) -> Material:
    if content.startswith(png.SIGNATURE):
        return cards.parse_card(png.extract_card(content))
    if content.startswith(PICTURES):
        raise MaterialError("invalid", "Only the original PNG file of a character card contains the card.")
    if unpacking.is_zip(content):
        return chatgpt.parse_zip(content)
    if suffix == ".json":
        return parse_json(decode_text(content))
    if suffix == ".csv":
        return tables.parse_table(decode_text(content))
    if suffix not in PLAIN:
        raise MaterialError("invalid", UNKNOWN)
    text = strip_unstorable(decode_text(content))
    if chat := chat_lines.mark_speakers(text):
        return Material("chat", chat, diary.split_entries(chat))
    return Material(PLAIN[suffix], text, diary.split_entries(text))


def parse_json(text: str) -> Material:
    if chatgpt.is_export(text):
        return chatgpt.parse_texts([text])
    card = cards.find_card(text)
    if card is not None:
        return cards.to_material(card)
    return Material("json", json_texts.flatten(text))
