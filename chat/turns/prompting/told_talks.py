"""What a prompt tells of the bond's talks: the window, and the story and recaps of what was said before it."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import TypedDict

from chat.models import Turn
from chat.turns.prompting import prompt
from echovessel.llm.inputs import SaidMessage, SceneDigest, SessionSummary, StoryLine
from memory.facts import firm_tokens
from memory.messages import window
from memory.messages.window import RecentMessage
from memory.models import Message
from memory.story.inclusion import included, loading
from memory.story.inclusion.included import Inclusion
from memory.story.inclusion.loading import LoadedMessage, LoadedStory


def load(turn: Turn) -> LoadedStory:
    burst = turn.burst
    return loading.load(turn.bond, turn_id=turn.pk, up_to=burst[-1].pk, before=burst[0].pk, has_scenes=turn.has_scenes)


def find_newest(loaded: LoadedStory, *, most: int) -> list[LoadedMessage]:
    """Find the newest messages, those that a prompt without a story holds."""
    newest = {*sorted(message.id for message in loaded.messages)[-most:]}
    return [message for message in loaded.messages if message.id in newest]


def build_window(inclusion: Inclusion, turn: Turn) -> Sequence[RecentMessage]:
    """Return the messages that the prompt holds word for word."""
    return window.add_reopened(inclusion.window, bond=turn.bond, session=turn.session, said=len(turn.burst))


def include(loaded: LoadedStory, *, turn: Turn, blocks: Mapping[str, str], known: str) -> Inclusion:
    """Compute what the prompt of a turn tells, by the authored texts and the text of the loaded set."""
    firm = firm_tokens.count(turn.bond, blocks=blocks, known=known)
    return included.include(loaded, firm_tokens=firm, is_turn=True)


class ToldTalks(TypedDict, total=False):
    """Fields of `ReplyInputs`."""

    has_story: bool
    has_notes_last: bool
    story: list[StoryLine]
    scenes: list[SceneDigest]
    line_recaps: list[SaidMessage]


def read_talks(inclusion: Inclusion | None, zone: tzinfo) -> ToldTalks:
    """Return what a prompt tells of the talks before the window; nothing where it holds no story."""
    if inclusion is None:
        return ToldTalks()
    return ToldTalks(
        has_story=True,
        has_notes_last=prompt.NOTES_LAST,
        story=[
            StoryLine(
                part=point.part,
                text=point.text,
                label=point.label,
                at=point.at and point.at.astimezone(zone),
                is_past=point.is_past,
                cut_key=point.cut_key,
            )
            for point in inclusion.points
        ],
        scenes=[
            SceneDigest(scene.title, scene.at.astimezone(zone), scene.outcomes, scene.open)
            for scene in inclusion.scenes
        ],
        line_recaps=[
            SaidMessage(is_user=message.role == Message.Role.USER, text=text, at=message.created_at.astimezone(zone))
            for message, text in inclusion.line_recaps
        ],
    )


def list_summaries(
    inclusion: Inclusion | None, sessions: Sequence[SessionSummary], *, is_return: bool, zone: tzinfo
) -> list[SessionSummary]:
    """List the summaries of earlier sessions: none where the story is told.

    At a return the recap of the newest scene takes the place of the newest, where it is of that talk and nothing else in the prompt
    tells it.
    """
    if inclusion is None:
        return [*sessions]
    if inclusion.version is not None:
        return []
    scene = inclusion.newest
    is_of_newest = scene is not None and all(scene.at > session.at for session in sessions[:-1])
    if not is_return or scene is None or not is_of_newest:
        return [*sessions]
    return [*sessions[:-1], SessionSummary(" ".join(scene.outcomes), scene.at.astimezone(zone))]
