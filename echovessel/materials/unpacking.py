"""Zip files from outside: their table of contents and what they unpack to are bounded before they are read."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

from echovessel.materials.material import MaterialError

# The table of contents of a zip with some twenty thousand files.
CONTENTS_MOST = 4 * 2**20
_BEGIN = (b"PK\x03\x04", b"PK\x05\x06")
_END = struct.Struct("<4s4H2LH")
_COMMENT_MOST = 0xFFFF
BROKEN = "This zip file is broken or encrypted."


def is_zip(content: bytes) -> bool:
    return content.startswith(_BEGIN)


@contextmanager
def opened(file: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """A zip file whose table of contents is small enough to be held; what it is broken by is a MaterialError."""
    if contents_size(file) > CONTENTS_MOST:
        raise MaterialError("too_long", "This zip file holds too many files.")
    try:
        with zipfile.ZipFile(file) as archive:
            yield archive
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, UnicodeDecodeError) as error:
        # RuntimeError is what zipfile says of encrypted files, NotImplementedError of kinds of compression it does not know.
        raise MaterialError("invalid", BROKEN) from error


def contents_size(file: IO[bytes]) -> int:
    """The size of the table of contents as the end of the file says, which is what zipfile goes by."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END.size - _COMMENT_MOST))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise MaterialError("invalid", BROKEN)
    return int(_END.unpack_from(tail, at)[5])


def unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, *, most: int) -> bytes:
    """A file of the zip, counted while it is unpacked: what the table of contents says of sizes may be wrong."""
    with archive.open(entry) as stream:
        content = stream.read(most + 1)
    if len(content) > most:
        raise MaterialError("too_long", f"This zip file unpacks to too much; at most {most // 2**20} MiB are read.")
    return content
