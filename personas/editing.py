from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction

from personas import announcing, avatars
from personas.models import Bond, Persona, PersonaFacts


@transaction.atomic
def change(*, persona: Persona, values: Mapping[str, Any], now: datetime) -> Persona:
    """Set the named fields of a persona and, under `facts`, of its facts, and announce the changes."""
    before = Persona.objects.select_related("facts").select_for_update(no_key=True, of=("self",)).get(pk=persona.pk)
    fields = {name: value for name, value in values.items() if name != "facts"}
    changed = [name for name, value in fields.items() if getattr(before, name) != value]
    Persona.objects.filter(pk=persona.pk).update(**fields)
    if "facts" in values:
        known = getattr(before, "facts", None) or PersonaFacts()
        changed += ["facts"] if any(getattr(known, name) != value for name, value in values["facts"].items()) else []
        PersonaFacts.objects.update_or_create(persona=persona, defaults=values["facts"])
    announce_changes(persona, changed=changed, now=now)
    return Persona.objects.select_related("facts").get(pk=persona.pk)


@transaction.atomic
def change_picture(*, persona: Persona, content: bytes, now: datetime) -> None:
    """Replace a persona's picture by `content`, which comes from `avatars.redraw`, or remove it if that is empty."""
    had_one = bool(persona.avatar)
    if content:
        avatars.put(persona=persona, content=content)
    else:
        avatars.remove(persona)
    announce_changes(persona, changed=["avatar"] if content or had_one else [], now=now)


def announce_changes(persona: Persona, *, changed: Sequence[str], now: datetime) -> None:
    if changed:
        announcing.announce_changes(Bond.objects.filter(persona=persona), changed=changed, now=now)


def archive(*, persona: Persona, now: datetime) -> None:
    """Allow no new bonds with the persona; existing ones continue."""
    Persona.objects.filter(pk=persona.pk, archived_at=None).update(archived_at=now)
