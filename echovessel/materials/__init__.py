"""Reads people's files as text: notes, tables, chat exports, character cards.

Files are untrusted: sizes are checked before a file is unpacked or parsed, and its content is text, never code.
"""

from echovessel.materials.material import BYTES_MOST, CHATS, Material, MaterialError, Passage
from echovessel.materials.png import SIGNATURE as PNG_SIGNATURE
from echovessel.materials.reading import parse

__all__ = ["BYTES_MOST", "CHATS", "PNG_SIGNATURE", "Material", "MaterialError", "Passage", "parse"]
