"""Making a summary anew after something of its session was forgotten: from the lines that are left."""

import logging
from collections.abc import Sequence

from django.db import transaction

from echovessel.llm.protocol import LLM, Origin
from memory import sessions, tombstones
from memory.consolidation import extraction, transcript
from memory.consolidation.asking import Asker
from memory.consolidation.mood import parse_summary
from memory.consolidation.parse_answer import KnownContext
from memory.models import Message, Session

MAX_RESTARTS = 3
logger = logging.getLogger("echovessel.consolidation")


def remake(*, session_id: int, llm: LLM) -> bool:
    """Summarise a session whose summary was emptied; whether it has one now. Raises LLMError.

    Lines whose memories were forgotten are left out too. It is dropped where a line or another memory goes meanwhile.
    """
    for _ in range(MAX_RESTARTS):
        session = Session.objects.select_related("bond__user", "bond__persona").filter(pk=session_id).first()
        if session is None or session.deleted_at is not None or session.summary or not session.watermark:
            return False
        lines = load_remaining_messages(session)
        summary = ask_for_summary(session, lines, llm=llm)
        if not summary:
            return False
        if save(session, summary=summary, of=lines):
            return True
        logger.info("something of session %s was forgotten while it was summarised; it is done again", session_id)
    return False


def load_remaining_messages(session: Session) -> list[Message]:
    """What was extracted of the session, without the lines of what was forgotten."""
    said = Message.objects.visible().filter(bond=session.bond_id, session=session, id__lte=session.watermark)
    gone = tombstones.find_forgotten_messages(session.bond, said)
    return list(said.exclude(pk__in=gone).without_heavy_columns().order_by("id"))


def ask_for_summary(session: Session, lines: Sequence[Message], *, llm: LLM) -> str:
    """The last summary of an extraction of these lines, of which nothing else is used."""
    origin = Origin(user_id=session.bond.user_id, bond_id=session.bond_id, session_id=session.pk)
    asker = Asker(llm=llm, origin=origin, before_call=lambda: None)
    nothing = KnownContext(events=[], known=[], pair=None)
    # Of a line too long for a call the rest of the talk must do.
    left = [line for line in lines if len(line.content) <= transcript.CHUNK_CHARACTERS]
    earlier: list[Message] = []
    summary = ""
    while left:
        chunk = transcript.build_next_chunk(left, earlier=earlier)
        asked = extraction.ask(asker, session=session, chunk=chunk, offered=nothing, so_far=summary)
        summary = parse_summary(asked.parsed) or summary
        earlier, left = left[: len(chunk.lines)], left[len(chunk.lines) :]
    return summary


@transaction.atomic
def save(session: Session, *, summary: str, of: Sequence[Message]) -> bool:
    """Keep the summary where all its lines are there and none came; whether it was kept."""
    sessions.lock_bond(session.bond)
    now = Session.objects.get(pk=session.pk)
    if [line.pk for line in load_remaining_messages(now)] != [line.pk for line in of]:
        return False
    waiting = Session.objects.not_deleted().filter(pk=session.pk, summary="", watermark=session.watermark)
    return bool(waiting.update(summary=summary))
