"""What the worker runs. Tasks take ids, load, and call one function; each may run twice."""

from django.utils import timezone

from echovessel import events
from echovessel.llm import voices
from memory import embeddings, sessions, settling
from memory.consolidation import run


def consolidate(session_id: int) -> None:
    run.consolidate(session_id=session_id, llm=voices.current())


def scan() -> int:
    now = timezone.now()
    queued = sessions.scan(now=now)
    settling.expire(now=now)
    return queued


def embed_messages(bond_id: int) -> None:
    embeddings.embed_bond(bond_id=bond_id)


def prune() -> int:
    return events.prune(timezone.now())
