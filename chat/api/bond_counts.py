"""Bonds with the counts that the API returns."""

from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from chat.models import Turn
from memory.models import ConceptNode, Entity, Message, Session
from memory.models.counting import count_subquery
from personas.models import Bond


def annotate(bonds: QuerySet[Bond]) -> QuerySet[Any]:
    """Add persona, counts, running turn and the time of the last message."""
    own = {"bond": OuterRef("pk")}
    messages = Message.objects.visible().filter(**own)
    live = ConceptNode.objects.current().filter(**own)
    running = Turn.objects.filter(status=Turn.Status.RUNNING, **own)
    return bonds.select_related("persona__facts").annotate(
        messages_count=count_subquery(messages),
        sessions_count=count_subquery(Session.objects.not_empty().not_deleted().filter(**own)),
        events_count=count_subquery(live.filter(type=ConceptNode.Type.EVENT)),
        facts_count=count_subquery(live.filter(type=ConceptNode.Type.FACT)),
        thoughts_count=count_subquery(live.filter(type=ConceptNode.Type.THOUGHT)),
        intentions_count=count_subquery(live.filter(type=ConceptNode.Type.INTENTION)),
        expectations_count=count_subquery(live.filter(type=ConceptNode.Type.EXPECTATION)),
        entities_count=count_subquery(Entity.objects.not_deleted_or_merged().filter(**own)),
        running_turn=Subquery(running.values("pk")),
        last_message_at=Subquery(messages.order_by("-id").values("created_at")[:1]),
    )
