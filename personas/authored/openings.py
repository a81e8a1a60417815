"""How the first chat with a companion begins: what it may say first, and what its user may."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from personas import blocks
from personas.authored import placeholders
from personas.models import Bond, Opening, OpeningRevision, Persona, User


@dataclass(frozen=True)
class Greeting:
    """A greeting as one user reads it. Its id names the version that it is of, so that an edit does not change what was seen."""

    id: str
    content: str


@transaction.atomic
def save(*, persona: Persona, greetings: Sequence[str], starters: Sequence[str], user: User, now: datetime) -> Opening:
    """Replace a persona's greetings and starters and keep the old ones as a revision. Only an explicit save by a person may call this.

    Saving the same again changes nothing.
    """
    blocks.lock(persona)
    opening = Opening.objects.filter(persona=persona).first()
    if opening is None:
        return Opening.objects.create(
            persona=persona, greetings=[*greetings], starters=[*starters], updated_at=now, updated_by=user
        )
    if (opening.greetings, opening.starters) == ([*greetings], [*starters]):
        return opening
    opening.revisions.create(
        n=opening.version,
        greetings=opening.greetings,
        starters=opening.starters,
        saved_at=opening.updated_at,
        saved_by=opening.updated_by,
    )
    opening.greetings, opening.starters = [*greetings], [*starters]
    opening.version += 1
    opening.updated_at, opening.updated_by = now, user
    opening.save()
    return opening


def restore(*, revision: OpeningRevision, user: User, now: datetime) -> Opening:
    """Save an earlier opening again; the current one becomes a revision."""
    return save(
        persona=revision.opening.persona, greetings=revision.greetings, starters=revision.starters, user=user, now=now
    )


def load(persona: Persona) -> Opening:
    """Return a persona's opening; one that was never written is empty and has version 0."""
    return Opening.objects.filter(persona=persona).first() or Opening(persona=persona, version=0)


def list_greetings(bond: Bond, opening: Opening) -> list[Greeting]:
    return [Greeting(f"{opening.version}-{n}", fill_for(bond, content)) for n, content in enumerate(opening.greetings)]


def find_greeting(bond: Bond, greeting_id: str) -> str | None:
    """Return the text of a greeting by its id, also of an earlier version; None if there is no such greeting."""
    version, _, n = greeting_id.partition("-")
    if not (version.isdecimal() and n.isdecimal() and len(greeting_id) <= 12):
        return None
    opening = Opening.objects.filter(persona=bond.persona_id).first()
    said: Opening | OpeningRevision | None = opening
    if opening is not None and opening.version != int(version):
        said = opening.revisions.filter(n=int(version)).first()
    if said is None or int(n) >= len(said.greetings):
        return None
    return fill_for(bond, said.greetings[int(n)])


def list_starters(bond: Bond, opening: Opening) -> list[str]:
    return [fill_for(bond, starter) for starter in opening.starters]


def fill_for(bond: Bond, text: str) -> str:
    return placeholders.fill(text, character=bond.persona.called, user=bond.user.shown_name)
