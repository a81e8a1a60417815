"""Files that people bring along, read as text: notes, tables, chat exports, character cards.

Nothing of a file is believed: its size is known before it is unpacked or parsed, and what it says is text, never code.
"""

from echovessel.materials.material import BYTES_MOST, Material, MaterialError, Passage
from echovessel.materials.png import SIGNATURE as PNG_SIGNATURE
from echovessel.materials.reading import parse

__all__ = ["BYTES_MOST", "PNG_SIGNATURE", "Material", "MaterialError", "Passage", "parse"]
