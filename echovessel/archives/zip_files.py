"""Reads and writes exports: zips of JSON Lines. Reading trusts no size, name or count in the file."""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator
from datetime import date, datetime
from io import TextIOWrapper
from typing import IO, Any
from uuid import UUID

from echovessel.errors import CodedError
from echovessel.materials import MaterialError, unpacking
from echovessel.text import strip_unstorable

FORMAT = "echovessel"
VERSION = 1
MANIFEST = "manifest.json"
LINE_MOST = 4 * 2**20
UNPACKED_MOST = 1024 * 2**20
BROKEN = "This export is broken: %(what)s."
MORE_ROWS = "This export is incomplete: %(name)s has more rows instead of %(wanted)s."
FEWER_ROWS = "This export is incomplete: %(name)s has %(count)s rows instead of %(wanted)s."


class ArchiveError(CodedError):
    """A file that is no export, or an incomplete one."""


# Called after each file with its name and row count.
FileProgress = Callable[[str, int], None]


def ignore_file(name: str, count: int) -> None:
    pass


# Called with the number of rows read, every ROWS_PER_REPORT rows.
RowProgress = Callable[[int], None]
ROWS_PER_REPORT = 500


class ArchiveWriter:
    """Writes files into a zip and counts their rows for the manifest, which comes last."""

    def __init__(self, file: IO[bytes], *, exported_at: datetime, say: FileProgress = ignore_file) -> None:
        self.say = say
        self.zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED)
        self.exported_at = exported_at
        self.counts: dict[str, int] = {}

    def write_file(self, name: str, content: str | bytes) -> None:
        self.zip.writestr(name, content)

    def write_rows(self, name: str, rows: Iterable[dict[str, Any]]) -> None:
        count = 0
        with self.zip.open(name, "w", force_zip64=True) as raw, TextIOWrapper(raw, "utf-8", newline="\n") as out:
            for row in rows:
                out.write(json.dumps(row, ensure_ascii=False, default=encode_value) + "\n")
                count += 1
        self.counts[name] = count
        self.say(name, count)

    def close(self, **about: Any) -> None:
        manifest = {"format": FORMAT, "version": VERSION, "exported_at": self.exported_at, **about, "rows": self.counts}
        self.write_file(MANIFEST, json.dumps(manifest, ensure_ascii=False, indent=2, default=encode_value))
        self.zip.close()


def encode_value(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"A {type(value).__name__} cannot be exported.")


class ArchiveReader:
    """Reads the files of an export whose manifest names them all. Raises ArchiveError."""

    def __init__(
        self,
        archive: zipfile.ZipFile,
        *,
        say: FileProgress = ignore_file,
        tell: RowProgress = lambda count: None,
        most: int = UNPACKED_MOST,
    ) -> None:
        self.zip = archive
        self.say = say
        self.tell = tell
        self.left = most
        self.rows_read = 0
        entries = archive.infolist()
        self.entries = {entry.filename: entry for entry in entries}
        if len(self.entries) < len(entries):
            raise ArchiveError("invalid", "This export is broken: it has a file twice.")
        if self.get_unpacked_size() > most:
            raise ArchiveError(
                "too_long", "This export unpacks to too much; at most %(most)s MiB are read.", most=most // 2**20
            )
        if MANIFEST not in self.entries:
            raise ArchiveError("invalid", "This is not an export: it has no manifest.json.")
        self.manifest = self.read_object(MANIFEST)
        if self.manifest.get("format") != FORMAT:
            raise ArchiveError("invalid", "This is not an EchoVessel export.")
        if self.manifest.get("version") != VERSION:
            raise ArchiveError(
                "invalid",
                "This export has another version (%(version)s); %(known)s can be read.",
                version=f"{self.manifest.get('version')!r:.20}",
                known=VERSION,
            )

    def get_unpacked_size(self) -> int:
        """Return the size that the zip declares. Reading stops there if the zip declares too little."""
        return sum(entry.file_size for entry in self.entries.values())

    def count_rows(self) -> int:
        """Return the number of rows in the manifest. Reading refuses files with more rows."""
        counts = self.manifest.get("rows")
        if not isinstance(counts, dict) or not all(type(count) is int and count >= 0 for count in counts.values()):
            raise ArchiveError("invalid", "This export is broken: its manifest has no row counts.")
        return sum(counts.values())

    def check_names(self, known: Iterable[str]) -> None:
        """Refuse an export that holds other files than these."""
        unknown = self.entries.keys() - set(known)
        if unknown:
            raise ArchiveError(
                "invalid", "This export has an unexpected file: %(name)s.", name=clean_name(min(unknown))
            )

    def read_file(self, name: str) -> bytes:
        try:
            content = unpacking.read_entry(self.zip, self.entries[name], most=min(LINE_MOST, self.left))
        except KeyError as error:
            raise ArchiveError(
                "invalid", "This export is incomplete: %(name)s is missing.", name=clean_name(name)
            ) from error
        self.left -= len(content)
        return content

    def read_object(self, name: str) -> dict[str, Any]:
        return parse_object(self.read_file(name), name)

    def has_rows(self, name: str) -> bool:
        """Whether the export has this file, or says so."""
        counts = self.manifest.get("rows")
        return name in self.entries or (isinstance(counts, dict) and name in counts)

    def read_rows(self, name: str) -> Iterator[dict[str, Any]]:
        """Yield the rows of a file, as many as the manifest says."""
        counts = self.manifest.get("rows")
        wanted = counts.get(name) if isinstance(counts, dict) else None
        if name not in self.entries or type(wanted) is not int:
            raise ArchiveError("invalid", "This export is incomplete: %(name)s is missing.", name=clean_name(name))
        count = 0
        for line in unpacking.read_lines(self.zip, self.entries[name], most=LINE_MOST):
            self.left -= len(line)
            if self.left < 0:
                raise ArchiveError("too_long", "This export unpacks to too much.")
            count += 1
            if count > wanted:
                break
            yield parse_object(line, name)
            self.rows_read += 1
            if self.rows_read % ROWS_PER_REPORT == 0:
                self.tell(self.rows_read)
        if count != wanted:
            raise ArchiveError(
                "invalid",
                MORE_ROWS if count > wanted else FEWER_ROWS,
                name=clean_name(name),
                count=count,
                wanted=f"{wanted!r:.20}",
            )
        self.say(name, count)


def parse_object(content: bytes, name: str) -> dict[str, Any]:
    try:
        read = content.decode()
        value = json.loads(read)
    except (ValueError, RecursionError) as error:
        raise ArchiveError("invalid", "This export is broken: %(name)s is not JSON.", name=clean_name(name)) from error
    # Characters that cannot be stored appear in JSON only as escapes.
    if not isinstance(value, dict) or ("\\u" in read and not is_storable(value)):
        raise ArchiveError(
            "invalid", "This export is broken: %(name)s has something other than rows.", name=clean_name(name)
        )
    return value


def is_storable(value: Any) -> bool:
    """Whether the database can store all texts in the value, which may be nested deeply."""
    left = [value]
    while left:
        at = left.pop()
        if isinstance(at, str) and strip_unstorable(at) != at:
            return False
        if isinstance(at, dict):
            left += [*at.keys(), *at.values()]
        elif isinstance(at, list):
            left += at
    return True


def clean_name(name: str) -> str:
    return strip_unstorable("".join(character for character in name if character.isprintable()))[:80]


def to_archive_error(error: MaterialError) -> ArchiveError:
    return ArchiveError(error.code, error.sentence, **error.values)
