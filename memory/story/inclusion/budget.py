"""How many tokens of a prompt its pieces may have: a pure function of the settings and of what is never cut."""

from dataclasses import dataclass

from django.conf import settings

from memory.models import Story

# About what a prompt holds that is never cut, where none is at hand to count: rules, authored texts, loaded facts.
FIRM_TOKENS = 2_000
# What is left between a prompt and the model's window, and the steps in which the budget is rounded down: so it does not
# move with every edit of a text.
SPARE_TOKENS = 500
# What is told later is planned for no less, though texts leave no room today: what leaves a story does not come back.
PLANNED_LEAST = 2_000
# The most that further scenes, line recaps and cards have, and their shares of the budget in percent.
SCENE_TOKENS, SCENE_PERCENT = 900, 8
RECAP_TOKENS, RECAP_PARTS = 1500, 6
CARD_TOKENS, CARD_PERCENT = 800, 7
STORY_PERCENT, HISTORY_PERCENT = 15, 40


@dataclass(frozen=True, kw_only=True)
class Caps:
    """The budget of a prompt, and the most tokens that each piece has."""

    budget: int
    story: int
    scenes: int
    recaps: int
    window: int
    cards: int


def compute_budget(firm_tokens: int) -> int:
    """Compute the tokens of what may be cut; `firm_tokens` are those of the rules, L1 and the loaded set."""
    room = min(settings.PROMPT_TOKEN_BUDGET, settings.CONTEXT_TOKENS - firm_tokens - SPARE_TOKENS)
    return max(0, room) // SPARE_TOKENS * SPARE_TOKENS


def compute_caps(budget: int, story: Story) -> Caps:
    """Compute the caps of the pieces of a prompt. Of two caps the lower holds."""
    return Caps(
        budget=budget,
        story=min(settings.STORY_TOKENS, budget * STORY_PERCENT // 100),
        scenes=min(SCENE_TOKENS, budget * SCENE_PERCENT // 100),
        recaps=min(compute_recap_limit(story), RECAP_TOKENS, budget // RECAP_PARTS),
        window=min(settings.HISTORY_TOKENS, budget * HISTORY_PERCENT // 100),
        cards=min(CARD_TOKENS, budget * CARD_PERCENT // 100),
    )


def plan_caps(story: Story, *, firm_tokens: int) -> Caps:
    """Compute the caps by which scenes end and the story is shortened: those of the next prompt, where it has room."""
    return compute_caps(max(PLANNED_LEAST, compute_budget(firm_tokens)), story)


def compute_recap_limit(story: Story) -> int:
    """Compute the limit of line recaps as the person set it: a share of the model's window, or tokens."""
    if story.recap_limit_kind == Story.LimitKind.ABSOLUTE:
        return story.recap_limit
    return settings.CONTEXT_TOKENS * story.recap_limit // 100
