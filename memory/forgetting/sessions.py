"""Forget a session together with its memories, and restore both."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from memory.forgetting import removal, trash
from memory.models import ConceptNode, Filling, Forgotten, Message, NodeSource, Session
from memory.nodes import evidence
from memory.story import withdrawal
from memory.story.withdrawal import StoryParts
from personas.models import Bond


@dataclass(frozen=True)
class SessionForgetting:
    """What would go: the number of messages, and the memories without other messages, which may go or stay.

    It also counts the other memories drawn from the session, which stay, and what of the story is told anew.
    """

    lines: int
    memories: Sequence[Any]
    others: int
    story: StoryParts = field(default_factory=StoryParts)


def preview_forgetting(session: Session) -> SessionForgetting:
    said = Message.objects.for_bond(session.bond).visible().filter(session=session)
    from_it = NodeSource.objects.filter(message__session=session).values("node")
    elsewhere = NodeSource.objects.without_deleted_messages().filter(node=OuterRef("pk"))
    elsewhere = elsewhere.exclude(message__session=session)
    drawn = ConceptNode.objects.for_bond(session.bond).not_deleted().filter(pk__in=from_it)
    alone = evidence.add_dependents(drawn.filter(~Exists(elsewhere)).values_list("pk", flat=True), bond=session.bond)
    memories = (
        ConceptNode.objects.for_bond(session.bond).filter(pk__in=alone).without_heavy_columns("terms").order_by("id")
    )
    citing = Filling.objects.without_deleted_parents().filter(child__in=alone, orphaned=False).values("parent")
    others = ConceptNode.objects.for_bond(session.bond).filter(
        Q(pk__in=drawn.filter(Exists(elsewhere))) | Q(pk__in=citing)
    )
    lines = list(said.values_list("pk", flat=True))
    story = withdrawal.preview(session.bond, lines=lines)
    return SessionForgetting(len(lines), list(memories), others.exclude(pk__in=alone).count(), story)


def forget(*, session: Session, has_memories_go: bool, now: datetime) -> None:
    """Forget a session and, if wanted, the memories drawn from it alone, at any depth. Raises ForgettingError."""
    with withdrawal.withdraw_together(now=now):
        offered = removal.forget_session(session=session, now=now)
        for node in offered if has_memories_go else []:
            removal.forget_node(node=node, dependents=removal.CASCADE, now=now)


@transaction.atomic
def restore(*, bond: Bond, session_id: int, now: datetime) -> None:
    """Restore a session with everything forgotten at the same moment. Raises TrashError."""
    act = trash.find(bond=bond, kind=Forgotten.Kind.SESSION, object_id=session_id)
    with_it = list(
        Forgotten.objects.for_bond(bond).filter(created_at=act.created_at).exclude(pk=act.pk).order_by("-id")
    )
    for one in [act, *with_it]:
        trash.restore(act=one, now=now)
