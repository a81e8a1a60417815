"""Weave the five stories of a language into one long talk: each of their talks is a scene, drawn out by small talk."""

import random
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from memory.evaluation.files import load_yaml
from memory.evaluation.narrating.lives import EVERYDAY, EVERYDAY_REPLY
from memory.evaluation.stories.parts import PEAK_IMPACT, StoryMemory, StorySession
from memory.evaluation.stories.story import Story, load_all

SMALL_TALK = Path(__file__).parent / "small_talk.yaml"
# Lines of a scene, mostly rather many, and of the whole talk.
SCENE_LEAST, SCENE_MOST = 12, 40
LINES_MOST = 2_000
# How much of the small talk is about everyday things, the rest about nothing.
EVERYDAY_SHARE = 0.4


@dataclass(frozen=True)
class WovenLine:
    text: str
    is_user: bool
    # From 0: the turn and the scene that it belongs to.
    turn: int
    scene: int


@dataclass(frozen=True)
class WovenScene:
    """A talk of a story that was drawn out to a scene."""

    story: Story
    session: StorySession


@dataclass(frozen=True)
class WovenFact:
    """What a story tells in a scene, and the indexes of the lines that say it."""

    story: Story
    memory: StoryMemory
    scene: int
    lines: frozenset[int]

    @property
    def is_strong(self) -> bool:
        return abs(self.memory.impact) >= PEAK_IMPACT


@dataclass(frozen=True)
class WovenTalk:
    lang: str
    lines: Sequence[WovenLine]
    scenes: Sequence[WovenScene] = ()

    @property
    def ends(self) -> list[int]:
        """The indexes of the last lines of scenes, without the last of all."""
        pairs = zip(self.lines, self.lines[1:], strict=False)
        return [at for at, (line, after) in enumerate(pairs) if line.scene != after.scene]

    @cached_property
    def facts(self) -> list[WovenFact]:
        of_scene: defaultdict[int, list[int]] = defaultdict(list)
        for at, line in enumerate(self.lines):
            of_scene[line.scene].append(at)
        return [
            WovenFact(one.story, memory, scene, frozenset(self._find_lines(of_scene[scene], memory)))
            for scene, one in enumerate(self.scenes)
            for memory in one.session.remembered
        ]

    def _find_lines(self, among: Iterable[int], memory: StoryMemory) -> Iterator[int]:
        return (at for at in among if any(piece in self.lines[at].text for piece in memory.pieces))


def weave(lang: str, *, seed: int = 20, most: int = LINES_MOST, stories: Sequence[Story] | None = None) -> WovenTalk:
    """Weave about 2 000 lines, scene by scene of 12 to 40 lines, from one story after the other in turn."""
    chance = random.Random(seed)
    told = [story for story in load_all() if story.lang == lang] if stories is None else stories
    filler = _Filler(lang, chance)
    lines: list[WovenLine] = []
    scenes: list[WovenScene] = []
    turn = 0
    for scene, one in enumerate(_alternate(told)):
        turns = list(_split_turns(one.session))
        length = round(chance.triangular(SCENE_LEAST, SCENE_MOST, SCENE_MOST))
        filler.begin_scene()
        while sum(map(len, turns)) + 1 < length:
            turns.insert(chance.randint(1, len(turns)), filler.choose())
        if len(lines) + sum(map(len, turns)) > most:
            break
        scenes.append(one)
        for said in turns:
            lines += [WovenLine(text, is_user, turn, scene) for text, is_user in said]
            turn += 1
    return WovenTalk(lang, lines, scenes)


def _alternate(stories: Sequence[Story]) -> Iterator[WovenScene]:
    """Yield the first talk of each story, then the second, so that neighbours tell of different people."""
    for at in range(max(len(story.talks) for story in stories)):
        yield from (WovenScene(story, story.talks[at]) for story in stories if at < len(story.talks))


def _split_turns(session: StorySession) -> Iterator[list[tuple[str, bool]]]:
    turn: list[tuple[str, bool]] = []
    for line in session.lines:
        if line.u and turn and not turn[-1][1]:
            yield turn
            turn = []
        turn.append((line.text, bool(line.u)))
    yield turn


class _Filler:
    """Turns of small talk, each once in a scene."""

    def __init__(self, lang: str, chance: random.Random) -> None:
        said = load_yaml(EVERYDAY / f"{lang}.yaml")
        self.everyday = [[(one, True), (EVERYDAY_REPLY[lang], False)] for one in said]
        pairs = load_yaml(SMALL_TALK)[lang]
        self.nothing = [[(said, True), (reply, False)] for said, reply in pairs]
        self.chance = chance
        self.left: list[list[list[tuple[str, bool]]]] = []

    def begin_scene(self) -> None:
        self.left = [self.chance.sample(turns, len(turns)) for turns in (self.everyday, self.nothing)]

    def choose(self) -> list[tuple[str, bool]]:
        everyday, nothing = self.left
        return (everyday if self.chance.random() < EVERYDAY_SHARE else nothing).pop()
