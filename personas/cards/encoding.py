"""Writes a card as a file: JSON, or a picture that holds it."""

import base64
import json
from collections.abc import Mapping
from io import BytesIO
from typing import Any

from PIL import Image, ImageDraw
from PIL.PngImagePlugin import PngInfo

from personas import avatars

_PAPER, _LINE, _SIDE = (250, 247, 242), (138, 90, 18), 512


def encode_json(card: Mapping[str, Any]) -> bytes:
    return json.dumps(card, ensure_ascii=False, indent=2).encode()


def encode_png(card: Mapping[str, Any], *, picture: bytes) -> bytes:
    """Embed the card in a picture: older programs read `chara`, newer ones `ccv3`."""
    older = json.dumps({**card, "spec": "chara_card_v2", "spec_version": "2.0"})
    chunks = PngInfo()
    chunks.add_text("chara", base64.b64encode(older.encode()).decode())
    chunks.add_text("ccv3", base64.b64encode(json.dumps(card, ensure_ascii=False).encode()).decode())
    image = avatars.decode(picture).convert("RGB") if picture else draw_vessel()
    file = BytesIO()
    image.save(file, "PNG", pnginfo=chunks)
    return file.getvalue()


def draw_vessel() -> Image.Image:
    """Draw the bowl with a drop above it, for a companion without a picture."""
    image = Image.new("RGB", (_SIDE, _SIDE), _PAPER)
    pen = ImageDraw.Draw(image)
    pen.ellipse((126, 206, 386, 262), outline=_LINE, width=9)
    pen.arc((126, 104, 386, 364), start=0, end=180, fill=_LINE, width=9)
    pen.line((206, 368, 306, 368), fill=_LINE, width=9)
    pen.ellipse((244, 122, 268, 152), fill=_LINE)
    return image
