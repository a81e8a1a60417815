"""How much scenes, what happened in them and points weigh: by the strongest impact of the events drawn from their messages."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from django.db.models import F, Max
from django.db.models.functions import Abs

from echovessel import text
from memory.models import ConceptNode, Message, NodeSource, Scene, SceneRecap, Story
from memory.story.recaps.content import RecapContent, Told
from memory.story.settings import find_story
from memory.story.versions import points as story_points
from memory.story.versions.points import Point
from personas.models import Bond

# Of a message that is kept.
KEPT = 10


def load_message_weights(bond: Bond, messages: Collection[int] | None = None) -> dict[int, int]:
    """Load the weights of messages, 0 to 10; of all of a bond where none are named. Those without one weigh nothing."""
    events = ConceptNode.objects.for_bond(bond).current().events()
    drawn = NodeSource.objects.filter(bond=bond, node__in=events)
    kept = Message.objects.for_bond(bond).visible().exclude(kept_at=None)
    if messages is not None:
        drawn, kept = drawn.filter(message__in=messages), kept.filter(pk__in=messages)
    impacts = drawn.values("message").annotate(weight=Max(Abs(F("node__emotional_impact"))))
    found = dict(impacts.values_list("message", "weight"))
    return found | dict.fromkeys(kept.values_list("pk", flat=True), KEPT)


def load_scene_weights(bond: Bond, scenes: Sequence[Scene]) -> dict[int, int]:
    """Load the weight of each of all scenes of a bond, which are given in their order."""
    ends = [scene.last_message_id for scene in scenes]
    found = dict.fromkeys([scene.pk for scene in scenes], 0)
    for message, weight in load_message_weights(bond).items():
        at = bisect_left(ends, message)
        if at < len(scenes):
            found[scenes[at].pk] = max(found[scenes[at].pk], weight)
    return found


def load_point_weights(
    bond: Bond, points: Sequence[Point], *, recaps: Mapping[int, int | None], scenes: Sequence[Scene]
) -> dict[str, int]:
    """Load the weights of points by their ids: of that which they tell of the recaps of their scenes. One that tells nothing of
    these in their words weighs as much as the weightiest of its scenes. `scenes` are all of the bond.
    """
    of_scenes, of_lines = load_scene_weights(bond, scenes), load_message_weights(bond)
    cited = {scene for point in points for scene in point.scenes}
    rows = SceneRecap.objects.filter(pk__in=[recaps.get(scene) for scene in cited])
    told: dict[int, list[tuple[set[str], int]]] = {}
    for scene, content in rows.values_list("scene", "content"):
        told[scene] = [(extract_terms(one.text), weigh_lines(one.lines, of_lines)) for one in list_told(content)]
    found = {}
    for point in points:
        terms = extract_terms(point.text)
        own = [weight for scene in point.scenes for said, weight in told.get(scene, ()) if is_told(said, terms)]
        found[point.id] = max(own or [of_scenes.get(scene, 0) for scene in point.scenes], default=0)
    return found


def list_told(content: Mapping[str, object]) -> Iterable[Told]:
    read = RecapContent.model_validate(content)
    return (*read.outcomes, *read.open, *read.state)


def extract_terms(said: str) -> set[str]:
    return set(text.extract_terms(said))


def is_told(outcome: set[str], point: set[str]) -> bool:
    """Whether a point tells an outcome: the shorter of them shares half of its terms with the other."""
    return 0 < min(len(outcome), len(point)) <= 2 * len(outcome & point)


def weigh_anew(bond: Bond) -> None:
    """Weigh the points of a bond's story as of now. The caller has locked the bond."""
    story = find_story(bond)
    if story is not None:
        store_weights(story)


def store_weights(story: Story) -> None:
    """Store the weights of the points of a story, for prompts, which have no time to find them out. The caller has locked the
    bond.
    """
    version = story.current
    if version is None:
        return
    before = story_points.load_points(version)
    found = load_point_weights(
        story.bond,
        before,
        recaps={int(scene): recap for scene, recap in version.recaps.items()},
        scenes=list(Scene.objects.for_bond(story.bond).in_order()),
    )
    if any(point.weight != found[point.id] for point in before):
        version.points = story_points.dump_points(replace(point, weight=found[point.id]) for point in before)
        version.save(update_fields=["points"])


def weigh_lines(lines: Sequence[int], weights: Mapping[int, int]) -> int:
    return max((weights.get(line, 0) for line in lines), default=0)
