"""Reads the text chunks of a PNG, which may hold a character card."""

import base64
import binascii
import struct
import zlib
from collections.abc import Callable, Iterator

from echovessel.materials.material import MaterialError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
# The newer format comes first if a picture holds both.
KEYWORDS = (b"ccv3", b"chara")
CARD_MOST = 8 * 2**20
TOO_LARGE = "This character card is too large; at most 8 MiB are read."
_HEAD = struct.Struct(">I4s")
_BROKEN = "The character card in this PNG is broken."


def extract_card(content: bytes) -> bytes:
    """Return the JSON of the card inside a PNG. Raises MaterialError."""
    held = dict(find_text_chunks(content))
    keyword = next((keyword for keyword in KEYWORDS if keyword in held), None)
    if keyword is None:
        raise MaterialError("invalid", "This picture has no character card.")
    kind, rest = held[keyword]
    try:
        return base64.b64decode(READERS[kind](rest))
    except binascii.Error as error:
        raise MaterialError("invalid", _BROKEN) from error


def find_text_chunks(content: bytes) -> Iterator[tuple[bytes, tuple[bytes, bytes]]]:
    """Yield the keyword, kind and raw content of each text chunk that may hold a card."""
    for kind, body in iterate_chunks(content):
        keyword, _, rest = body.partition(b"\0")
        if keyword in KEYWORDS and kind in READERS:
            yield keyword, (kind, rest)


def iterate_chunks(content: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = len(SIGNATURE)
    while at + _HEAD.size <= len(content):
        length, kind = _HEAD.unpack_from(content, at)
        at += _HEAD.size
        if at + length > len(content):
            raise MaterialError("invalid", "This PNG is incomplete.")
        yield kind, content[at : at + length]
        # A checksum of four bytes follows.
        at += length + 4


def read_compressed(rest: bytes) -> bytes:
    """Skip the byte of the compression method: there is only one method."""
    return inflate(rest[1:])


def read_international(rest: bytes) -> bytes:
    """Skip two bytes of compression, a language and a translated keyword."""
    is_compressed = rest[:1] == b"\1"
    value = rest[2:].partition(b"\0")[2].partition(b"\0")[2]
    return inflate(value) if is_compressed else value


def inflate(value: bytes) -> bytes:
    try:
        found = zlib.decompressobj().decompress(value, 2 * CARD_MOST)
    except zlib.error as error:
        raise MaterialError("invalid", _BROKEN) from error
    if len(found) == 2 * CARD_MOST:
        raise MaterialError("too_long", TOO_LARGE)
    return found


READERS: dict[bytes, Callable[[bytes], bytes]] = {b"tEXt": bytes, b"zTXt": read_compressed, b"iTXt": read_international}
