"""Modified exports: each is refused, and nothing of it is written."""

import json

import pytest

from chat.transfer import restoring
from echovessel.archives.zip_files import ArchiveError
from tests.support.exports import packed
from tests.support.factories import NOW
from tests.support.lives import rows_below

pytestmark = pytest.mark.django_db


def change(name, **changes):
    """Change the first row of a file."""

    def changed(contents, folder):
        first, *rest = contents[f"{folder}/{name}"].splitlines()
        contents[f"{folder}/{name}"] = b"\n".join([json.dumps(json.loads(first) | changes).encode(), *rest])

    return changed


def put(name, content):
    def changed(contents, folder):
        contents[name.replace("@", folder)] = content

    return changed


def take(name):
    return lambda contents, folder: contents.pop(name.replace("@", folder))


def manifest(**changes):
    def changed(contents, folder):
        contents["manifest.json"] = json.dumps(json.loads(contents["manifest.json"]) | changes).encode()

    return changed


@pytest.mark.parametrize(
    ("change", "detail"),
    [
        (put("../../etc/cron.d/x", b"x"), "has an unexpected file"),
        (put("/etc/passwd", b"x"), "has an unexpected file"),
        (put("@/L9.jsonl", b"{}"), "has an unexpected file"),
        (take("manifest.json"), "no manifest.json"),
        (take("@/L2_messages.jsonl"), "L2_messages.jsonl is missing"),
        (take("@/persona.json"), "persona.json is missing"),
        (manifest(format="other"), "not an EchoVessel export"),
        (manifest(version=2), "another version"),
        (manifest(version="1"), "another version"),
        (manifest(bonds=["bonds/../../x"]), "is not a folder in it"),
        (manifest(bonds=["bonds/1x"]), "is not a folder in it"),
        (manifest(bonds=[]), "has an unexpected file"),
        (manifest(bonds=None), "does not list bonds"),
        (manifest(bonds=[{}]), "is not a folder in it"),
        (manifest(rows={}), "is missing"),
        (put("@/L2_messages.jsonl", b""), "has 0 rows"),
        (put("@/L2_messages.jsonl", b"{}\n" * 4), "has no id"),
        (put("@/L2_messages.jsonl", b"[" * 5000), "is not JSON"),
        (put("@/L2_messages.jsonl", b"[1]\n"), "other than rows"),
        (put("@/L2_messages.jsonl", b"\xff\n"), "is not JSON"),
        (put("@/L2_messages.jsonl", b" " * (5 * 2**20)), "unpacks to too much"),
        (put("@/persona.json", b'{"name": "a", "facts": {"shoe_size": "38"}}'), "unknown facts"),
        (put("@/persona.json", b'{"name": "a", "answers": {"mood": "38"}}'), "unknown settings"),
        (put("@/persona.json", b'{"name": "a", "answers": {"temperature": 3}}'), "companion is invalid"),
        (put("@/persona.json", b'{"name": ""}'), "name cannot be"),
        (put("@/persona.json", b'{"name": "' + b"x" * 81 + b'"}'), "name cannot be"),
        (put("@/avatar.webp", b"<svg/>"), "the picture cannot be read"),
        (change("L1_blocks.jsonl", content="x" * 5001), "content cannot be"),
        (change("L1_blocks.jsonl", label="user"), "is invalid"),
        (change("L1_blocks.jsonl", holder="somebody"), "a text has no owner"),
        (change("L1_blocks.jsonl", revisions=[{"n": 1}]), "a revision is invalid"),
        (change("L1_blocks.jsonl", updated_at="2026-01-01T00:00:00"), "updated_at has no time zone"),
        (change("L2_sessions.jsonl", status="asleep"), "status cannot be"),
        (change("L2_sessions.jsonl", bond_id=1), "bond_id"),
        (change("L2_sessions.jsonl", deleted_at=None), "deleted_at"),
        (change("L2_sessions.jsonl", id="7"), "has no id"),
        (change("L2_sessions.jsonl", id=True), "has no id"),
        (change("L2_sessions.jsonl", started_at="2026-01-01T00:00:00"), "has no time zone"),
        (change("L2_sessions.jsonl", started_at="2036-01-01T00:00:00Z"), "violates a constraint"),
        (change("L2_messages.jsonl", created_at="9999-12-31T23:59:59Z"), "created_at is not between"),
        (change("L3_events.jsonl", event_time_end="9999-12-31"), "event_time_end is not between"),
        (change("L3_events.jsonl", event_time_start="0001-01-01"), "event_time_start is not between"),
        (change("L2_sessions.jsonl", watermark=2**80), "watermark cannot be"),
        (change("L2_messages.jsonl", session_id=99), "session_id names 99"),
        (change("L2_messages.jsonl", session_id=[1]), "session_id names"),
        (change("L2_messages.jsonl", session_id=None), "session_id names None"),
        (change("L2_messages.jsonl", content=""), "content cannot be"),
        (change("L2_messages.jsonl", content=["x"]), "content is no text"),
        (change("L2_messages.jsonl", content="a\0b"), "other than rows"),
        (change("L2_messages.jsonl", content="\ud800"), "other than rows"),
        (change("L3_events.jsonl", emotional_impact=11), "violates a constraint"),
        (change("L3_events.jsonl", confidence=float("nan")), "violates a constraint"),
        (change("L3_events.jsonl", superseded_by_id=10**9), "superseded_by_id names"),
        (change("L3_events.jsonl", superseded_by_id=[1]), "superseded_by_id names"),
        (change("L3_events.jsonl", emotion_tags={}), "emotion_tags is no list"),
        (change("L3_events.jsonl", relational_tags=[[1]]), "relational_tags cannot be"),
        (change("L3_events.jsonl", mention_count=True), "mention_count is no whole number"),
        (change("turns.jsonl", trace=""), "trace is no list or object"),
        (change("L5_merges.jsonl", moved=[1]), "moved has another shape"),
        (change("L5_merges.jsonl", moved={"aliases": 3}), "moved has another shape"),
        (change("turns.jsonl", trace={"items": [3]}), "trace has another shape"),
        (change("turns.jsonl", id=3), "has no id"),
        (change("L6_mood.jsonl", energy=99), "is invalid"),
        (change("L6_mood.jsonl", user_id=1), "has no mood"),
    ],
)
def test_a_hostile_export_is_refused_and_nothing_is_written(change, detail, contents, lin, media):
    written, folder = contents
    change(written, folder)
    before, pictures = rows_below(), sorted(media.rglob("*"))

    with pytest.raises(ArchiveError, match=detail):
        restoring.restore(packed(written), user=lin, now=NOW)

    assert (rows_below(), sorted(media.rglob("*"))) == (before, pictures)
