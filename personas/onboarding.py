from collections.abc import Mapping, Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.module_loading import import_string

from personas import avatars, blocks
from personas.authored import openings
from personas.cards import storing
from personas.cards.card import Card
from personas.drafts.draft import Draft
from personas.models import Bond, CoreBlock, Persona, PersonaFacts, User


@transaction.atomic
def create(
    *,
    owner: User,
    name: str,
    persona: str,
    now: datetime,
    tagline: str = "",
    style: str = "",
    user: str = "",
    facts: Mapping[str, str | None] | None = None,
    language: str = Persona.Language.ENGLISH,
    scenario: str = "",
    examples: str = "",
    greetings: Sequence[str] = (),
    starters: Sequence[str] = (),
    card: Card | None = None,
) -> tuple[Persona, Bond]:
    """Create a persona with its texts, facts and opening, and its owner's bond.

    `card` is the character card that it comes from: its lore and what is only kept of it are stored as they are.
    """
    made = create_persona(owner=owner, name=name, tagline=tagline, facts=facts or {}, language=language, now=now)
    bond, _ = begin_bond(user=owner, persona=made, now=now)
    for label, content in ((CoreBlock.Label.PERSONA, persona), (CoreBlock.Label.STYLE, style)):
        blocks.save(holder=made, label=label, content=content, user=owner, now=now)
    for label, content in ((CoreBlock.Label.SCENARIO, scenario), (CoreBlock.Label.EXAMPLES, examples)):
        if content:
            blocks.save(holder=made, label=label, content=content, user=owner, now=now)
    blocks.save(holder=bond, label=CoreBlock.Label.USER, content=user, user=owner, now=now)
    if greetings or starters:
        openings.save(persona=made, greetings=greetings, starters=starters, user=owner, now=now)
    if card is not None:
        storing.store(made, card)
    return made, bond


@transaction.atomic
def create_from_draft(*, owner: User, draft: Draft, now: datetime) -> tuple[Persona, Bond]:
    given = {name: value for name, value in vars(draft).items() if name not in ("notes", "avatar")}
    made, bond = create(owner=owner, now=now, **given)
    if draft.avatar:
        avatars.put(persona=made, content=draft.avatar)
    return made, bond


@transaction.atomic
def create_persona(
    *,
    owner: User,
    name: str,
    tagline: str,
    facts: Mapping[str, str | None],
    language: str,
    now: datetime,
    nickname: str = "",
) -> Persona:
    made = Persona.objects.create(
        owner=owner, name=name, nickname=nickname, tagline=tagline, language=language, created_at=now
    )
    PersonaFacts.objects.create(persona=made, **{key: value or "" for key, value in facts.items()})
    return made


@transaction.atomic
def begin_bond(*, user: User, persona: Persona, now: datetime) -> tuple[Bond, bool]:
    """Return the user's bond with the persona, and whether it is new."""
    bond, is_new = Bond.objects.get_or_create(user=user, persona=persona, defaults={"created_at": now})
    for hook in settings.BOND_HOOKS if is_new else []:
        import_string(hook)(bond)
    return bond, is_new
