"""The checks of `doctor`: each part that an install needs, and how to mend it."""

import platform
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version

import django
from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import DatabaseError, transaction
from django_q.status import Stat

from echovessel import mail
from echovessel.embeddings import embedding
from echovessel.http import health
from echovessel.llm import connection as model_connection
from echovessel.llm import trial
from echovessel.llm.connection import Connection
from echovessel.llm.protocol import Origin
from echovessel.llm.trial import TrialCall
from echovessel.postgres.rows import fetch_all

EXTENSIONS = {"vector", "pg_trgm"}
PAGE = "on the page Settings, Model server"
NONE_SET = "none is connected (by an administrator in Settings, Model server, or by OPENAI_BASE_URL or OPENAI_API_KEY)"
SWITCHED_OFF = f"switched off {PAGE}"
NO_MAIL = "none is sent, since EMAIL_URL is not set; for a forgotten password: `manage.py changepassword NAME`"
MEND_VARIABLES = "Check OPENAI_BASE_URL, OPENAI_API_KEY, LLM_JSON_MODE and the model's name."
MEND_STORED = f"Check the address, the key, the answer mode and the model's name {PAGE}."


@dataclass(frozen=True)
class Finding:
    part: str
    # The state, or the problem.
    text: str
    # How to mend the problem; empty if there is none.
    mend: str = ""


def examine() -> Iterator[Finding]:
    """Yield one finding per part. Without a database, its parts are left out."""
    runs_on = f"Python {platform.python_version()}, Django {django.__version__}"
    yield Finding("version", f"EchoVessel {version('echovessel')}, {runs_on}")
    yield _check_disk()
    database = _check_database()
    yield database
    if not database.mend:
        yield _check_extensions()
        yield _check_channel_layer()
        yield _check_worker()
        yield from _check_model_server()
    yield _check_embedding_model()
    yield _check_mail()


def _check_disk() -> Finding:
    if reason := health.check_disk():
        return Finding("disk", reason, "Delete what is not needed there, or move the data folder to a larger disk.")
    return Finding("disk", "has room")


def _check_database() -> Finding:
    if reason := health.check_database():
        return Finding("database", reason, "Start EchoVessel (`make run`), or check DATABASE_URL.")
    [(server,)] = fetch_all("SELECT current_setting('server_version')")
    return Finding("database", f"PostgreSQL {server}, all migrations applied")


def _check_extensions() -> Finding:
    missing = EXTENSIONS - {name for (name,) in fetch_all("SELECT extname FROM pg_extension")}
    if missing:
        commands = " ".join(f"CREATE EXTENSION {name};" for name in sorted(missing))
        return Finding(
            "extensions", f"missing: {', '.join(sorted(missing))}", f"As the database's superuser: {commands}"
        )
    return Finding("extensions", ", ".join(sorted(EXTENSIONS)))


def _check_channel_layer() -> Finding:
    kind = "Redis" if settings.REDIS_URL else "PostgreSQL"
    if reason := async_to_sync(health.check_channel_layer)():
        return Finding("channel layer", reason, f"Check {'REDIS_URL' if settings.REDIS_URL else 'DATABASE_URL'}.")
    return Finding("channel layer", f"delivers, over {kind}")


def _check_worker() -> Finding:
    try:
        # A missing table must not break later queries.
        with transaction.atomic():
            count = len(Stat.get_all())
    except DatabaseError as error:
        return Finding("worker", health.format_error(error), "Run `manage.py createcachetable`.")
    if not count:
        return Finding("worker", "none is running", "Start EchoVessel (`make run`), or a worker: `manage.py qcluster`.")
    return Finding("worker", f"{count} running")


def _check_model_server() -> Iterator[Finding]:
    asked = model_connection.get_active()
    if asked is None:
        is_off = model_connection.load_stored() is not None
        yield Finding("model server", f"{SWITCHED_OFF if is_off else NONE_SET}: the offline rules answer")
        return
    mend = MEND_VARIABLES if settings.MODEL_SERVER else MEND_STORED
    yield _describe_source(asked)
    for tried in trial.run(asked, origin=Origin(), first=trial.REPLY):
        # Replies also work without tools.
        is_well = tried.error is None or (tried.kind == "tools" and asked.tools == "auto")
        yield Finding(f"model {tried.model}", _describe_outcome(tried), "" if is_well else mend)


def _describe_source(asked: Connection) -> Finding:
    where = f"{asked.base_url}, named by {{}}"
    if settings.MODEL_SERVER:
        return Finding("model server", where.format("OPENAI_BASE_URL" if asked.address else "OPENAI_API_KEY"))
    if asked.key is None:
        return Finding(
            "model server", "its kept key cannot be read: SECRET_KEY is not what it was", f"Enter the key anew {PAGE}."
        )
    return Finding("model server", where.format(f"an administrator {PAGE}"))


def _describe_outcome(tried: TrialCall) -> str:
    asked = {
        "reply": "a reply",
        "tools": "a call of a tool",
        "options": "a reply with settings",
        "json": f"JSON (answer mode {tried.mode})",
    }[tried.kind]
    without = f", without {', '.join(tried.refused)}" if tried.refused else ""
    return f"{asked}: {tried.error or 'comes'}{without}"


def _check_embedding_model() -> Finding:
    try:
        embedding.embed(["hello"])
    except embedding.EmbeddingError as error:
        return Finding("embedding model", str(error), embedding.MEND)
    return Finding("embedding model", f"{embedding.get_model_name()} gives {embedding.DIMENSIONS} dimensions")


def _check_mail() -> Finding:
    if not settings.SENDS_MAIL:
        return Finding("mail", NO_MAIL)
    where = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}, from {settings.DEFAULT_FROM_EMAIL}"
    if reason := mail.check_server():
        return Finding("mail", f"{where}: {reason}", "Check EMAIL_URL and EMAIL_FROM.")
    return Finding("mail", f"{where}: ready to send")
