"""How much scenes and what happened in them weigh: by the strongest impact of the events that were drawn from their messages."""

from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence

from django.db.models import F, Max
from django.db.models.functions import Abs

from memory.models import ConceptNode, Message, NodeSource, Scene
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


def store_scene_weights(bond: Bond) -> None:
    """Store the weight of each scene of a bond, for prompts, which have no time to find it out."""
    scenes = list(Scene.objects.for_bond(bond).in_order())
    changed = []
    for scene, weight in zip(scenes, load_scene_weights(bond, scenes).values(), strict=True):
        if scene.weight != weight:
            scene.weight = weight
            changed.append(scene)
    Scene.objects.bulk_update(changed, ["weight"])


def weigh_lines(lines: Sequence[int], weights: Mapping[int, int]) -> int:
    return max((weights.get(line, 0) for line in lines), default=0)
