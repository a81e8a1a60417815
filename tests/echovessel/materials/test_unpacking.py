import io
import struct
import zipfile
from contextlib import suppress
from itertools import product

import pytest

from echovessel.materials import MaterialError, unpacking
from tests.echovessel.materials.files import zipped

TEXT = zipped(a__txt="as it was said, " * 200)
LOCAL_NAME = 30
DIRECTORY = TEXT.index(b"PK\x01\x02")


def changed(at, value, content=TEXT):
    return content[:at] + value + content[at + len(value) :]


def first(content, most=2**20):
    with unpacking.open_zip(io.BytesIO(content)) as archive:
        return unpacking.read_entry(archive, archive.infolist()[0], most=most)


def lines(content, most=2**20):
    with unpacking.open_zip(io.BytesIO(content)) as archive:
        return list(unpacking.read_lines(archive, archive.infolist()[0], most=most))


def packed(kind):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", kind) as archive:
        archive.writestr("a.txt", "hello")
    return file.getvalue()


def with_long_contents(size):
    """An end of which an older field tells a small table of contents, and the newer one that counts a large one."""
    at = TEXT.rindex(b"PK\x05\x06")
    newer = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, size, DIRECTORY)
    where = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    return TEXT[:at] + newer + where + TEXT[at:]


@pytest.mark.parametrize(
    "error", [RuntimeError, NotImplementedError, EOFError, UnicodeDecodeError("x", b"", 0, 1, "x")]
)
def test_what_goes_wrong_with_a_zip_in_hand_is_not_the_fault_of_the_zip(error):
    with pytest.raises(error if isinstance(error, type) else type(error)), unpacking.open_zip(io.BytesIO(TEXT)):
        raise error


BROKEN = {
    "no table of contents": changed(DIRECTORY, b"XX"),
    "no file where it should be": changed(0, b"XX"),
    "another name": changed(LOCAL_NAME, b"b"),
    "a name that is no text": changed(LOCAL_NAME, b"\xff", changed(6, b"\0\x08")),
    "other bytes": changed(LOCAL_NAME + 5, b"\xff\xff\xff\xff"),
    "another checksum": changed(DIRECTORY + 16, b"\1\2\3\4"),
    "an early end": changed(DIRECTORY + 20, b"\5\0\0\0"),
    "a place beyond the end": changed(DIRECTORY + 42, b"\xff\xff\xff\x0f"),
    "a version of the future": changed(DIRECTORY + 6, b"\xff"),
    "encrypted": changed(DIRECTORY + 8, b"\1"),
    "strongly encrypted": changed(DIRECTORY + 8, b"\x40"),
    "patched": changed(DIRECTORY + 8, b"\x20"),
    "an unknown kind": changed(DIRECTORY + 10, b"\x63"),
    "another kind": packed(zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN.keys())
def test_what_is_wrong_with_the_zip_itself_is_told(content):
    for read in (first, lines):
        with pytest.raises(MaterialError) as caught:
            read(content)

        assert (caught.value.code, caught.value.detail) == ("invalid", unpacking.BROKEN)


def test_a_zip_unpacks_to_what_went_into_it():
    content = zipped(a__txt="one\ntwo\nthree")

    assert first(content) == b"one\ntwo\nthree"
    assert lines(content) == [b"one\n", b"two\n", b"three"]
    assert first(packed(zipfile.ZIP_STORED)) == b"hello"


@pytest.mark.parametrize("read", [first, lines])
def test_what_unpacks_to_more_is_refused(read):
    assert read(zipped(a__txt="12345678"), most=8) in (b"12345678", [b"12345678"])
    with pytest.raises(MaterialError, match="unpacks to too much"):
        read(zipped(a__txt="123456789"), most=8)


def test_a_table_of_contents_is_measured_by_the_size_that_counts():
    assert first(with_long_contents(len(TEXT) - DIRECTORY - 22)) == first(TEXT)
    with pytest.raises(MaterialError, match="too many files"):
        first(with_long_contents(unpacking.CONTENTS_MOST + 1))


def test_no_wrong_byte_is_an_error_of_another_kind():
    for at, value in product(range(len(TEXT)), [b"\0", b"\1", b"\x7f", b"\xff", b"P"]):
        with suppress(MaterialError), unpacking.open_zip(io.BytesIO(changed(at, value))) as archive:
            for entry in archive.infolist():
                unpacking.read_entry(archive, entry, most=2**20)
