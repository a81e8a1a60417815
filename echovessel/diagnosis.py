"""What `doctor` looks at: each part that an install needs, and how to mend it."""

from collections.abc import Iterator
from dataclasses import dataclass

from asgiref.sync import async_to_sync
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django_q.status import Stat
from pydantic import BaseModel

from echovessel import embedding, health
from echovessel.llm import voices
from echovessel.llm.errors import LLMError
from echovessel.llm.protocol import Origin

EXTENSIONS = {"vector", "pg_trgm"}
_FEATURES = ("reply", "reflection", "doctor")


class Alive(BaseModel):
    alive: bool


@dataclass(frozen=True)
class Finding:
    part: str
    # What is there, or what is wrong.
    text: str
    # How to mend what is wrong; empty when nothing is.
    mend: str = ""


def examine() -> Iterator[Finding]:
    """One finding per part. Without a database the parts that live in it are left out."""
    database = _database()
    yield database
    if not database.mend:
        yield _extensions()
        yield _channel_layer()
        yield _worker()
        yield from _model_server()
    yield _embedding_model()


def _database() -> Finding:
    if reason := health.database_reason():
        return Finding("database", reason, "Start EchoVessel (`make run`), or check DATABASE_URL.")
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version')")
        return Finding("database", f"PostgreSQL {cursor.fetchone()[0]}, all migrations applied")


def _extensions() -> Finding:
    with connection.cursor() as cursor:
        cursor.execute("SELECT extname FROM pg_extension")
        missing = EXTENSIONS - {name for (name,) in cursor.fetchall()}
    if missing:
        commands = " ".join(f"CREATE EXTENSION {name};" for name in sorted(missing))
        return Finding(
            "extensions", f"missing: {', '.join(sorted(missing))}", f"As the database's superuser: {commands}"
        )
    return Finding("extensions", ", ".join(sorted(EXTENSIONS)))


def _channel_layer() -> Finding:
    kind = "Redis" if settings.REDIS_URL else "PostgreSQL"
    if reason := async_to_sync(health.layer_reason)():
        return Finding("channel layer", reason, f"Check {'REDIS_URL' if settings.REDIS_URL else 'DATABASE_URL'}.")
    return Finding("channel layer", f"delivers, over {kind}")


def _worker() -> Finding:
    try:
        # A table that is missing must not spoil what is asked after it.
        with transaction.atomic():
            count = len(Stat.get_all())
    except DatabaseError as error:
        return Finding("worker", health.one_line(error), "Run `manage.py createcachetable`.")
    if not count:
        return Finding("worker", "none is running", "Start EchoVessel (`make run`), or a worker: `manage.py qcluster`.")
    return Finding("worker", f"{count} running")


def _model_server() -> Iterator[Finding]:
    voice = voices.current()
    if voice.offline:
        yield Finding("model server", "none set: the offline voice answers; OPENAI_API_KEY or OPENAI_BASE_URL set one")
        return
    asked: set[str] = set()
    for feature in _FEATURES:
        model = voice.model_of(feature)
        if model not in asked:
            asked.add(model)
            yield _model(model, feature)


def _model(model: str, feature: str) -> Finding:
    question = 'Answer with this JSON and nothing else: {"alive": true}'
    try:
        voices.current().answer([{"role": "user", "content": question}], feature=feature, schema=Alive, origin=Origin())
    except LLMError as error:
        mend = "Check OPENAI_BASE_URL, OPENAI_API_KEY, LLM_JSON_MODE and the model's name."
        return Finding(f"model {model}", str(error), mend)
    return Finding(f"model {model}", "answers")


def _embedding_model() -> Finding:
    try:
        embedding.embed(["hello"])
    except embedding.EmbeddingError as error:
        return Finding("embedding model", str(error), "Check EMBEDDING_MODEL; `bundled` needs no network.")
    return Finding("embedding model", f"{embedding.model_name()} gives {embedding.DIMENSIONS} dimensions")
