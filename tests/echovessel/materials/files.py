"""Files as other programs write them."""

import base64
import io
import json
import struct
import zipfile
import zlib
from typing import Any

PIXEL = zlib.compress(b"\0\xff\0\0")
V1: dict[str, Any] = {
    "name": "Ilse",
    "description": "{{char}} keeps bees in Graz.",
    "personality": "slow, exact",
    "scenario": "{{user}} rents the upper room.",
    "first_mes": "*She looks up.* You are early, {{user}}.",
    "mes_example": "<START>\n{{user}}: Tea?\n{{char}}: Always.",
}
V2: dict[str, Any] = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": V1
    | {
        "creator_notes": "Made in an evening.",
        "system_prompt": "",
        "post_history_instructions": "",
        "alternate_greetings": ["Back already?"],
        "tags": ["bees"],
        "creator": "mara",
        "character_version": "1",
        "extensions": {},
        "character_book": {
            "entries": [
                {"keys": ["Hive Three"], "content": "The angry one.", "enabled": True, "extensions": {}},
                {"keys": ["cellar"], "content": "Not told.", "enabled": False},
            ],
            "extensions": {},
        },
    },
}
V3 = V2 | {"spec": "chara_card_v3", "spec_version": "3.0", "data": V2["data"] | {"nickname": "Ilsebill"}}


def as_json(value):
    return json.dumps(value, ensure_ascii=False).encode()


def chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def text_chunk(kind, keyword, value):
    head = {b"tEXt": b"", b"zTXt": b"\0", b"iTXt": b"\1\0\0\0"}[kind]
    return chunk(kind, keyword + b"\0" + head + (value if kind == b"tEXt" else zlib.compress(value)))


def png(*chunks):
    """A picture of one red dot, with these chunks."""
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + b"".join(chunks) + chunk(b"IDAT", PIXEL) + chunk(b"IEND", b"")


def card_png(card, *, kind=b"tEXt", keyword=b"chara"):
    return png(text_chunk(kind, keyword, base64.b64encode(as_json(card))))


def zipped(**files):
    """A zip; a double underscore in a name stands for its dot."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            archive.writestr(name.replace("__", "."), body)
    return content.getvalue()


def said(id, parent, role, text, at, **changes):
    message = {
        "id": id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": at,
        "content": {"content_type": "text", "parts": [text]},
        "metadata": {},
    }
    return {id: {"id": id, "message": message | changes, "parent": parent, "children": []}}


def conversation(*nodes, title="Bread", current_node=None, create_time=1_700_000_000.5):
    mapping = {"root": {"id": "root", "message": None, "parent": None, "children": []}}
    for node in nodes:
        mapping |= node
    return {
        "title": title,
        "create_time": create_time,
        "update_time": create_time,
        "mapping": mapping,
        "moderation_results": [],
        "current_node": current_node,
    }
