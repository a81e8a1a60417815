"""Look for the ends of scenes in a bond's open scene: the call `scene_break`, made only where the gate finds a candidate."""

import logging
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import TypeGuard

from django.db.models import Max

from echovessel.llm.errors import BadAnswerError
from echovessel.llm.inputs import BreakCandidate, SceneBreakInputs, TranscriptLine
from echovessel.prompts import escape, render
from memory.answers.scene_schemas import SceneBreakAnswer
from memory.answers.schemas import parse_part
from memory.consolidation.asking import Asker
from memory.entities.names import name_user
from memory.facts import firm_tokens
from memory.models import Message, Scene, Story
from memory.story import lines
from memory.story.scenes import breaks, closing, detection
from memory.story.scenes.detection import Candidate, Talk
from memory.story.settings import get_story
from memory.storytelling import transcripts
from memory.storytelling.work.running import RunningStep, StepChanged
from personas.models import Bond

PROMPT = Path(__file__).parent.parent / "prompts" / "scene_break.md"
FEATURE = "scene_break"
# A run ends so many scenes; the next one goes on.
HITS_MOST = 5
# How far back the bond's lines are read, for the rarity of their terms and the usual depth.
READ_MOST = 400
# Of a longer open scene, as of a bond that talked before there were scenes, this much is read, so that it ends within that.
OPEN_MOST = 2 * closing.LINES_MOST
PROMPT_CHARACTERS = 12_000
HALVINGS_MOST = 3
logger = logging.getLogger("echovessel.storytelling")


def detect(*, bond: Bond, asker: Asker, step: RunningStep, now: datetime, target: int = 0) -> bool:
    """End the scenes that end in a bond's open scene. Returns whether there may be more than this run's five.

    Raises LLMError, and what a step raises.
    """
    for hits in range(HITS_MOST):
        talk, story = load_talk(bond), get_story(bond)
        eligible = talk.find_eligible(past=story.scanned_to)
        forced = is_forced(talk, story)
        if not forced and (not eligible or (not hits and len(eligible) < detection.NEW_LEAST)):
            return False
        found = detection.find_candidates(talk, past=0 if forced else story.scanned_to, forced=forced)
        is_by_rules = step.is_by_rules(hash_talk(talk, story) or "")
        at = None if is_by_rules else ask(talk, found, bond=bond, asker=asker, forced=forced)
        if at is None and forced:
            at = detection.force(talk, found)
        if not write(talk, at, bond=bond, step=step, forced=forced, now=now):
            return False
    return True


def load_talk(bond: Bond) -> Talk:
    """Load a bond's newest told lines; all of the open scene are among them, or its first 400."""
    newest = Scene.objects.for_bond(bond).aggregate(last=Max("last_message_id"))["last"] or 0
    said = Message.objects.for_bond(bond).told().values_list("pk", flat=True)
    recent = said.order_by("-id")[READ_MOST : READ_MOST + 1]
    last = said.filter(pk__gt=newest).order_by("id")[OPEN_MOST - 1 : OPEN_MOST]
    told = lines.load_told(bond, after=min([newest, *recent]), up_to=last.first())
    return Talk(told, begins=sum(line.pk <= newest for line in told))


def is_forced(talk: Talk, story: Story) -> bool:
    most = closing.get_most_tokens(story, firm_tokens=firm_tokens.load(Bond(pk=story.pk)))
    return closing.is_too_long(talk.lines[talk.begins :], tokens_most=most)


def hash_talk(talk: Talk, story: Story) -> str | None:
    """Hash what the detector would look at: None where there is nothing to do."""
    eligible = talk.find_eligible(past=story.scanned_to)
    forced = is_forced(talk, story)
    if not forced and len(eligible) < detection.NEW_LEAST:
        return None
    last = talk.lines[eligible[-1]].pk if eligible else 0
    return sha256(f"{talk.lines[talk.begins].pk}:{last}:{forced}".encode()).hexdigest()


def write(talk: Talk, at: int | None, *, bond: Bond, step: RunningStep, forced: bool, now: datetime) -> bool:
    """End a scene behind a line, or note how far nothing was found. Returns whether one ended.

    A chat closed by hand ends its scene first: once the story is scanned beyond that, its own task would not.
    Raises StepChanged where lines or breaks are others now.
    """
    with step.transaction(is_last=False):
        current = load_talk(bond)
        same = current.lines[current.begins :][: len(talk.lines) - talk.begins]
        made: list[Scene] = []
        if [line.pk for line in same] != [line.pk for line in talk.lines[talk.begins :]]:
            raise StepChanged
        if closing.close_with_sessions(bond=bond, told=same, now=now):
            return True
        story = get_story(bond)
        if at is None:
            eligible = talk.find_eligible(past=story.scanned_to)
            scanned_to = talk.lines[eligible[-1]].pk if eligible else story.scanned_to
        else:
            closed_by = Scene.ClosedBy.SIZE if forced else Scene.ClosedBy.CONTENT
            scanned_to = talk.lines[at].pk
            ends = [(at - talk.begins, closed_by)]
            made = breaks.end_scenes(bond, current.lines[current.begins :], ends, now=now)
        Story.objects.filter(pk=bond.pk).update(scanned_to=max(scanned_to, story.scanned_to))
    return bool(made)


def ask(talk: Talk, found: Sequence[Candidate], *, bond: Bond, asker: Asker, forced: bool) -> int | None:
    """Ask behind which candidate the first scene ends; where the answer is refused, once more from the next candidate.

    Returns the index of its last line, or None. Raises LLMError.
    """
    left = sorted(found, key=lambda one: one.at)
    if left and forced:
        return ask_forced(talk, left, bond=bond, asker=asker)
    for _ in range(2):
        if not left:
            return None
        low, high, sent = fit(talk, left)
        answer = call(talk, sent, low=low, high=high, bond=bond, asker=asker, forced=False)
        if answer.break_after is None:
            return None
        chosen, refused = detection.check_answer(
            talk, sent, break_after=answer.break_after, quote=answer.quote, reason=answer.reason
        )
        if chosen is not None:
            return chosen.at
        logger.info("an end of a scene of bond %s was refused: %s", bond.pk, refused)
        past = sent[answer.break_after - 1] if is_sent(answer.break_after, sent) else sent[0]
        left = [one for one in left if one.at > past.at]
    return None


def ask_forced(talk: Talk, found: Sequence[Candidate], *, bond: Bond, asker: Asker) -> int | None:
    """Ask once and take any candidate that was sent."""
    low, high, sent = fit(talk, found)
    try:
        answer = call(talk, sent, low=low, high=high, bond=bond, asker=asker, forced=True)
    except BadAnswerError:
        return None
    return sent[answer.break_after - 1].at if is_sent(answer.break_after, sent) else None


def is_sent(number: int | None, sent: Sequence[Candidate]) -> TypeGuard[int]:
    return number is not None and 1 <= number <= len(sent)


def call(
    talk: Talk, sent: Sequence[Candidate], *, low: int, high: int, bond: Bond, asker: Asker, forced: bool
) -> SceneBreakAnswer:
    inputs = build_inputs(talk, sent, low=low, high=high, bond=bond, forced=forced)
    answer = asker.ask(render_prompt(inputs, bond=bond), feature=FEATURE, schema=SceneBreakAnswer, inputs=inputs)
    parsed, _ = parse_part(answer.parsed, SceneBreakAnswer, what="break")
    return parsed or SceneBreakAnswer()


def fit(talk: Talk, found: Sequence[Candidate]) -> tuple[int, int, list[Candidate]]:
    """Choose the lines to send, from the index `low` up to `high`, and the candidates among them.

    Over 12 000 characters the range is halved, up to three times: to the half in which the deepest candidate lies.
    """
    low, high = talk.begins, len(talk.lines)
    lengths = [len(transcripts.cut_middle(line.content)) for line in talk.lines]
    deepest = max(found, key=lambda one: one.depth).at
    for _ in range(HALVINGS_MOST):
        if sum(lengths[low:high]) <= PROMPT_CHARACTERS:
            break
        middle = (low + high) // 2
        # The line behind a candidate belongs to it.
        low, high = (low, middle + 1) if deepest < middle else (middle, high)
    return low, high, [one for one in found if low <= one.at < high - 1]


def build_inputs(
    talk: Talk, sent: Sequence[Candidate], *, low: int, high: int, bond: Bond, forced: bool
) -> SceneBreakInputs:
    numbers = {one.at: number for number, one in enumerate(sent, start=1)}
    numbered = transcripts.number_lines(talk.lines[low:high], bond=bond)
    return SceneBreakInputs(
        lines=tuple(
            TranscriptLine(numbers.get(at, 0), line.said_at, line.speaker, transcripts.cut_middle(line.text))
            for at, line in enumerate(numbered, start=low)
        ),
        candidates=tuple(
            BreakCandidate(number=number, depth=one.depth, is_cue=talk.is_cue(one.at))
            for number, one in enumerate(sent, start=1)
        ),
        forced=forced,
        line_count=len(talk.lines) - talk.begins,
    )


def render_prompt(inputs: SceneBreakInputs, *, bond: Bond) -> str:
    user_name = name_user(bond)
    return render(
        PROMPT,
        user_name=escape(user_name),
        persona_name=escape(bond.persona.name),
        talk="\n".join(format_line(line, speakers=(user_name, bond.persona.name)) for line in inputs.lines),
        or_none="" if inputs.forced else ", or null where none does",
    )


def format_line(line: TranscriptLine, *, speakers: tuple[str, str]) -> str:
    mark = f"[{line.number}] " if line.number else ""
    said = " ".join(line.text.split())
    return f"{mark}{line.said_at:%Y-%m-%d %H:%M} " + escape(f"{transcripts.name_speaker(line, speakers)}: {said}")
