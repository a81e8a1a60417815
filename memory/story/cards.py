"""The remarks on the card of a person or a thing."""

from datetime import datetime

from django.db import transaction

from echovessel import events
from memory import sessions
from memory.messages import secrets
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


@transaction.atomic
def change_remark(
    *, remark: EntityRemark, now: datetime, label: str | None = None, text: str | None = None
) -> EntityRemark:
    """Let a remark say what a person writes; it stays until its scene has another recap. Secrets are masked.

    Raises EntityRemark.DoesNotExist if it has gone meanwhile.
    """
    sessions.lock_bond(remark.bond)
    remark.refresh_from_db()
    remark.label = remark.label if label is None else secrets.mask(label)
    remark.text = remark.text if text is None else secrets.mask(text)
    remark.save(update_fields=["label", "text"])
    announce(remark, now=now)
    return remark


@transaction.atomic
def remove_remark(*, remark: EntityRemark, now: datetime) -> None:
    """Take a remark from its card; the earlier ones that it replaced stand again. Raises EntityRemark.DoesNotExist as above."""
    sessions.lock_bond(remark.bond)
    remark.refresh_from_db()
    remark.delete()
    announce(remark, now=now)


def announce(remark: EntityRemark, *, now: datetime) -> None:
    refs = {"entity": remark.entity_id}
    events.record(bond_id=remark.bond_id, type="memory.entity.description_updated", refs=refs, now=now)
