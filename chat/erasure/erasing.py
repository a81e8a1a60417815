"""Erase a bond or an account with everything below it, at once and in one transaction.

Rows are deleted table by table without being read. A job that runs for the bond at this moment finds its lease gone
and writes nothing.
"""

from datetime import datetime
from functools import cache, partial

from django.db import models, transaction

from chat.erasure import cleanup
from chat.turns import runner
from echovessel import events
from echovessel.errors import CodedError
from echovessel.llm import ledger
from echovessel.models import BondCounter, BondEvent
from echovessel.postgres import deadlines
from memory.facts.shared import sharing
from memory.jobs.queue import enqueue_once
from personas import erasing
from personas.models import BlockRevision, Bond, OpeningRevision, Persona, User


class ErasureError(CodedError):
    """The erasure was not confirmed."""


@transaction.atomic
def erase_bond(*, bond: Bond, confirm: str) -> None:
    """Erase a bond if the persona's name was typed. Raises ErasureError."""
    check_name(bond.persona, confirm)
    delete_bond(bond)
    enqueue_once("memory.tasks.vacuum")


@transaction.atomic
def erase_companion(*, persona: Persona, confirm: str, now: datetime) -> None:
    """Erase a persona with its owner's bond, if its name was typed; one that others use stays theirs. Raises ErasureError."""
    check_name(persona, confirm)
    for bond in persona.bonds.filter(user=persona.owner_id):
        delete_bond(bond)
    erasing.retire(persona, now=now)
    enqueue_once("memory.tasks.vacuum")


def check_name(persona: Persona, confirm: str) -> None:
    if confirm.strip() != persona.name.strip():
        raise ErasureError("invalid", "This is not the name of the companion.")


@transaction.atomic
def erase_account(*, user: User, now: datetime) -> None:
    """Erase an account if its password was given, with its bonds and personas.

    A shared persona that others use stays as it is now, without an owner and closed to new bonds.
    """
    for bond in user.bonds.order_by("id"):
        delete_bond(bond)
    # From here on the account cannot create another bond.
    locked = User.objects.select_for_update().get(pk=user.pk)
    for bond in locked.bonds.order_by("id"):
        delete_bond(bond)
    for persona in Persona.objects.filter(owner=locked).select_for_update():
        if persona.bonds.exists():
            detach_persona(persona, now=now)
        else:
            erasing.delete_persona(persona)
    ledger.forget_user(locked.pk)
    erasing.drop_admin_log(User, {locked.pk})
    locked.delete()
    enqueue_once("memory.tasks.vacuum")


def delete_bond(bond: Bond) -> None:
    deadlines.extend_limits()
    # A job that is about to write waits for this lock and then finds the bond gone.
    if not Bond.objects.select_for_update().filter(pk=bond.pk).exists():
        return
    cleanup.drop_queued(bond, below=find_models_below_bond())
    # What other companions were told of its facts stays with them.
    sharing.hand_over(bond)
    ways: list[tuple[type[models.Model], str]] = [*reversed(find_models_below_bond().items()), (Bond, "pk")]
    for model, way in ways:
        rows = model._base_manager.filter(**{way: bond.pk})
        erasing.drop_admin_log(model, rows)
        erasing.drop_files(model, rows)
        rows._raw_delete(rows.db)
    BondEvent.objects.filter(bond_id=bond.pk).delete()
    BondCounter.objects.filter(bond_id=bond.pk).delete()
    ledger.forget_bond(bond.pk)
    # One without an owner goes with its last bond.
    left = Persona.objects.filter(pk=bond.persona_id, archived_at__isnull=False, bonds=None).first()
    if left is not None:
        erasing.delete_persona(left)
    transaction.on_commit(partial(announce_erasure, bond.pk), robust=True)


@cache
def find_models_below_bond() -> dict[type[models.Model], str]:
    """Return each model below a bond with its lookup to the bond, dependent models first."""
    found: dict[type[models.Model], str] = {}
    waiting: list[tuple[type[models.Model], str]] = [(Bond, "")]
    for parent, way in waiting:
        # Hidden relations too: a foreign key to the bond may have no reverse name.
        for relation in parent._meta.get_fields(include_hidden=True):
            if not isinstance(relation, models.ForeignObjectRel) or relation.on_delete is not models.CASCADE:
                continue
            model = relation.related_model
            if model not in found:
                found[model] = f"{relation.field.name}{way}"
                waiting.append((model, f"__{found[model]}"))
    return found


def detach_persona(persona: Persona, *, now: datetime) -> None:
    """Remove the owner of a persona that other bonds use; of its texts only the current ones stay."""
    BlockRevision.objects.filter(block__persona=persona).delete()
    OpeningRevision.objects.filter(opening=persona.pk).delete()
    persona.owner = None
    persona.archived_at = persona.archived_at or now
    persona.save(update_fields=["owner", "archived_at"])


def announce_erasure(bond_id: int) -> None:
    """Stop the bond's running turn and tell its followers that the bond is gone."""
    runner.notify_stop(bond_id)
    events.wake(bond_id, "bond.stop")
    events.wake(bond_id)
