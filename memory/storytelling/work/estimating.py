"""About what it takes to tell scenes, or the whole story, anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from echovessel.llm import prices
from memory.facts import firm_tokens
from memory.story.scenes import closing
from memory.story.scenes.listing import ListedScene, list_scenes
from memory.story.versions.due import SCENES_MOST
from personas.models import Bond

# Of a call besides what is told, and of its answer; and of a scene's recap as a merge reads it.
PROMPT_TOKENS = 700
ANSWER_TOKENS = 400
RECAP_TOKENS = 250


@dataclass(frozen=True)
class Estimate:
    """Scenes, calls, tokens, and the cost in dollars; None where the price of the model is not known."""

    scenes: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None


def estimate_all(*, bond: Bond, now: datetime) -> Estimate:
    """Estimate what it takes to tell all scenes and the story, those that would be cut, too."""
    listed = list_scenes(bond=bond)
    closed = [one for one in listed if one.scene is not None]
    backlog = closing.count_backlog(bond=bond, firm_tokens=firm_tokens.load(bond), now=now)
    count = len(closed) + backlog
    return estimate(listed if backlog else closed, count=count, merged_count=count)


def estimate(recapped: Sequence[ListedScene], *, count: int, merged_count: int) -> Estimate:
    """Estimate so many recaps of what these scenes hold, and merges of so many."""
    merges = -(-merged_count // SCENES_MOST)
    calls = count + merges
    read = sum(scene.token_count for scene in recapped) + merged_count * RECAP_TOKENS
    tokens_in = read + calls * PROMPT_TOKENS + merges * settings.STORY_TOKENS
    tokens_out = calls * ANSWER_TOKENS
    cost = prices.estimate_cost(feature="scene_recap", tokens_in=tokens_in, tokens_out=tokens_out)
    return Estimate(merged_count, calls, tokens_in, tokens_out, cost)
