"""Write the recaps of messages."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from echovessel import events
from echovessel.errors import CodedError
from memory import sessions
from memory.messages import secrets
from memory.models import LineRecap, Message
from memory.models.story.made_by import MadeBy
from memory.story import grounding, lines
from memory.story.line_recaps import rules
from memory.story.line_recaps.due import DueLine
from personas.models import Bond

TEXT_MOST = 500


class RecapRefused(CodedError):
    """A text that is no recap of a message: `invalid` or `too_long`, with a sentence."""


def check_text(due: DueLine, said: str, *, known_names: Sequence[Sequence[str]], speakers: Sequence[str]) -> str:
    """Return a recap as it may stand: at most 60 tokens, without secrets; "" where it says what its sources do not."""
    heard = "\n".join([*speakers, *(message.content for message in due.sources)])
    text = rules.cut_to_tokens(secrets.mask(" ".join(said.split())), rules.RECAP_TOKENS)
    return "" if grounding.find_missing(text, heard, known_names=known_names) else text


def write_line_recaps(
    *, bond: Bond, due: Sequence[DueLine], texts: Mapping[int, str], made_by: str, now: datetime
) -> None:
    """Write the recaps of these messages, "" for those that failed. What a person wrote stays. The caller holds the bond's lock."""
    standing = LineRecap.objects.for_bond(bond).filter(message__in=[one.message.pk for one in due])
    kept = set(standing.filter(made_by=MadeBy.PERSON).values_list("message", flat=True))
    for one in due:
        text = texts.get(one.message.pk, "")
        if one.message.pk not in kept:
            put(
                one,
                text=text,
                status=LineRecap.Status.OK if text else LineRecap.Status.FAILED,
                made_by=made_by,
                now=now,
            )
    events.record(
        bond_id=bond.pk, type="memory.recap.updated", refs={"messages": [one.message.pk for one in due]}, now=now
    )


def put(due: DueLine, *, text: str, status: str, made_by: str, now: datetime) -> LineRecap:
    columns = {
        "text": text,
        "status": status,
        "made_by": made_by,
        "sources": [message.pk for message in due.sources],
        "source_hash": due.source_hash,
        "created_at": now,
    }
    recap, _ = LineRecap.objects.update_or_create(bond=due.message.bond, message=due.message, defaults=columns)
    return recap


@transaction.atomic
def write_by_person(*, message: Message, text: str, now: datetime) -> LineRecap:
    """Write a person's own recap of a message, without secrets; no job replaces it. Raises RecapRefused."""
    said = secrets.mask(" ".join(text.split()))
    if not said:
        raise RecapRefused("invalid", "A recap needs some text.")
    if len(said) > TEXT_MOST:
        raise RecapRefused(
            "too_long",
            "A recap has %(most)s characters at most; this one has %(count)s.",
            most=TEXT_MOST,
            count=len(said),
        )
    sessions.lock_bond(message.bond)
    recap = put(DueLine(message, ()), text=said, status=LineRecap.Status.OK, made_by=MadeBy.PERSON, now=now)
    events.record(bond_id=message.bond_id, type="memory.recap.updated", refs={"messages": [message.pk]}, now=now)
    return recap


def is_unchanged(bond: Bond, due: Sequence[DueLine]) -> bool:
    """Whether the messages are told as they were when they were read, with those before them."""
    first = min(source.pk for one in due for source in one.sources)
    told = {message.pk: message for message in lines.load_told(bond, after=first - 1)}
    return all(
        lines.hash_lines([told[source.pk] for source in one.sources if source.pk in told]) == one.source_hash
        for one in due
    )
