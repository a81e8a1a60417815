"""One row of everything that the admin shows, all of one person; each text has a unique word."""

import uuid
from datetime import UTC, datetime

from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django_q.models import Failure, OrmQ, Schedule, Success
from django_q.tasks import async_task
from knox.models import AuthToken

from echovessel.models import LedgerEntry
from memory.entities import merging
from memory.forgetting import removal
from memory.importing import intake
from memory.models import ConsolidationStep, Doubt, Forgotten, Proposal, ReflectionRun, SlowTickRun
from personas import access, blocks
from personas.authored import lore_entries, openings
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
)
from tests.support.story import create_all

MARK = "xylograph"


def made(name="mara", word=MARK):
    """Rows by the label of their model."""
    person = UserFactory(username=f"{name}-{word}", display_name=f"{name} {word}", email=f"{name}@{word}.org")
    bond = BondFactory(user=person, persona__name=f"Marian {word}", persona__tagline=word)
    talk = SessionFactory(bond=bond, status="failed", message_count=2, summary=f"{word} was told", title=word)
    turn = TurnFactory(session=talk, status="done", text=f"Tell me of the {word}.")
    line = MessageFactory(session=talk, content=f"I bought a {word} today.", turn_id=turn.pk)
    event = ConceptNodeFactory(bond=bond, session=talk, description=f"They bought a {word}.", sources=[line])
    turn.trace = {
        "items": [
            {"node": event.pk, "score": 2.5, "terms": {"recency": 0.5}, "anchored_by": [], "kept": True, "reason": ""}
        ],
        "words": [{"message": line.pk, "score": 0.9}],
        "cut": {},
        "prompt_tokens": 900,
    }
    turn.save()
    kinds = {
        kind: ConceptNodeFactory(bond=bond, type=kind, description=f"{kind}: a {word}.", evidence=[event])
        for kind in ("thought", "intention", "expectation")
    }
    for text in ("first", "second"):
        blocks.save(holder=bond, label="user", content=f"{text} {word}", user=person, now=NOW)
    return {
        "personas.user": person,
        "personas.persona": bond.persona,
        "personas.coreblock": bond.blocks.get(),
        "personas.opening": opened(bond.persona, word),
        "personas.loreentry": lore_entries.add(persona=bond.persona, fields={"keys": [word], "content": f"A {word}."}),
        "personas.bond": bond,
        "personas.accesslog": logged(person),
        "memory.session": talk,
        "memory.message": line,
        "memory.event": event,
        "memory.fact": FactFactory(bond=bond, session=talk, description=f"The user has a {word}.", sources=[line]),
        **{f"memory.{kind}": node for kind, node in kinds.items()},
        **people(bond, event, word),
        "memory.forgotten": thrown_away(bond, word),
        "memory.import": brought(bond, word),
        **runs(bond, talk, word),
        **told(bond, line, word),
        "chat.turn": turn,
        **of_the_install(person, word),
    }


def opened(persona, word):
    for text in ("first", "second"):
        opening = openings.save(
            persona=persona, greetings=[f"{text} {word}"], starters=[word], user=persona.owner, now=NOW
        )
    return opening


def logged(person):
    access.log_access(reader=UserFactory(), people=[person.pk], section="message", now=NOW)
    return person.read_by.get()


def people(bond, event, word):
    kept = EntityFactory(bond=bond, canonical_name=f"Ann {word}", description=f"Knows the {word}.", nodes=[event])
    other = EntityFactory(bond=bond, canonical_name=f"Anna {word}")
    merge = merging.merge_entities(kept=kept, merged=other, by="owner", now=NOW)
    doubt = Doubt.objects.open_about_nodes(kind="stale", this=event, that=None, by=Doubt.BY_CLOCK, now=NOW)
    return {"memory.entity": kept, "memory.entitymerge": merge, "memory.doubt": doubt}


def told(bond, line, word):
    scene, version = create_all(bond, line, text=f"They bought a {word}.", now=NOW)
    step = bond.story_steps.get()
    step.detail = word
    step.save()
    return {
        "memory.scene": scene,
        "memory.scenerecap": scene.recap,
        "memory.storyversion": version,
        "memory.storystep": step,
    }


def thrown_away(bond, word):
    gone = ConceptNodeFactory(bond=bond, description=f"They lost a {word}.")
    removal.forget_node(node=gone, now=NOW)
    return Forgotten.objects.get(object_id=gone.pk)


def brought(bond, word):
    """A file of which the second of two pieces could not be read."""
    imported, _ = intake.take_in(bond=bond, name=f"{word}.md", content=f"A {word}.\n\n{word * 200}".encode(), now=NOW)
    imported.chunks.update(title=word)
    imported.chunks.filter(number=2).update(state="failed", error=word)
    imported.fail(code="model_bad_answer", detail=word, now=NOW, again=False)
    imported.save()
    Proposal.objects.create(
        bond=bond, of=imported, chunk=imported.chunks.first(), content=word, source_quote=word, created_at=NOW
    )
    return imported


def runs(bond, talk, word):
    at = {"created_at": NOW}
    step = ConsolidationStep.objects.create(
        session=talk, last_message_id=1, phase="extraction", outcome="done", answer=f'{{"events": ["{word}"]}}', **at
    )
    tick = SlowTickRun.objects.create(
        bond=bond,
        session=talk,
        trigger="shock",
        outcome="done",
        day=NOW.date(),
        prompt=word,
        questions=[f"Where is the {word}?"],
        lease_until=NOW,
        **at,
    )
    reflection = ReflectionRun.objects.create(bond=bond, session=talk, trigger="timer", **at)
    return {
        "memory.consolidationstep": step,
        "memory.slowtickrun": tick,
        "memory.reflectionrun": reflection,
    }


def of_the_install(person, word):
    token, _ = AuthToken.objects.create(user=person)
    async_task("memory.tasks.consolidate", f"{word}-1")
    task = {"func": "memory.tasks.consolidate", "args": (word,), "result": word, "started": NOW, "stopped": NOW}
    return {
        "knox.authtoken": token,
        "mfa.authenticator": Authenticator.objects.create(user=person, type="totp", data={"secret": word}),
        "auth.group": Group.objects.create(name=word),
        "echovessel.ledgerentry": LedgerEntry.objects.create(
            feature="reply", model=word, duration_ms=3, outcome="ok", user_id=person.pk, created_at=datetime.now(UTC)
        ),
        "django_q.schedule": Schedule.objects.create(name=word, func=f"memory.tasks.{word}"),
        "django_q.ormq": OrmQ.objects.latest("id"),
        "django_q.success": Success.objects.create(id=uuid.uuid4().hex, name=word, success=True, **task),
        "django_q.failure": Failure.objects.create(id=uuid.uuid4().hex, name=word, success=False, **task),
    }


def staff(username, *, sees_others=False, is_superuser=False):
    """A user with all permissions, except the one to see other people's memory."""
    user = UserFactory(username=username, is_staff=True, is_superuser=is_superuser)
    codenames = Permission.objects.all() if sees_others else Permission.objects.exclude(codename="see_others_memory")
    user.user_permissions.set(codenames)
    return user


def sections():
    """Return the label and admin of every registered model."""
    return {model._meta.label_lower: one for model, one in admin.site._registry.items()}


def address(label, page, *args):
    return f"/admin/{label.replace('.', '/')}/{page}".format(*args)
