"""Tell a talk as a user would: each line is a turn, each session is closed and consolidated, and the night puts in order.

A reply that asks whether to forget what it names is answered: yes where the talk wants that gone, else no.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from uuid import UUID

from asgiref.sync import async_to_sync
from django.utils import timezone
from django_q.models import OrmQ

from chat.evaluation.facts.talks import Talk, TalkStep, holds, read_steps
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

# What is told in a reply's question before anything is forgotten.
_ASKED = re.compile(
    r"(?:\bdo you mean this:|\bforget anything: is it that|\bshall i forget that) (?P<said>.+?)\?"
    r"|是“(?P<told>.+?)”这件事吗|要我忘掉“(?P<kept>.+?)”吗",
    re.IGNORECASE,
)
_YES, _NO = {"en": "Yes.", "zh": "对。"}, {"en": "No.", "zh": "不是。"}


@dataclass(frozen=True)
class ToldStep:
    """A step as it was played: its turns, how many writes it made, and whether the reply claims one.

    Of a press of *Undo*, `undone` is the step that it takes back, and `is_undone` whether that had a write to undo.
    """

    step: TalkStep
    turns: list[UUID]
    writes: int = 0
    is_claimed: bool = False
    undone: TalkStep | None = None
    is_undone: bool = False


def tell(talk: Talk, *, llm: LLM) -> tuple[Bond, list[ToldStep]]:
    """Create a bond that has lived through the talk."""
    bond = bonds.create(user=talk.user, persona=talk.persona, lang=talk.lang, now=timezone.now())
    told: list[ToldStep] = []
    for steps in talk.sessions:
        for step in read_steps(steps):
            told.append(press_undo(bond, step, told[-1]) if step.undo else play_step(talk, bond, step, llm=llm))
        session = Session.objects.for_bond(bond).get(status=Session.Status.OPEN)
        sessions.close(session=session, reason=Session.CloseReason.EXPLICIT, now=timezone.now())
        OrmQ.objects.all().delete()
        run.consolidate(session_id=session.pk, llm=llm)
    fact_sweep.run(bond_id=bond.pk, llm=llm)
    return bond, told


def press_undo(bond: Bond, step: TalkStep, before: ToldStep) -> ToldStep:
    """Undo the last write that is shown at the step before; where there is none, nobody could press."""
    write = FactWrite.objects.for_bond(bond).not_undone().filter(turn_id__in=before.turns).order_by("id").last()
    if write is not None:
        undoing.undo(write=write, now=timezone.now())
    return ToldStep(step=step, turns=before.turns, undone=before.step, is_undone=write is not None)


def leave_out_never_undone(talk: Talk, told: Sequence[ToldStep]) -> Talk:
    """Leave out of what may not stand any more what only a press of *Undo* that was not possible would have undone."""
    never = [one.undone for one in told if one.undone and not one.is_undone]
    others = [one for step in talk.steps if step not in never for one in (step.say, step.told)]
    probes = [
        probe.model_copy(update={"gone": []})
        if any(holds(step.told, probe.gone) for step in never) and not any(holds(one, probe.gone) for one in others)
        else probe
        for probe in talk.probes
    ]
    return talk.model_copy(update={"probes": probes})


def play_step(talk: Talk, bond: Bond, step: TalkStep, *, llm: LLM) -> ToldStep:
    turns = [say(bond, step.say, llm=llm)]
    if answer := choose_answer(talk, get_reply(turns[0])):
        turns.append(say(bond, answer, llm=llm))
    turn_ids = [turn.pk for turn in turns]
    return ToldStep(
        step=step,
        turns=turn_ids,
        writes=FactWrite.objects.for_bond(bond).filter(turn_id__in=turn_ids).count(),
        is_claimed=any(backstop.is_claimed(get_reply(turn)) for turn in turns),
    )


def choose_answer(talk: Talk, reply: str) -> str:
    """Choose what the user says to a reply; "" unless it asks whether to forget what it names."""
    asked = _ASKED.search(reply)
    if asked is None:
        return ""
    named = next(filter(None, asked.groups()))
    is_meant = any(holds(named, words) for words in talk.let_go)
    return (_YES if is_meant else _NO)[talk.lang]


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


def make_round_trip(bond: Bond) -> Bond:
    """Export a bond and restore it beside."""
    with exporting.export_bond(bond, now=timezone.now()) as file:
        [restored] = restoring.restore(BytesIO(file.read()), user=bond.user, now=timezone.now())
    return restored
