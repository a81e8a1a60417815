"""Adds recapped scenes to a story: of each what weighs most, what is open and how things stand."""

from collections.abc import Iterable

from pydantic import JsonValue

from echovessel.llm.inputs import RecappedScene, StoryMergeInputs, StoryPoint, WeighedText
from echovessel.llm.offline.extraction import settling, statements
from echovessel.llm.offline.text import happenings, lexicon

_OUTCOMES_MOST = 2
# What is open and a later outcome share so many terms where the one settles the other.
_SHARED_LEAST = 3
# What weighs so much is told whatever came of it, and before what its words alone show to have happened.
_STRONG = 6


def merge(inputs: StoryMergeInputs) -> dict[str, JsonValue]:
    add: list[JsonValue] = []
    for at, scene in enumerate(inputs.scenes):
        later = [outcome for one in inputs.scenes[at + 1 :] for outcome in list_told(one)]
        threads = [one for one in scene.open if len(one.terms) > 1 and not is_settled(one, later)]
        # Once is enough.
        told = [*(one.text for one in threads), *(text for _, text in scene.state)]
        happened = [
            one
            for place, one in enumerate(scene.outcomes, start=1)
            if not any(one.text in text for text in told)
            and (one.weight >= _STRONG or not (statements.is_chatter(one.text) or is_over(one, scene.outcomes[place:])))
        ]
        add += [_build(scene, "happened", one.text) for one in choose_weightiest(happened)]
        add += [_build(scene, "open", one.text) for one in threads]
        add += [_build(scene, "state", text, label=label) for label, text in scene.state]
    outcomes = [outcome for scene in inputs.scenes for outcome in list_told(scene)]
    drop: list[JsonValue] = [
        {"point": point.number, "reason": "settled"}
        for point in inputs.points
        if point.part == "open" and not point.is_fixed and is_settled(point, outcomes)
    ]
    return {"add": add, "change": [], "drop": drop}


def choose_weightiest(outcomes: Iterable[WeighedText]) -> list[WeighedText]:
    """Choose the two weightiest outcomes of a scene, in their order; of equal weight those that say more."""
    outcomes = list(outcomes)
    ranked = sorted(outcomes, key=lambda one: (-weigh(one), -len(one.terms)))
    chosen = ranked[:_OUTCOMES_MOST]
    return [one for one in outcomes if one in chosen]


def weigh(one: WeighedText) -> int:
    return max(one.weight, min(happenings.weigh(one.text), _STRONG - 1))


def is_over(one: WeighedText, later: Iterable[WeighedText]) -> bool:
    """Whether what came of it is told later."""
    return any(settling.is_settled_by(one.text, after.text) for after in later)


def list_told(scene: RecappedScene) -> list[WeighedText]:
    return [*scene.outcomes, *(WeighedText(text=told) for _, told in scene.state)]


def is_settled(opened: WeighedText | StoryPoint, told: Iterable[WeighedText]) -> bool:
    """Whether something told later says that something open is over."""
    return any(
        settling.is_settled_by(opened.text, one.text)
        or (len(opened.terms & one.terms) >= _SHARED_LEAST and lexicon.matches("CLOSING", one.text.casefold()))
        for one in told
    )


def _build(scene: RecappedScene, part: str, text: str, *, label: str = "") -> JsonValue:
    return {"part": part, "label": label, "text": text, "scenes": [scene.number]}
