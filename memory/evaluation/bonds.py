"""The bonds that suites make, each of a user and a companion of its own."""

from datetime import datetime
from uuid import uuid4

from personas import onboarding
from personas.models import Bond, Persona, User

USERNAME = "story-"


def create(
    *, user: str, persona: str, lang: str, now: datetime, zone: str = "", about_user: str = "", about_persona: str = ""
) -> Bond:
    owner = User.objects.create(username=f"{USERNAME}{uuid4().hex}", display_name=user, time_zone=zone, language="")
    _, bond = onboarding.create(
        owner=owner, name=persona, persona=about_persona, user=about_user, now=now, language=lang
    )
    return bond


def erase_all() -> None:
    """Erase the bonds of earlier runs, which a kept database may be full of."""
    users = User.objects.filter(username__startswith=USERNAME)
    personas = list(Persona.objects.filter(owner__in=users).values_list("pk", flat=True))
    users.delete()
    Persona.objects.filter(pk__in=personas).delete()
