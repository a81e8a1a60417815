"""Exports as the app writes them, and changed ones."""

import json
import zipfile
from io import BytesIO

from chat.transfer import exporting
from tests.support.factories import NOW


def exported(bond):
    with exporting.export_bond(bond, now=NOW) as file:
        return BytesIO(file.read())


def account(user):
    with exporting.export_account(user, now=NOW) as file:
        return BytesIO(file.read())


def files(file):
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def packed(contents):
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in contents.items():
            archive.writestr(name, content)
    return file


def rows(contents, name):
    return [json.loads(line) for line in contents[name].splitlines()]


def put_rows(contents, name, rows):
    contents[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    manifest = json.loads(contents["manifest.json"])
    manifest["rows"][name] = len(rows)
    contents["manifest.json"] = json.dumps(manifest).encode()


def with_rows(contents, folder, count):
    """Pad it with changes of mood to so many rows."""
    name = f"{folder}/L6_mood_changes.jsonl"
    [mood] = rows(contents, name)
    others = sum(json.loads(contents["manifest.json"])["rows"].values()) - 1
    put_rows(contents, name, [mood | {"id": 10**6 + at} for at in range(count - others)])
    return packed(contents).getvalue()
