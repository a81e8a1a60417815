from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db import transaction

from personas.models import Persona, PersonaFacts


@transaction.atomic
def change(*, persona: Persona, values: Mapping[str, Any]) -> Persona:
    """Set what is named of a persona's own fields and, under `facts`, of its facts; the rest stays."""
    fields = {name: value for name, value in values.items() if name != "facts"}
    Persona.objects.filter(pk=persona.pk).update(**fields)
    if "facts" in values:
        PersonaFacts.objects.update_or_create(persona=persona, defaults=values["facts"])
    return Persona.objects.select_related("facts").get(pk=persona.pk)


def archive(*, persona: Persona, now: datetime) -> None:
    """Let nobody begin with the persona any more; the bonds there are go on."""
    Persona.objects.filter(pk=persona.pk, archived_at=None).update(archived_at=now)
