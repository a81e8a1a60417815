"""Which scenes are added to a story next."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from django.db.models import Q

from echovessel import tokens
from memory.models import Scene, SceneRecap, Story, StoryStep, StoryVersion
from memory.models.story.made_by import MadeBy
from memory.story import lines
from memory.story.recaps.content import RecapContent
from memory.story.versions import weights
from memory.story.versions.merging import Order, ToldScene
from memory.story.versions.writing import VersionContent, load_content

# What one merge reads at most.
SCENES_MOST = 8
TOKENS_MOST = 4_000


@dataclass(frozen=True, kw_only=True)
class Batch:
    """Scenes that one merge adds to a story. `is_anew`: one that is in it already, by another recap. `is_full`: no other
    scene could be added at once.
    """

    scenes: tuple[Scene, ...]
    is_anew: bool
    is_full: bool
    order: Order
    # How many closed scenes are not in the story even then.
    excluded_count: int
    base_id: int | None

    @property
    def source_hash(self) -> str:
        name = " ".join([str(self.base_id), *(f"{scene.pk}:{scene.recap_id}" for scene in self.scenes)])
        return sha256(name.encode()).hexdigest()

    @property
    def recaps(self) -> dict[int, int | None]:
        return {scene.pk: scene.recap_id for scene in self.scenes}


def find_batch(
    *, story: Story, base: StoryVersion | None, scenes_most: int = SCENES_MOST, tokens_most: int = TOKENS_MOST
) -> Batch | None:
    """Find what is to be added to the version `base`: a scene to be told anew first, else the next ones in their order.

    A scene is due once `exclude_latest` newer ones are closed, and its recap is there: not that by rules in haste, unless
    the one that follows it has failed for good.
    """
    scenes = load_scenes(story)
    told = load_content(base)
    order = Order(places={scene.pk: at for at, scene in enumerate(scenes)})
    end = find_end(told, order)
    ready = _Readiness(scenes, story=story)
    anew = next((scene for scene in find_anew(scenes[:end], told) if ready.is_ready(scene)), None)
    chosen = [anew] if anew else [*ready.iterate_ready(scenes[end : max(end, len(scenes) - story.exclude_latest)])]
    counted = chosen[: max(1, scenes_most)]
    chosen = take_fitting(counted, tokens_most=tokens_most)
    if not chosen:
        return None
    last = max(end, order.places[chosen[-1].pk] + 1)
    return Batch(
        scenes=tuple(chosen),
        is_anew=anew is not None,
        is_full=anew is not None or len(counted) >= scenes_most or len(chosen) < len(counted),
        order=order,
        excluded_count=len(scenes) - last,
        base_id=base.pk if base else None,
    )


def load_scenes(story: Story) -> list[Scene]:
    """Load the scenes of a bond in their order, with their recaps but for what these say."""
    scenes = list(Scene.objects.filter(bond=story.pk).in_order().select_related("recap").defer("recap__content"))
    for scene in scenes:
        scene.bond = story.bond
    return scenes


def find_end(told: VersionContent, order: Order) -> int:
    """Find how many of the scenes lie up to the last one that a version tells."""
    return max((order.places[scene] + 1 for scene in told.recaps if scene in order.places), default=0)


def find_anew(scenes: Iterable[Scene], told: VersionContent) -> Iterator[Scene]:
    """Find the scenes that a version tells by another recap than theirs, or not at all."""
    for scene in scenes:
        is_same = scene.pk in told.recaps and told.recaps[scene.pk] == scene.recap_id
        if not is_same or scene.pk in told.untold:
            yield scene


class _Readiness:
    """Which scenes have the recap by which they are told."""

    def __init__(self, scenes: Sequence[Scene], *, story: Story) -> None:
        self.ends = [0, *(scene.last_message_id for scene in scenes)]
        self.story = story

    @cached_property
    def given_up(self) -> set[tuple[int, str]]:
        # Cancelled by a person, or tried as often as it may be: of these the rules' recaps are told.
        over = Q(state=StoryStep.State.FAILED, next_try_at=None) | Q(state=StoryStep.State.CANCELLED, error="")
        given_up = StoryStep.objects.filter(over, bond=self.story.pk, kind=StoryStep.Kind.SCENE_RECAP)
        return set(given_up.values_list("target", "source_hash"))

    def is_ready(self, scene: Scene) -> bool:
        if scene.recap is None:
            return not self.has_told_lines(scene)
        # Rules in haste name no model; the offline voice, which may stand in for a model, does.
        is_last_word = scene.recap.made_by != MadeBy.RULES or bool(scene.recap.model)
        return is_last_word or bool({(scene.pk, scene.recap.source_hash), (scene.pk, "")} & self.given_up)

    def has_told_lines(self, scene: Scene) -> bool:
        before = max(end for end in self.ends if end < scene.last_message_id)
        return bool(lines.load_told(scene.bond, after=before, up_to=scene.last_message_id))

    def iterate_ready(self, scenes: Iterable[Scene]) -> Iterator[Scene]:
        """Yield scenes up to the first that is not ready, as they are told in their order."""
        for scene in scenes:
            if not self.is_ready(scene):
                return
            yield scene


def take_fitting(scenes: Sequence[Scene], *, tokens_most: int) -> list[Scene]:
    """Take of these scenes, from the first on, as many as fit, at least one; their recaps are loaded whole."""
    recaps = SceneRecap.objects.in_bulk([scene.recap_id for scene in scenes if scene.recap_id])
    taken: list[Scene] = []
    room = tokens_most
    for scene in scenes:
        scene.recap = recaps.get(scene.recap_id) if scene.recap_id else None
        room -= count_tokens(scene)
        if taken and room < 0:
            break
        taken.append(scene)
    return taken


def count_tokens(scene: Scene) -> int:
    return tokens.estimate(build_told_scene(scene, number=0, line_weights={}).heard)


def load_told_scenes(batch: Batch) -> list[ToldScene]:
    contents = [content for scene in batch.scenes if (content := read_content(scene)) is not None]
    cited = {line for content in contents for outcome in content.outcomes for line in outcome.lines}
    line_weights = weights.load_message_weights(batch.scenes[0].bond, cited)
    return [
        build_told_scene(scene, number=batch.order.places[scene.pk] + 1, line_weights=line_weights)
        for scene in batch.scenes
    ]


def build_told_scene(scene: Scene, *, number: int, line_weights: Mapping[int, int]) -> ToldScene:
    content = read_content(scene)
    outcomes = content.outcomes if content else []
    return ToldScene(
        id=scene.pk,
        number=number,
        recap_id=scene.recap_id,
        content=content,
        weights=tuple(weights.weigh_lines(one.lines, line_weights) for one in outcomes),
    )


def read_content(scene: Scene) -> RecapContent | None:
    return RecapContent.model_validate(scene.recap.content) if scene.recap else None
