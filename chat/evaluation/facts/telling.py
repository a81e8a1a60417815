"""Tell a talk as a user would: each line is a turn, each session is closed and consolidated, and the night puts in order."""

from dataclasses import dataclass
from io import BytesIO

from asgiref.sync import async_to_sync
from django.utils import timezone
from django_q.models import OrmQ

from chat.evaluation.facts.talks import Talk, TalkStep, read_steps
from chat.models import Turn
from chat.transfer import exporting, restoring
from chat.turns import backstop, claiming, receiving, runner
from echovessel.llm.protocol import LLM
from memory import sessions
from memory.consolidation import run
from memory.consolidation.fact_sweep import run as fact_sweep
from memory.evaluation import bonds
from memory.facts import undoing
from memory.models import FactWrite, Message, Session
from personas.models import Bond


@dataclass(frozen=True)
class ToldStep:
    """A step as it was played: how many writes it made, and whether the reply claims one."""

    step: TalkStep
    writes: int
    is_claimed: bool


def tell(talk: Talk, *, llm: LLM) -> tuple[Bond, list[ToldStep]]:
    """Create a bond that has lived through the talk."""
    bond = bonds.create(user=talk.user, persona=talk.persona, lang=talk.lang, now=timezone.now())
    told: list[ToldStep] = []
    for steps in talk.sessions:
        told += [play_step(bond, step, llm=llm) for step in read_steps(steps)]
        close_session(bond, llm=llm)
    fact_sweep.run(bond_id=bond.pk, llm=llm)
    return bond, told


def play_step(bond: Bond, step: TalkStep, *, llm: LLM) -> ToldStep:
    if step.undo:
        undoing.undo(write=FactWrite.objects.for_bond(bond).latest("id"), now=timezone.now())
        return ToldStep(step=step, writes=0, is_claimed=False)
    turn = say(bond, step.say, llm=llm)
    return ToldStep(
        step=step,
        writes=FactWrite.objects.for_bond(bond).filter(turn_id=turn.pk).count(),
        is_claimed=backstop.is_claimed(get_reply(turn)),
    )


def say(bond: Bond, line: str, *, llm: LLM) -> Turn:
    """Send a message and run its turn to the end."""
    now = timezone.now()
    receiving.receive(bond=bond, content=line, channel=Session.Channel.WEB, now=now, debounce=False)
    turn = claiming.claim(bond_id=bond.pk, now=timezone.now())
    if turn is None:
        raise RuntimeError(f"bond {bond.pk} has another turn")
    async_to_sync(runner.run)(turn, llm=llm)
    turn.refresh_from_db()
    return turn


def get_reply(turn: Turn) -> str:
    replies = Message.objects.filter(bond=turn.bond_id, turn_id=turn.pk, role=Message.Role.PERSONA, chosen=True)
    return replies.values_list("content", flat=True).first() or ""


def close_session(bond: Bond, *, llm: LLM) -> None:
    session = Session.objects.for_bond(bond).get(status=Session.Status.OPEN)
    sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
    OrmQ.objects.all().delete()
    run.consolidate(session_id=session.pk, llm=llm)


def make_round_trip(bond: Bond) -> Bond:
    """Export a bond and restore it beside."""
    with exporting.export_bond(bond, now=timezone.now()) as file:
        [restored] = restoring.restore(BytesIO(file.read()), user=bond.user, now=timezone.now())
    return restored
