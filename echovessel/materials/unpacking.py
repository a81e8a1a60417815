"""Reads untrusted zip files: the sizes of the central directory and of unpacked files are bounded."""

import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from typing import IO

from echovessel.materials.material import MaterialError

# The central directory of a zip with about twenty thousand files.
CONTENTS_MOST = 4 * 2**20
_BEGIN = (b"PK\x03\x04", b"PK\x05\x06")
_END = struct.Struct("<4s4H2LH")
_COMMENT_MOST = 0xFFFF
# Before its end a large zip (zip64) has a locator and a longer end record.
_LONG_PLACE = struct.Struct("<4sLQL")
_LONG_END = struct.Struct("<4sQ2H2L4Q")
_ENCRYPTED, _PATCHED, _STRONGLY_ENCRYPTED = 0x1, 0x20, 0x40
_UNREADABLE = _ENCRYPTED | _PATCHED | _STRONGLY_ENCRYPTED
_KINDS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
BROKEN = "This zip file is broken or encrypted."


def is_zip(content: bytes) -> bool:
    return content.startswith(_BEGIN)


def open_zip(file: IO[bytes]) -> zipfile.ZipFile:
    """Open a zip file with a bounded central directory. Raises MaterialError."""
    if read_contents_size(file) > CONTENTS_MOST:
        raise MaterialError("too_long", "This zip file has too many files.")
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError) as error:
        # zipfile raises NotImplementedError for unknown versions of the format.
        raise MaterialError("invalid", BROKEN) from error


def read_contents_size(file: IO[bytes]) -> int:
    """Read the size of the central directory from the end of the file, as zipfile does."""
    size = file.seek(0, 2)
    file.seek(max(0, size - _END.size - _COMMENT_MOST - _LONG_PLACE.size - _LONG_END.size))
    tail = file.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise MaterialError("invalid", BROKEN)
    return max(int(_END.unpack_from(tail, at)[5]), read_zip64_size(tail[:at]))


def read_zip64_size(before: bytes) -> int:
    """Return the size in the zip64 record, or 0; zipfile prefers it to the other."""
    at = len(before) - _LONG_PLACE.size - _LONG_END.size
    if at < 0 or not before[-_LONG_PLACE.size :].startswith(b"PK\x06\x07"):
        return 0
    return int(_LONG_END.unpack_from(before, at)[8])


def read_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, *, most: int) -> bytes:
    """Read a file of the zip, bounded while it is unpacked: the declared size may be wrong."""
    with open_entry(archive, entry) as stream:
        return read_bounded(stream.read, most=most)


def read_lines(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, *, most: int) -> Iterator[bytes]:
    """Yield the lines of a file of the zip; none may be longer than `most` bytes."""
    with open_entry(archive, entry) as stream:
        while line := read_bounded(stream.readline, most=most):
            yield line


def open_entry(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> IO[bytes]:
    # A wrong central directory may place files before the beginning of the zip.
    if entry.flag_bits & _UNREADABLE or entry.compress_type not in _KINDS or entry.header_offset < 0:
        raise MaterialError("invalid", BROKEN)
    try:
        return archive.open(entry)
    except (zipfile.BadZipFile, UnicodeDecodeError) as error:
        raise MaterialError("invalid", BROKEN) from error


def read_bounded(read: Callable[[int], bytes], *, most: int) -> bytes:
    try:
        content = read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError) as error:
        raise MaterialError("invalid", BROKEN) from error
    if len(content) > most:
        raise MaterialError(
            "too_long", "This zip file unpacks to too much; at most %(most)s MiB are read.", most=most // 2**20
        )
    return content
