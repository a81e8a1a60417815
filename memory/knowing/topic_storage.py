"""Stores the topic of a turn at its end, in one statement."""

from uuid import UUID

from memory.models import Session, Topic

# A topic that goes on keeps when it began and whose it is.
_CHANGED = [
    field.attname for field in Topic._meta.concrete_fields if field.attname not in ("id", "bond_id", "began_at")
]


def store(topic: Topic, *, session: Session, turn_id: UUID) -> None:
    """Store a turn's topic; the caller has locked the bond. One that was forgotten meanwhile does not come back."""
    topic.bond_id, topic.session_id, topic.turn_id = session.bond_id, session.pk, turn_id
    topic.session_ids = list(dict.fromkeys([*topic.session_ids, session.pk]))
    if not topic.pk:
        topic.save()
    else:
        values = {name: getattr(topic, name) for name in _CHANGED}
        Topic.objects.filter(pk=topic.pk, bond=session.bond_id).update(**values)
