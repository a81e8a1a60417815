"""Recap a scene: the call `scene_recap`. It is given nothing of other scenes, so that forgetting touches one recap alone."""

import json
import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from echovessel.llm.inputs import SceneRecapInputs, TranscriptLine
from echovessel.prompts import escape, render
from memory.answers.scene_schemas import SceneRecapAnswer
from memory.consolidation.asking import Asker, StructuredAnswer
from memory.entities.names import name_user
from memory.messages import window
from memory.models import Message, Scene
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.known_names import load_known_names
from memory.story.recaps import content, versions
from memory.story.recaps.content import RecapContent
from memory.storytelling import transcripts
from memory.storytelling.work.running import RunningStep, StepChanged
from personas.models import Bond

PROMPT = Path(__file__).parent.parent / "prompts" / "scene_recap.md"
FEATURE = "scene_recap"
CHUNK_CHARACTERS = 12_000
NAMES_MOST = 60
logger = logging.getLogger("echovessel.storytelling")


def recap_scene(*, bond: Bond, target: int, asker: Asker, step: RunningStep, now: datetime) -> None:
    """Recap a scene anew, and choose that version unless a person's is chosen.

    Raises LLMError, also where no outcome is left of an answer, and what a step raises.
    """
    scene = Scene.objects.for_bond(bond).select_related("bond__user", "bond__persona").filter(pk=target).first()
    told = lines.load_scene(scene) if scene is not None else []
    if scene is None or not told:
        return
    made, answer = ask(window.sort_by_turn(told), bond=bond, asker=asker, characters=step.shrink(CHUNK_CHARACTERS))
    made_of = lines.hash_lines(told)
    with step.transaction():
        current = Scene.objects.filter(pk=scene.pk).select_related("bond").first()
        if current is None or [line.pk for line in lines.load_scene(current)] != [line.pk for line in told]:
            raise StepChanged
        if versions.load_hash(current) != made_of:
            raise StepChanged
        versions.add_recap(
            scene=current,
            content=made,
            made_by=MadeBy.RULES if answer.offline else MadeBy.MODEL,
            model="offline" if answer.offline else asker.llm.model_of(FEATURE),
            source_hash=made_of,
            now=now,
        )


def ask(
    told: Sequence[Message], *, bond: Bond, asker: Asker, characters: int = CHUNK_CHARACTERS
) -> tuple[RecapContent, StructuredAnswer]:
    """Ask for the recap of told lines; over 12 000 characters chunk by chunk, each with the recap so far. Raises LLMError."""
    names = load_known_names(bond)
    made: RecapContent | None = None
    answer: StructuredAnswer | None = None
    for first, end in find_chunks(told, characters=characters):
        inputs = build_inputs(told[:end], bond=bond, names=names)
        prompt = render_prompt(inputs, first=first, so_far=made, told=told, bond=bond, characters=characters)
        read = partial(content.read_answer, lines=told[:end], known_names=names)
        answer = asker.ask(prompt, feature=FEATURE, schema=SceneRecapAnswer, inputs=inputs, check=read)
        made, notes = read(answer.parsed)
        if notes:
            logger.info("of a recap of bond %s was not believed: %s", bond.pk, "; ".join(notes))
    assert made is not None and answer is not None  # there is at least one chunk  # noqa: PT018
    return made, answer


def find_chunks(told: Sequence[Message], *, characters: int) -> list[tuple[int, int]]:
    """Find the stretches of lines that fit into one call each, as indexes of the first line and behind the last."""
    chunks: list[tuple[int, int]] = []
    first, size = 0, 0
    for at, line in enumerate(told):
        length = len(shorten(line.content, characters))
        if at > first and size + length > characters:
            chunks.append((first, at))
            first, size = at, 0
        size += length
    return [*chunks, (first, len(told))]


def build_inputs(told: Sequence[Message], *, bond: Bond, names: Sequence[Sequence[str]]) -> SceneRecapInputs:
    said = content.fold_lines(told)
    return SceneRecapInputs(
        lines=transcripts.number_lines(told, bond=bond),
        known=tuple(tuple(of_one) for of_one in names if content.is_named(of_one, said))[:NAMES_MOST],
    )


def render_prompt(
    inputs: SceneRecapInputs,
    *,
    first: int,
    so_far: RecapContent | None,
    told: Sequence[Message],
    bond: Bond,
    characters: int,
) -> str:
    user_name = name_user(bond)
    return render(
        PROMPT,
        user_name=escape(user_name),
        persona_name=escape(bond.persona.name),
        known="\n".join(escape(" = ".join(names)) for names in inputs.known) or "(none)",
        so_far=escape(number_again(so_far, told)) if so_far is not None else "(none: these are the first)",
        lines="\n".join(
            format_line(line, speakers=(user_name, bond.persona.name), characters=characters)
            for line in inputs.lines[first:]
        ),
    )


def number_again(made: RecapContent, told: Sequence[Message]) -> str:
    """Write a recap as JSON with the numbers of lines in place of their ids."""
    numbers = {line.pk: number for number, line in enumerate(told, start=1)}

    def swap(value: object) -> object:
        if isinstance(value, list):
            return [swap(one) for one in value]
        if not isinstance(value, dict):
            return value
        return {
            key: numbers[one] if key == "line" else [numbers[pk] for pk in one] if key == "lines" else swap(one)
            for key, one in value.items()
        }

    return json.dumps(swap(made.model_dump()), ensure_ascii=False)


def format_line(line: TranscriptLine, *, speakers: tuple[str, str], characters: int) -> str:
    """Format a line as `[3] 2026-11-21 23:04 Saturday Mara: text`; further lines of it are indented."""
    said = f"{transcripts.name_speaker(line, speakers)}: {shorten(line.text, characters)}"
    body = escape(said).replace("\n", "\n    ")
    return f"[{line.number}] {line.said_at:%Y-%m-%d %H:%M %A} {body}"


def shorten(said: str, characters: int) -> str:
    """Cut a line that is too long for one call in its middle, so that the next line still finds room."""
    return transcripts.cut_middle(said, begins=characters * 2 // 3, ends=characters // 4)
