"""Rebuild a session's summary from the messages that are left after something was forgotten."""

import logging
from collections.abc import Sequence

from django.db import transaction

from echovessel.llm.protocol import LLM, Origin
from memory import sessions
from memory.consolidation import extraction, transcript
from memory.consolidation.asking import Asker
from memory.consolidation.mood import parse_summary
from memory.consolidation.parse_answer import KnownContext
from memory.messages import tombstones
from memory.models import Message, Session

MAX_RESTARTS = 3
logger = logging.getLogger("echovessel.consolidation")


def remake(*, session_id: int, llm: LLM) -> bool:
    """Rebuild an emptied summary. Returns whether the session has one now. Raises LLMError.

    It leaves out messages whose memories were forgotten, and drops the result where another message or memory goes
    meanwhile.
    """
    for _ in range(MAX_RESTARTS):
        session = Session.objects.select_related("bond__user", "bond__persona").filter(pk=session_id).first()
        if session is None or session.deleted_at is not None or session.summary or not session.watermark:
            return False
        messages = load_remaining_messages(session)
        summary = ask_for_summary(session, messages, llm=llm)
        if not summary:
            return False
        if save(session, summary=summary, of=messages):
            return True
        logger.info("something of session %s was forgotten while it was summarised; it is done again", session_id)
    return False


def load_remaining_messages(session: Session) -> list[Message]:
    """Load the extracted messages of the session, without those of forgotten memories and those left out of memory."""
    said = Message.objects.visible().filter(
        bond=session.bond_id, session=session, id__lte=session.watermark, left_out=False
    )
    gone = tombstones.find_forgotten_messages(session.bond, said.only("id"))
    return list(said.exclude(pk__in=gone).without_heavy_columns().order_by("id"))


def ask_for_summary(session: Session, lines: Sequence[Message], *, llm: LLM) -> str:
    """Extract these messages again and return the last summary; nothing else of the answers is used."""
    origin = Origin(user_id=session.bond.user_id, bond_id=session.bond_id, session_id=session.pk)
    asker = Asker(llm=llm, origin=origin, before_call=lambda: None)
    nothing = KnownContext(events=[], known=[], pair=None)
    # A message too long for one call is skipped.
    left = [message for message in lines if len(message.content) <= transcript.CHUNK_CHARACTERS]
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
    """Store the summary if its messages are all there and no other was added. Returns whether it was stored."""
    sessions.lock_bond(session.bond)
    now = Session.objects.get(pk=session.pk)
    if [message.pk for message in load_remaining_messages(now)] != [message.pk for message in of]:
        return False
    waiting = Session.objects.not_deleted().filter(pk=session.pk, summary="", watermark=session.watermark)
    return bool(waiting.update(summary=summary))
