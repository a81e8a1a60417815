"""Name a session after its first exchange, or after the next where that one only greets. A person's title stays, and nothing off the record is named."""

import logging
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from django.db import transaction

from echovessel.llm.errors import LLMError
from echovessel.llm.inputs import TitleInputs
from echovessel.llm.protocol import LLM, ChatMessage, Origin
from echovessel.prompts import escape, render
from memory import sessions
from memory.answers import title_schema
from memory.answers.schemas import parse_part
from memory.answers.title_schema import TitleAnswer
from memory.consolidation.asking import build_structured_answer
from memory.messages import first_exchange, secrets
from memory.models import Message, Session
from memory.models.sessions import cut_to_title

PROMPT = Path(__file__).parent.parent / "prompts" / "title.md"
# How much is read of what the user said, and of the reply.
CHARACTERS = 800
TRIES = 2
# A message that is forgotten meanwhile begins it anew.
MAX_RESTARTS = 3
logger = logging.getLogger("echovessel.consolidation")


def write(*, session_id: int, llm: LLM, now: datetime) -> bool:
    """Give a session its automatic title. Returns whether it did; a model that fails twice leaves it without one."""
    for _ in range(MAX_RESTARTS):
        session = Session.objects.not_titled().select_related("bond").filter(pk=session_id).first()
        exchange = [] if session is None else first_exchange.load(session)
        if session is None or not exchange:
            return False
        title = ask_for_title(session, exchange, llm=llm)
        if not title:
            return False
        if save(session, title=title, of=exchange, now=now):
            return True
    return False


def ask_for_title(session: Session, exchange: Sequence[Message], *, llm: LLM) -> str:
    """Ask up to twice for a title that is short enough; of the last one as much as a list has room for. Returns "" where there is none."""
    inputs = build_inputs(exchange)
    asked: list[ChatMessage] = [{"role": "user", "content": render_prompt(inputs)}]
    origin = Origin(user_id=session.bond.user_id, bond_id=session.bond_id, session_id=session.pk)
    title = ""
    for _ in range(TRIES):
        try:
            answer = llm.answer(asked, feature="title", schema=TitleAnswer, origin=origin, inputs=inputs)
            parsed = build_structured_answer(answer, schema=TitleAnswer).parsed
        except LLMError as error:
            logger.info("a try to name session %s failed: %s", session.pk, error)
            continue
        found, _notes = parse_part(parsed, TitleAnswer, what="title")
        title = found.title if found else title
        if title and title_schema.is_short(title):
            break
    return cut_to_title(title)


def build_inputs(exchange: Sequence[Message]) -> TitleInputs:
    said = "\n".join(message.content for message in exchange if message.role == Message.Role.USER)
    reply = next((message.content for message in reversed(exchange) if message.role == Message.Role.PERSONA), "")
    return TitleInputs(said=secrets.mask(said)[:CHARACTERS], reply=secrets.mask(reply)[:CHARACTERS])


def render_prompt(inputs: TitleInputs) -> str:
    return render(PROMPT, said=escape(inputs.said), reply=escape(inputs.reply))


@transaction.atomic
def save(session: Session, *, title: str, of: Sequence[Message], now: datetime) -> bool:
    """Store the title if the session still begins with these messages. Returns whether it was stored."""
    sessions.lock_bond(session.bond)
    if [message.pk for message in first_exchange.load(session)] != [message.pk for message in of]:
        return False
    if not Session.objects.not_titled().filter(pk=session.pk).update(auto_title=title):
        return False
    sessions.announce_change(session=session, changed=["auto_title"], now=now)
    return True
