"""Sample data for every page: sessions of two weeks, their memories, people, moods, files."""

import hashlib
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.utils import timezone

from chat.models import Restoration, Turn
from echovessel import text
from echovessel.models import LedgerEntry
from memory.entities import merging
from memory.forgetting import removal
from memory.models import ConceptNode, Forgotten, Import, ImportChunk, Message, Proposal, Scene, Session
from memory.story import keeping
from personas import access, blocks
from personas.accounts import authentication
from personas.authored import lore_entries, openings
from personas.models import Bond, Install, User
from tests.support import sample_facts, sample_story
from tests.support import sample_texts as texts
from tests.support.factories import (
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    MessageFactory,
    MoodChangeFactory,
    PersonaFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
)

ZONE = "Europe/Vienna"


def as_it_is(words: str) -> str:
    return words


@dataclass
class Sample:
    """Whose life it is, and the rows that pages are about."""

    mara: User
    # Signs in with a second factor.
    lin: User
    # Runs the install.
    ada: User
    bond: Bond
    # In which nothing was said yet.
    quiet: Bond
    nodes: dict[str, ConceptNode]
    people: dict[str, Any]
    imports: dict[str, Import]
    acts: list[Forgotten]
    failed: Session
    scene: Scene


def live(words: Callable[[str], str] = as_it_is) -> Sample:
    """All of it; what people and models wrote goes through `words`."""
    ada = UserFactory(username="ada", display_name=words("Ada"), is_staff=True, is_superuser=True, time_zone=ZONE)
    mara = UserFactory(username="mara", display_name=words("Mara"), email="mara@example.org", time_zone=ZONE)
    lin = UserFactory(username="lin", display_name=words("Lin"), time_zone="Asia/Shanghai")
    Install.objects.get_or_create(defaults={"operator_id": ada.pk, "created_at": timezone.now()})
    second_factor(lin)
    bond, quiet = bonds(mara, ada, words)
    lines = talks(bond, words)
    nodes = memories(bond, lines, words)
    known = people(bond, nodes, words)
    sample = Sample(
        mara=mara,
        lin=lin,
        ada=ada,
        bond=bond,
        quiet=quiet,
        nodes=nodes,
        people=known,
        imports=files(bond, words),
        acts=[],
        failed=Session.objects.get(bond=bond, status="failed"),
        scene=sample_story.tell(bond, lines, known["Nimbus"], words),
    )
    sample_facts.note(bond, lines, nodes, words)
    recall(bond, nodes)
    sample.acts = thrown_away(bond, nodes)
    keep_some(bond, words)
    account(mara, reader=ada)
    restorations(bond, words)
    return sample


def keep_some(bond: Bond, words: Callable[[str], str]) -> None:
    """Keep the newest message of each side, one with a note."""
    newest = Message.objects.for_bond(bond).visible().not_off_record().order_by("-id")
    for role, note in (("user", words(texts.KEPT_NOTE)), ("persona", "")):
        message = newest.filter(role=role).first()
        assert message is not None  # the sample has messages of both
        keeping.keep(message=message, note=note, now=ago(minutes=5))


def recall(bond: Bond, nodes: dict[str, ConceptNode]) -> None:
    """Tell of the newest turn what it recalled."""
    items = [
        {
            "node": nodes[key].pk,
            "score": score,
            "terms": {"recency": 0.4, "relevance": 0.7, "impact": 0.6},
            "anchored_by": [],
            "kept": True,
            "reason": "",
        }
        for key, score in (("waltz", 2.5), ("audition", 2.1), ("sister", 1.6))
    ]
    turn = Turn.objects.filter(bond=bond).latest("created_at")
    turn.trace = {"items": items, "words": [], "cut": {}, "prompt_tokens": 1900}
    turn.save()


def ago(**of: float) -> Any:
    return timezone.now() - timedelta(**of)


def second_factor(user: User) -> None:
    Authenticator.objects.create(user=user, type="totp", data={"secret": "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"})
    RecoveryCodes.activate(user)


def bonds(mara: User, ada: User, words: Callable[[str], str]) -> tuple[Bond, Bond]:
    born = ago(days=20)
    marian = PersonaFactory(owner=mara, name=words("Marian"), tagline=words(texts.TAGLINE), created_at=born)
    for name, fact in texts.FACTS.items():
        setattr(marian.facts, name, words(fact))
    marian.facts.save()
    bond = BondFactory(
        user=mara, persona=marian, created_at=born, mood=words("tender"), energy=7, mood_updated_at=ago(hours=1)
    )
    for holder, label, written in (
        (marian, "persona", texts.PERSONA),
        (marian, "style", texts.STYLE),
        (bond, "user", texts.ABOUT_MARA),
    ):
        for content in written:
            blocks.save(holder=holder, label=label, content=words(content), user=mara, now=born)
    for words_of, content in ((["mill", "tide"], texts.TAGLINE), ([], texts.PERSONA[0])):
        fields = {"keys": [words(key) for key in words_of], "content": words(content), "constant": not words_of}
        lore_entries.add(persona=marian, fields=fields)
    openings.save(
        persona=marian, greetings=[words(texts.TAGLINE)], starters=[words(texts.TEO)[:200]], user=mara, now=born
    )
    teo = PersonaFactory(owner=mara, name=words("Teo"), tagline=words(texts.TEO), created_at=born)
    shared = PersonaFactory(
        owner=ada, name=words("Ines"), tagline=words(texts.INES), visibility="shared", created_at=born
    )
    for greeting in (texts.TEO, texts.TAGLINE):
        openings.save(
            persona=teo,
            greetings=[words(greeting), words(texts.TAGLINE)],
            starters=[words(texts.TEO)[:200]],
            user=mara,
            now=born,
        )
    blocks.save(holder=shared, label="persona", content=words(texts.INES), user=ada, now=born)
    BondFactory(user=ada, persona=shared, created_at=born)
    return bond, BondFactory(user=mara, persona=teo, created_at=born)


def talks(bond: Bond, words: Callable[[str], str]) -> list[Message]:
    return [line for talk in texts.TALKS for line in a_talk(bond, talk, words)]


def a_talk(bond: Bond, talk: texts.Talk, words: Callable[[str], str]) -> list[Message]:
    at = ago(days=talk.days_ago, minutes=12)
    session = SessionFactory(
        bond=bond,
        status=talk.status,
        started_at=at,
        last_message_at=at + timedelta(minutes=len(talk.lines)),
        message_count=len(talk.lines),
        title=words(talk.title)[:120],
        summary=words(talk.summary)[:200],
        **({"failure_code": "model_unavailable", "failure_detail": texts.FAILURE} if talk.status == "failed" else {}),
    )
    made: list[Any] = []
    turn: Any = None
    for number, (role, content) in enumerate(talk.lines):
        said_at = at + timedelta(minutes=number)
        if role == "user" and (turn is None or made[-1].role == "persona"):
            turn = TurnFactory(session=session, status="done", created_at=said_at, finished_at=said_at)
        made.append(
            MessageFactory(session=session, role=role, content=words(content), turn_id=turn.pk, created_at=said_at)
        )
    return made


def memories(bond: Bond, lines: list[Message], words: Callable[[str], str]) -> dict[str, ConceptNode]:
    made: dict[str, ConceptNode] = {}
    for one in texts.MEMORIES:
        sources = [lines[number] for number in one.lines]
        day = timezone.localdate() + timedelta(days=one.due) if one.due is not None else None
        made[one.key] = ConceptNodeFactory(
            bond=bond,
            session=sources[0].session if sources else None,
            type=one.type,
            subject=one.subject,
            description=words(one.text),
            emotional_impact=one.impact,
            emotion_tags=[words(tag)[:40] for tag in one.emotions],
            relational_tags=list(one.tags),
            event_time_start=day,
            event_time_end=day,
            created_at=ago(days=one.days_ago),
            sources=sources,
            evidence=[made[key] for key in one.evidence],
        )
    made["old cat"].supersede(by=made["cat"], now=timezone.now())
    for days, mood, energy in texts.MOODS:
        MoodChangeFactory(
            session=lines[0].session, bond=bond, mood=words(mood)[:60], energy=energy, created_at=ago(days=days)
        )
    return made


def people(bond: Bond, nodes: dict[str, ConceptNode], words: Callable[[str], str]) -> dict[str, Any]:
    known: dict[str, Any] = {}
    for one in texts.PEOPLE:
        known[one.name] = EntityFactory(
            bond=bond,
            canonical_name=words(one.name)[:120],
            kind=one.kind,
            description=words(one.description),
            nodes=[nodes[key] for key in one.nodes],
            created_at=ago(days=9),
        )
        for name in one.aliases:
            shown = words(name)[:120]
            AliasFactory(entity=known[one.name], name=shown, folded=text.fold(shown))
    merging.open_uncertain_pair(a=known["Scott"], b=known["Yiyang"], now=timezone.now())
    merging.merge_entities(kept=known["Nimbus"], merged=known["the grey one"], by="owner", now=timezone.now())
    return known


def files(bond: Bond, words: Callable[[str], str]) -> dict[str, Import]:
    made = {}
    for state, done in (("done", 3), ("running", 1), ("waiting", 0), ("failed", 2)):
        failure = {"failure_code": "model_unavailable", "failure_detail": texts.FAILURE} if state == "failed" else {}
        made[state] = Import.objects.create(
            bond=bond,
            name=words(f"diary-{state}.txt"),
            kind="text",
            digest=hashlib.sha256(state.encode()).hexdigest(),
            state=state,
            total=3,
            done=done,
            events_count=done * 2,
            entities_count=done,
            created_at=ago(days=3),
            touched_at=ago(days=3),
            **failure,
        )
        for number in range(3):
            a_chunk(made[state], number, is_read=number < done, words=words)
    first = made["done"].chunks.get(number=1)
    for content in texts.PROPOSALS:
        Proposal.objects.create(
            bond=bond,
            of=made["done"],
            chunk=first,
            content=words(content)[:300],
            source_quote=words(texts.QUOTE),
            created_at=ago(days=3),
        )
    return made


def a_chunk(imported: Import, number: int, *, is_read: bool, words: Callable[[str], str]) -> None:
    digest = hashlib.md5(f"{imported.pk} {number}".encode()).hexdigest()
    chunk = ImportChunk.objects.create(
        bond=imported.bond,
        of=imported,
        number=number + 1,
        digest=digest,
        title=words(f"Notebook, page {number + 1}"),
        said_on=ago(days=90 - number).date(),
        token_count=800,
        text="" if is_read else words(texts.QUOTE),
        state="done" if is_read else "waiting",
        events_count=int(is_read),
        read_at=ago(days=3) if is_read else None,
    )
    if is_read and imported.state == "done":
        ConceptNodeFactory(
            bond=imported.bond,
            description=words(texts.FROM_FILE[number]),
            origin="import",
            emotional_impact=3,
            answer_key=f"import:{chunk.digest}:e0",
            source_quote=words(texts.QUOTE),
            created_at=ago(days=3),
        )


def restorations(bond: Bond, words: Callable[[str], str]) -> None:
    """Large exports on their way back."""
    for state, done in (("running", 12_500), ("done", 41_203), ("failed", 500)):
        failed = {"failure_code": "invalid", "failure_detail": texts.BROKEN_EXPORT} if state == "failed" else {}
        Restoration.objects.create(
            user=bond.user,
            name=words("echovessel.zip"),
            state=state,
            total=41_203,
            done=done,
            restored=[bond.pk] if state == "done" else [],
            created_at=ago(hours=2),
            touched_at=ago(hours=2),
            **failed,
        )


def thrown_away(bond: Bond, nodes: dict[str, ConceptNode]) -> list[Forgotten]:
    removal.forget_node(node=nodes["coffee"], now=timezone.now())
    removal.forget_node(node=nodes["rain"], dependents="cascade", now=timezone.now())
    return list(Forgotten.objects.for_bond(bond).order_by("id"))


def account(mara: User, *, reader: User) -> None:
    """What the settings show: tokens, usage, who has read."""
    authentication.issue_token(mara, now=timezone.now())
    access.log_access(reader=reader, people=[mara.pk], section="message", now=ago(hours=5))
    for days in range(12):
        for feature, tokens in (("reply", 1800 + 700 * (days % 4)), ("extraction", 900), ("reflection", 400)):
            LedgerEntry.objects.create(
                feature=feature,
                model="qwen3-8b",
                tokens_in=tokens,
                tokens_out=tokens // 6,
                duration_ms=900,
                outcome="ok",
                user_id=mara.pk,
                turn_id=uuid.uuid4(),
                created_at=ago(days=days),
            )
