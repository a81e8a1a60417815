"""Recap single messages: the call `line_recaps`. No transaction is held across it."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from echovessel.llm.errors import BadAnswerError
from echovessel.llm.inputs import LineRecapInputs, LineToRecap
from echovessel.prompts import escape, render
from memory.answers.coercion import one_line
from memory.answers.scene_schemas import LineRecapAnswer, LineRecapsAnswer
from memory.answers.schemas import parse_parts
from memory.consolidation.asking import Asker
from memory.entities.names import name_user
from memory.facts import firm_tokens
from memory.messages import secrets
from memory.models import Message, StoryStep
from memory.models.story.made_by import MadeBy
from memory.story.known_names import load_known_names
from memory.story.line_recaps import due as due_lines
from memory.story.line_recaps import rules, writing
from memory.story.line_recaps.due import DueLine
from memory.storytelling.work.due import FinderContext
from memory.storytelling.work.running import RunningStep, StepChanged
from memory.storytelling.work.steps import Work
from personas.models import Bond

PROMPT = Path(__file__).parent.parent / "prompts" / "line_recaps.md"
FEATURE = "line_recaps"
# Of a long message the model reads the beginning and the end.
READ_CHARACTERS = 4_000


def find_line_recaps(context: FinderContext) -> Iterable[Work]:
    """Find whether messages are to be recapped: the next of them as one piece of work."""
    due = due_lines.find_due_lines(context.bond, firm_tokens=firm_tokens.load(context.bond))
    if due:
        ids = ",".join(str(one.message.pk) for one in due)
        yield Work(
            kind=StoryStep.Kind.LINE_RECAPS,
            source_hash=hashlib.sha256(ids.encode()).hexdigest(),
            since=due[-1].message.created_at,
        )


def recap_lines(*, bond: Bond, asker: Asker, step: RunningStep, now: datetime, target: int = 0) -> None:
    """Recap the messages that are due, or the one that a person asks for. Raises LLMError, and what a step raises.

    A message of which the answer has nothing that may stand is failed: a sentence of its own tells it, until a person asks
    again.
    """
    due = due_lines.find_due_lines(
        bond, most=step.shrink(due_lines.MOST), asked_for=target or None, firm_tokens=firm_tokens.load(bond)
    )
    if not due:
        return

    def check(parsed: Mapping[str, Any]) -> None:
        if not any(read_texts(bond, due, parsed).values()):
            raise BadAnswerError("Nothing in the answer tells what the messages say.")

    prompt = render_prompt(bond, due)
    answer = asker.ask(prompt, feature=FEATURE, schema=LineRecapsAnswer, inputs=build_inputs(due), check=check)
    if not answer.offline:
        check(answer.parsed)
    texts = read_texts(bond, due, answer.parsed)
    with step.transaction() as story:
        if not writing.is_unchanged(story.bond, due):
            raise StepChanged
        made_by = MadeBy.RULES if answer.offline else MadeBy.MODEL
        writing.write_line_recaps(bond=story.bond, due=due, texts=texts, made_by=made_by, now=now)


def read_texts(bond: Bond, due: Sequence[DueLine], parsed: Mapping[str, Any]) -> dict[int, str]:
    """Return what may stand of an answer's texts, by the ids of the messages."""
    recaps, _ = parse_parts(parsed.get("recaps"), LineRecapAnswer, what="recap", most=due_lines.MOST)
    names = load_known_names(bond)
    speakers = [bond.persona.name, bond.user.shown_name, name_user(bond)]
    by_number = {recap.line: recap.text for recap in recaps}
    return {
        one.message.pk: writing.check_text(one, by_number[number], known_names=names, speakers=speakers)
        for number, one in enumerate(due, start=1)
        if number in by_number
    }


def build_inputs(due: Sequence[DueLine]) -> LineRecapInputs:
    return LineRecapInputs(
        tuple(LineToRecap(number, rules.summarise_line(one.message.content)) for number, one in enumerate(due, start=1))
    )


def render_prompt(bond: Bond, due: Sequence[DueLine]) -> str:
    """Render the prompt: each message once, those that are only shown without a number."""
    numbers = {one.message.pk: number for number, one in enumerate(due, start=1)}
    shown = {message.pk: message for one in due for message in one.sources}
    user_name = name_user(bond)
    return render(
        PROMPT,
        persona_name=escape(bond.persona.name),
        user_name=escape(user_name),
        messages="\n".join(
            render_line(shown[pk], numbers.get(pk), speakers=(user_name, bond.persona.name)) for pk in sorted(shown)
        ),
    )


def render_line(message: Message, number: int | None, *, speakers: tuple[str, str]) -> str:
    speaker = speakers[message.role != Message.Role.USER]
    said = one_line(secrets.mask(message.content))
    if len(said) > READ_CHARACTERS:
        said = f"{said[: READ_CHARACTERS // 2]} … {said[-READ_CHARACTERS // 2 :]}"
    return escape(f"[{number or '…'}] {speaker}: {said}")
