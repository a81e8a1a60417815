"""The remarks on the card of a person or a thing."""

from datetime import datetime

from memory.models import Entity, EntityRemark

# With more, the slow tick writes the description anew from them.
REMARKS_MOST = 12


def absorb(entity_id: int, *, told_until: datetime, now: datetime) -> None:
    """Take remarks from a card whose description was just written from them."""
    told = EntityRemark.objects.live().filter(entity=entity_id, created_at__lte=told_until)
    told.update(absorbed_at=now)


def leave_oldest(entity: Entity) -> None:
    """Take the oldest remarks from a card whose description is its owner's: nothing else takes them up."""
    if entity.description_by != Entity.Author.OWNER:
        return
    live = EntityRemark.objects.live().filter(entity=entity).order_by("-scene__last_message_id", "-id")
    EntityRemark.objects.filter(pk__in=list(live.values_list("pk", flat=True)[REMARKS_MOST:])).delete()
