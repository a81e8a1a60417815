"""What a prompt holds of a bond's talks: the window, the recaps of scenes and messages before it, the story.

The prompt, the pages and the API compute it by the same functions, so that what a page says is what a companion reads.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.conf import settings

from echovessel import text, tokens
from echovessel.llm.inputs import build_cut_key
from memory.story import foreign
from memory.story.inclusion import budget, loading, message_states, window
from memory.story.inclusion.budget import Caps
from memory.story.inclusion.loading import LoadedMessage, LoadedScene, LoadedStory
from memory.story.inclusion.message_states import MessageStates, MessageTraits, RecapRules, State
from memory.story.inclusion.window import Break, WindowLimits
from memory.story.versions import points as story_points
from memory.story.versions.points import Point
from personas.models import Bond

# What a line of a section costs besides its text.
LINE_TOKENS = message_states.LINE_TOKENS


@dataclass(frozen=True)
class ToldScene:
    """The recap of a scene as a prompt tells it."""

    scene: int
    title: str
    at: datetime
    outcomes: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def tokens(self) -> int:
        return sum(tokens.estimate(text) + LINE_TOKENS for text in (self.title, *self.outcomes, *self.open))


@dataclass(frozen=True)
class ToldPoint:
    """A point of the story; `at` is when its newest scene was, `is_past` says that a fact of that scene holds no longer. What has
    the lowest `cut_key` goes first.
    """

    id: str
    part: str
    label: str
    text: str
    at: datetime | None
    is_past: bool = False
    cut_key: tuple[bool, int, int] = (False, 0, 0)

    @property
    def tokens(self) -> int:
        return story_points.count_line_tokens(story_points.join_label(self.label, self.text))


@dataclass(frozen=True, kw_only=True)
class Inclusion:
    """What a prompt holds. Messages, scenes and points are oldest first."""

    caps: Caps
    version: int | None = None
    points: Sequence[ToldPoint] = ()
    scenes: Sequence[ToldScene] = ()
    messages: MessageStates = field(default_factory=MessageStates)
    window: Sequence[LoadedMessage] = ()
    # The scenes that the story tells in place of the window.
    folded: Sequence[LoadedScene] = ()
    # The messages that nothing tells: there was no room.
    uncovered: int = 0
    # The recap of the newest scene, if the prompt tells it nowhere.
    newest: ToldScene | None = None

    # The messages told in short, each with the text that tells it.
    line_recaps: Sequence[tuple[LoadedMessage, str]] = ()

    def list_texts(self) -> Iterator[str]:
        """List all that is told before the window, sentence by sentence."""
        yield from (point.text for point in self.points)
        for scene in self.scenes:
            yield from (*scene.outcomes, *scene.open)
        yield from (text for _, text in self.line_recaps)

    @property
    def counts(self) -> dict[str, int]:
        return {
            "story": len(self.points),
            "scenes": len(self.scenes),
            "recaps": len(self.line_recaps),
            "window": len(self.window),
        }

    @property
    def tokens(self) -> dict[str, int]:
        return {
            "story": sum(point.tokens for point in self.points),
            "scenes": sum(scene.tokens for scene in self.scenes),
            "recaps": self.messages.tokens,
            "window": sum(message.token_count for message in self.window),
        }


def load_inclusion(bond: Bond, *, firm_tokens: int) -> Inclusion:
    """Load what a prompt would hold if a turn began now; `firm_tokens` are those of rules, L1 and the loaded set."""
    return include(loading.load(bond), firm_tokens=firm_tokens)


def include(loaded: LoadedStory, *, firm_tokens: int, is_turn: bool = False) -> Inclusion:
    """Compute what a prompt holds of what was loaded. In a turn its burst stands in the open scene."""
    caps = budget.compute_caps(budget.compute_budget(firm_tokens), loaded.settings)
    fold = find_fold(loaded, is_turn=is_turn)
    first = window.find_start(
        loaded.messages,
        fold=fold,
        limits=WindowLimits(
            keep_scenes=loaded.settings.keep_scenes, least=settings.RECENT_WINDOW_SIZE, cap=caps.window
        ),
        is_whole=len(loaded.messages) < loading.MESSAGES_MOST,
    )
    held = loaded.messages[first:]
    begins_at = min((message.id for message in held), default=loading.ENDLESS)
    last_before = find_last_before(loaded, first=first, begins_at=begins_at, fold=fold)
    scenes = choose_scenes(loaded.scenes, last_before=last_before, most=caps.scenes)
    messages = message_states.compute_message_states(
        list(prepare(loaded, loaded.messages[:first], told={scene.scene for scene in scenes})),
        window=dict.fromkeys(message.id for message in held),
        recaps=RecapRules.read(loaded.settings, limit=caps.recaps),
    )
    newest = find_recap(loaded.scenes[-1]) if loaded.scenes and not loaded.scenes[-1].in_story else None
    return Inclusion(
        caps=caps,
        version=loaded.version,
        points=choose_points(loaded, most=caps.story),
        scenes=scenes,
        messages=messages,
        window=held,
        folded=[scene for scene in loaded.scenes if scene.in_story and scene.last_message < begins_at],
        uncovered=count_uncovered(loaded, messages, told={scene.scene for scene in scenes}),
        line_recaps=[(loaded.by_id[pk], text) for pk, text in messages.texts.items()],
        newest=None if newest in scenes else newest,
    )


def find_fold(loaded: LoadedStory, *, is_turn: bool) -> int:
    """Find the last message of the newest scene that the story tells in place of the window; 0 where there is none."""
    newest = max((message.id for message in loaded.messages), default=0)
    is_open = is_turn or not loaded.scenes or newest > loaded.scenes[-1].last_message
    breaks = [Break(scene.id, scene.last_message, scene.in_story) for scene in loaded.scenes]
    return window.find_fold(breaks, keep_scenes=loaded.settings.keep_scenes, is_open=is_open)


def find_last_before(loaded: LoadedStory, *, first: int, begins_at: int, fold: int) -> int:
    """Find the last message before the window: of what the story tells, and of more than can be looked at, none is loaded."""
    if first == 0 and len(loaded.messages) >= loading.MESSAGES_MOST:
        return begins_at - 1
    before = max((message.id for message in loaded.messages[:first]), default=0)
    return max(before, min(fold, begins_at - 1))


def find_recap(scene: LoadedScene) -> ToldScene | None:
    content = scene.recap
    if content is None:
        return None
    return ToldScene(
        scene=scene.id,
        title=scene.title or content.get("title", ""),
        at=scene.at,
        outcomes=tuple(outcome["text"] for outcome in content.get("outcomes", ())),
        open=tuple(thread["text"] for thread in content.get("open", ())),
    )


def choose_scenes(scenes: Sequence[LoadedScene], *, last_before: int, most: int) -> list[ToldScene]:
    """Choose the scenes that are neither in the story nor wholly in the window: the newest whose recaps fit; in order."""
    chosen: list[ToldScene] = []
    left = most
    for scene in reversed(scenes):
        recap = None if scene.in_story or scene.after >= last_before else find_recap(scene)
        if recap is not None and recap.tokens <= left:
            chosen.insert(0, recap)
            left -= recap.tokens
    return chosen


def choose_points(loaded: LoadedStory, *, most: int) -> list[ToldPoint]:
    """Choose the points of the story that fit: those go first that `story_compact` would drop, a person's last. How things stood by
    the words of a scene is left out where a later one, which the story does not tell yet, tells it under the same label.
    """
    untold = [scene.recap for scene in loaded.scenes if scene.recap is not None and not scene.in_story]
    since = {text.fold(state["label"]) for recap in untold for state in recap.get("state", ())}
    told = map(story_points.read_point, loaded.points)
    points = [
        build_point(point, loaded)
        for point in told
        if point.is_by_person or point.part != story_points.STATE or text.fold(point.label) not in since
    ]
    over = sum(point.tokens for point in points) - most
    dropped: set[str] = set()
    for point in sorted(points, key=lambda point: point.cut_key):
        if over <= 0:
            break
        dropped.add(point.id)
        over -= point.tokens
    return [point for point in points if point.id not in dropped]


def build_point(point: Point, loaded: LoadedStory) -> ToldPoint:
    cited = [loaded.cited[pk] for pk in point.scenes if pk in loaded.cited]
    if len(cited) < len(point.scenes):
        foreign.report(f"point {point.id}", bond_id=loaded.settings.pk)
    newest = max(cited, key=lambda scene: scene.last_message, default=None)
    return ToldPoint(
        id=point.id,
        part=point.part,
        label=point.label,
        text=point.text,
        at=newest.at if newest else None,
        is_past=newest is not None and newest.is_past and point.part == story_points.STATE,
        cut_key=build_cut_key(point.part, weight=point.weight, is_own=point.is_by_person),
    )


def prepare(loaded: LoadedStory, messages: Iterable[LoadedMessage], *, told: set[int]) -> Iterator[MessageTraits]:
    """Yield what the states of messages depend on; `told` are the scenes whose recaps are in the prompt."""
    scenes = loaded.scenes
    ends = [scene.last_message for scene in scenes]
    for message in messages:
        at = bisect_left(ends, message.id)
        scene = scenes[at] if at < len(scenes) and message.id > scenes[at].after else None
        in_story = scene.in_story if scene is not None else message.id <= loaded.last_message
        yield MessageTraits(message, is_covered=in_story, is_told=scene is not None and scene.id in told)


def find_outside_states(
    loaded: LoadedStory, messages: Sequence[LoadedMessage], *, shown: Inclusion
) -> dict[int, State | None]:
    """Find the states that messages have outside the window; None where recaps tell them, as far as there is room."""
    told = {scene.scene for scene in shown.scenes}
    rules = RecapRules.read(loaded.settings, limit=shown.caps.recaps)
    return {
        traits.message.id: message_states.find_plain_state(traits, window=(), recaps=rules)
        for traits in prepare(loaded, messages, told=told)
    }


def count_uncovered(loaded: LoadedStory, messages: MessageStates, *, told: set[int]) -> int:
    """Count the messages to be told that are neither in the window, nor in the story, nor in any recap of the prompt."""
    unread = {pk for pk, state in messages.states.items() if state is State.OVER_LIMIT}
    over = sum(message.token_count >= loading.TOLD_TOKENS for message in loaded.messages if message.id in unread)
    oldest = loaded.messages[0].id if loaded.messages else loading.ENDLESS
    beyond = loaded.beyond
    for scene in loaded.scenes:
        if scene.in_story or scene.last_message >= oldest:
            continue
        if scene.id in told:
            beyond -= 0 if scene.is_untold else scene.told_count
        elif scene.is_untold:
            over += scene.told_count
    return over + max(0, beyond)
