import copy
from datetime import timedelta
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.core.files.base import ContentFile
from django.db import connection
from django.test import Client
from django_q.models import OrmQ, Schedule, Task

from chat.erasure import erasing
from chat.erasure.erasing import ErasureError, find_models_below_bond
from chat.turns import claiming, receiving
from echovessel.models import BondCounter, BondEvent, LedgerEntry
from memory.entities import merging
from memory.facts import acts
from memory.jobs.queue import enqueue
from memory.models import (
    ConceptNode,
    Doubt,
    Event,
    Forgotten,
    Import,
    MainDirections,
    Message,
    Proposal,
    SlowTickRun,
    Tombstone,
)
from personas import blocks, onboarding
from personas.accounts import authentication
from personas.models import AccessLog, Bond, CoreBlock, Persona, SignIn, User
from tests.support import story, worlds
from tests.support.dumping import rows_by_table, tables_with
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    PersonaFactory,
    SessionFactory,
    TopicFactory,
    TurnFactory,
    UserFactory,
)
from tests.support.facts import save, writer
from tests.support.talks import event, extraction, remember, thoughts

pytestmark = pytest.mark.django_db

# It is in every text that is erased, and nowhere else.
MARK = "Zymurgy"


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(scope="module")
def maras_life(django_db_setup, django_db_blocker):
    with worlds.shared(made, database=django_db_blocker) as bond:
        yield bond


def made():
    mara = UserFactory(username=f"mara {MARK}", display_name=MARK, email=f"{MARK}@example.org")
    return lived_in(BondFactory(user=mara, persona__name=f"Marian {MARK}", persona__tagline=MARK))


@pytest.fixture
def bond(maras_life):
    return copy.deepcopy(maras_life)


@pytest.fixture
def mara(bond):
    return bond.user


def lived_in(bond):
    """A bond with a row of every kind below it, each with the mark in its texts."""
    session = remember(
        f"{MARK} is my cat.",
        "persona: A cat!",
        f"{MARK} jumps.",
        bond=bond,
        answer=extraction(
            event(f"The cat {MARK} jumps.", impact=9, lines=(1,)),
            session_summary=f"{MARK} jumps.",
            mentioned_entities=[{"canonical_name": MARK, "kind": "pet", "in_events": [1]}],
            session_mood_signal={"mood": MARK, "energy": 5},
        ),
        reflections=[thoughts({"description": f"{MARK} matters.", "emotional_impact": 2, "filling": [1]})],
    )
    cited = cite_event(bond)
    TurnFactory(session=session, status="failed", error_detail=MARK, trace={"words": [MARK]})
    nodes = list(ConceptNode.objects.filter(bond=bond))
    names = [EntityFactory(bond=bond, canonical_name=f"{MARK} {name}", kind="person", nodes=nodes) for name in "abcd"]
    merging.merge_entities(kept=names[0], merged=names[1], by="owner", now=NOW)
    merging.separate_entities(a=names[2], b=names[3], by="owner", now=NOW)
    note(bond, session)
    TopicFactory(session=session, entity_ids=[names[0].pk], terms=[MARK])
    story.create_all(bond, Message.objects.filter(bond=bond).last(), text=f"{MARK} jumps.", entity=names[0])
    write_rest(bond, session, cited)
    return bond


def note(bond, session):
    """Facts with a link, a doubt and their writes; one is copied into another bond."""
    by = writer(session=session)
    a, b = (save(bond, f"{MARK} {what}.", detail=MARK, by=by).node for what in ("eats fish", "sleeps all day"))
    acts.link(bond=bond, a=a, b=b, relation=MARK, writer=by)
    told = {"kind": "contradiction", "severity": 1, "opened_by": "extraction", "opened_at": NOW}
    Doubt.objects.create(bond=bond, a_node=a, b_node=b, **told)
    session.loaded_text, session.loaded_ids, session.auto_title = MARK, [a.pk], MARK
    session.save(update_fields=["loaded_text", "loaded_ids", "auto_title"])
    ConceptNode.objects.filter(pk=a.pk).update(shared=True)
    FactFactory(bond=BondFactory(user=bond.user), description="A copy.", shared=True, copy_of=a)
    Message.objects.filter(bond=bond).update(about=a, kept_at=NOW, kept_note=MARK)


def cite_event(bond):
    """A thought that cites an event, whatever ids the scripted reflection names."""
    node = ConceptNode.objects.filter(bond=bond, type="event").first()
    ConceptNodeFactory(bond=bond, type="thought", description=f"{MARK} matters.", evidence=[node])
    return node


def write_rest(bond, session, cited):
    for content in (f"{MARK} once.", f"{MARK} now."):
        blocks.save(holder=bond, label="user", content=content, user=bond.user, now=NOW)
    SlowTickRun.objects.create(
        bond=bond,
        session=session,
        trigger="interval",
        outcome="done",
        day=NOW.date(),
        prompt=MARK,
        created_at=NOW,
        lease_until=NOW,
    )
    MainDirections.objects.create(
        bond=bond, embedding_model="hash", first=[1, *[0] * 383], second=[0, 1, *[0] * 382], message_count=200
    )
    Forgotten.objects.create(bond=bond, kind="event", object_id=1, kept={"summary": MARK}, created_at=NOW)
    Tombstone.objects.create(bond=bond, of="node", object_id=1, mark=MARK, last_message_id=1, created_at=NOW)
    imported = Import.objects.create(
        bond=bond, name=MARK, kind="text", digest=MARK, total=1, created_at=NOW, touched_at=NOW
    )
    chunk = imported.chunks.create(bond=bond, number=1, text=MARK, digest=MARK, token_count=1)
    Proposal.objects.create(bond=bond, of=imported, chunk=chunk, content=MARK, source_quote=MARK, created_at=NOW)
    LedgerEntry.objects.create(
        feature="reply",
        model="fake",
        duration_ms=1,
        outcome="ok",
        created_at=NOW,
        user_id=bond.user_id,
        bond_id=bond.pk,
        turn_id=uuid4(),
        session_id=session.pk,
        tokens_in=7,
    )
    LogEntry.objects.log_actions(bond.user_id, [session], CHANGE, change_message=MARK)
    of_proxy = ContentType.objects.get_for_model(Event, for_concrete_model=False)
    LogEntry.objects.create(
        user=bond.user, content_type=of_proxy, object_id=cited.pk, object_repr=MARK, action_flag=CHANGE
    )
    for task, pk in (("consolidate", session.pk), ("embed_messages", bond.pk), ("read_import", imported.pk)):
        enqueue(f"memory.tasks.{task}", pk)
        Task.objects.create(
            id=uuid4().hex, name=task, func=f"memory.tasks.{task}", args=(pk,), result=MARK, started=NOW, stopped=NOW
        )


def counts_below(bond):
    return {
        model.__name__: model._base_manager.filter(**{way: bond.pk}).count()
        for model, way in find_models_below_bond().items()
    }


def queued():
    return sorted(entry.task["func"] for entry in OrmQ.objects.all())


def without(dump, *tables):
    return {table: rows for table, rows in dump.items() if table not in tables}


def erase(bond):
    erasing.erase_bond(bond=bond, confirm=bond.persona.name)


def test_every_kind_of_row_lies_below_the_bond_of_these_tests(bond):
    assert [name for name, count in counts_below(bond).items() if count == 0] == []


def test_a_bond_is_erased_with_all_that_is_below_it(bond, mara):
    erase(bond)

    assert set(counts_below(bond).values()) == {0}
    assert tables_with(MARK) == ["personas_persona", "personas_user"]
    assert (Task.objects.count(), LogEntry.objects.count()) == (0, 0)
    assert queued() == []
    assert list(Schedule.objects.filter(schedule_type=Schedule.ONCE).values_list("func", flat=True)) == [
        "memory.tasks.vacuum"
    ]
    assert not BondEvent.objects.filter(bond_id=bond.pk).exists()
    assert not BondCounter.objects.filter(bond_id=bond.pk).exists()
    connection.check_constraints()


def test_the_ledger_keeps_its_sums(bond, mara):
    erase(bond)

    [entry] = LedgerEntry.objects.filter(tokens_in=7)
    assert (entry.user_id, entry.bond_id, entry.turn_id, entry.session_id) == (mara.pk, None, None, None)


def test_what_is_of_others_stays_as_it_was(bond):
    lin = lived_in(BondFactory(user__username="lin"))
    before = counts_below(lin)
    waiting = queued()

    erase(bond)

    assert counts_below(lin) == before
    assert queued() == waiting[::2]
    assert LedgerEntry.objects.filter(bond_id=lin.pk, tokens_in=7).count() == 1
    assert LogEntry.objects.count() == 2


@pytest.mark.parametrize("typed", ["", "marian", "Marian"])
def test_a_bond_is_erased_only_where_the_name_was_typed(bond, typed):
    with pytest.raises(ErasureError):
        erasing.erase_bond(bond=bond, confirm=typed)

    assert Bond.objects.filter(pk=bond.pk).exists()


def test_one_may_begin_anew_with_the_same_persona(bond, mara):
    erase(bond)

    fresh, is_new = onboarding.begin_bond(user=mara, persona=bond.persona, now=NOW)

    assert (is_new, set(counts_below(fresh).values())) == (True, {0})


def test_a_persona_that_its_owner_let_go_goes_with_its_last_bond(mara):
    persona = PersonaFactory(owner=mara, archived_at=NOW)
    first, last = BondFactory(persona=persona), BondFactory(persona=persona)

    erase(first)
    assert Persona.objects.filter(pk=persona.pk).exists()
    erase(last)
    assert not Persona.objects.filter(pk=persona.pk).exists()


def test_copies_of_its_facts_in_other_bonds_stay(bond):
    erase(bond)

    copy = ConceptNode.objects.get()
    assert (copy.description, copy.copy_of, copy.shared) == ("A copy.", None, True)


def test_erasing_twice_is_no_error(bond):
    erase(bond)

    erasing.delete_bond(bond)


@pytest.mark.parametrize("lines", [1, 40])
def test_erasing_costs_the_same_for_many_messages(maras_life, lines, django_assert_num_queries):
    """Beside rows of another bond, of which it looks through tasks and log entries."""
    lin = UserFactory(username="lin")
    # Caches of the process are warm from here on.
    erase(BondFactory(user=lin))
    bond = BondFactory(user=lin)
    session = SessionFactory(bond=bond, status="closed")
    MessageFactory.create_batch(lines, session=session)

    with django_assert_num_queries(88):
        erase(bond)


def account(mara, bond):
    """Everything else that belongs to an account."""
    EmailAddress.objects.create(user=mara, email=f"{MARK}@example.org")
    TOTP.activate(mara, generate_totp_secret())
    RecoveryCodes.activate(mara)
    authentication.issue_token(mara, now=NOW)
    for _ in range(2):
        Client().force_login(mara)
    Client().force_login(UserFactory(username="lin"))
    reader = UserFactory(username="staff")
    AccessLog.objects.create(person=mara, reader=reader, reader_name="staff", section="events", hour=NOW)
    LogEntry.objects.log_actions(reader.pk, [mara, bond.persona], CHANGE, change_message=MARK)
    bond.persona.avatar.save("marian.webp", ContentFile(b"a picture"))
    return bond.persona.avatar.path


def test_an_account_is_erased_with_everything(mara, bond, django_capture_on_commit_callbacks, tmp_path):
    account(mara, bond)
    PersonaFactory(owner=mara, name=MARK)

    with django_capture_on_commit_callbacks(execute=True):
        erasing.erase_account(user=mara, now=NOW)

    assert tables_with(MARK) == []
    assert list(User.objects.order_by("username").values_list("username", flat=True)) == ["lin", "staff"]
    assert [kept.get_decoded()["_auth_user_id"] for kept in SignIn.objects.all()] == [
        str(User.objects.get(username="lin").pk)
    ]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    kept = {"django_content_type", "django_migrations", "personas_signin", "auth_permission", "personas_user"}
    kept |= {"echovessel_ledgerentry", "django_q_schedule", "personas_personafacts"}
    assert [table for table, rows in without(rows_by_table(), *kept).items() if rows] == []
    connection.check_constraints()


def test_sign_ins_of_an_account_are_erased_without_being_read(mara):
    Client().force_login(mara)
    Client().force_login(UserFactory(username="lin"))
    SignIn.objects.update(session_data="cannot be read")

    erasing.erase_account(user=mara, now=NOW)

    assert list(SignIn.objects.values_list("user__username", flat=True)) == ["lin"]


def test_of_an_account_the_ledger_keeps_its_sums(mara, bond):
    erasing.erase_account(user=mara, now=NOW)

    [entry] = LedgerEntry.objects.filter(tokens_in=7)
    assert (entry.user_id, entry.bond_id, entry.turn_id, entry.session_id) == (None, None, None, None)


def test_a_shared_persona_stays_for_those_who_talk_with_it(mara):
    persona = PersonaFactory(owner=mara, visibility="shared", name="Marian")
    for content in ("Once shy.", "Kind."):
        blocks.save(holder=persona, label="persona", content=content, user=mara, now=NOW)
    lin = BondFactory(user__username="lin", persona=persona)
    erasing.erase_account(user=mara, now=NOW)

    persona.refresh_from_db()
    assert (persona.owner, persona.archived_at) == (None, NOW)
    assert tables_with("Once shy.") == []
    assert CoreBlock.objects.get().content == "Kind."
    assert not Persona.objects.open_to(UserFactory(username="charlie")).exists()
    received = receiving.receive(bond=lin, content="Are you there?", channel="web", now=NOW, debounce=False)
    assert claiming.claim(bond_id=lin.pk, now=NOW + timedelta(minutes=1)).pk == received.turn_id
