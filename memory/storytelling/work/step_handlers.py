"""For each kind of step: what finds that it is due, and what does it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from memory.models import StoryStep
from memory.storytelling import cards, compacting, detecting, merging, rebuilding, recapping, recapping_lines
from memory.storytelling.work import waking
from memory.storytelling.work.due import Finder
from memory.storytelling.work.finding import (
    find_cards,
    find_compaction,
    find_detecting,
    find_merges,
    find_rebuild,
    find_recaps,
)

Kind = StoryStep.Kind
# Does the work of a step: `act(bond=…, target=…, asker=…, step=…, now=…)`. Returns whether there is more of the same to do.
Act = Callable[..., bool | None]
# Writes by rules what needs no step: `prepare(bond=…, now=…)`.
Preparation = Callable[..., object]


@dataclass(frozen=True, kw_only=True)
class StepHandlers:
    finders: Sequence[Finder]
    acts: Mapping[str, Act]
    preparations: Sequence[Preparation] = ()


STEP_HANDLERS = StepHandlers(
    finders=(
        find_cards,
        find_compaction,
        find_merges,
        find_rebuild,
        find_recaps,
        find_detecting,
        recapping_lines.find_line_recaps,
    ),
    acts={
        Kind.CARDS: cards.write_cards,
        Kind.COMPACT: compacting.compact,
        Kind.LINE_RECAPS: recapping_lines.recap_lines,
        Kind.MERGE: merging.merge_next,
        Kind.REBUILD: rebuilding.rebuild_link,
        Kind.SCENE_RECAP: recapping.recap_scene,
        Kind.DETECT: detecting.detect,
    },
    preparations=(waking.close_silent,),
)
