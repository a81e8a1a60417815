"""What the lives of the suite `stories` are asked, and how sure a turn is where the answer stands in its prompt, and where it
was never told.
"""

from collections.abc import Iterator
from pathlib import Path

from chat.evaluation.mind import telling
from chat.turns.prompting.selection.memory_search import FoundMemory
from memory.evaluation.files import load_yaml
from memory.evaluation.stories import matching
from memory.evaluation.stories.parts import StoryQuestion
from memory.evaluation.stories.story import Story
from memory.knowing.confidence import Knowing
from personas.models import Bond

KEPT_BACK = Path(__file__).parent / "stories_kept_back.yaml"


def load_kept_back(story: Story) -> Story:
    """Load a story with the questions that are judged apart in place of its own."""
    asked = load_yaml(KEPT_BACK).get(story.name, {"questions": [], "untold": []})
    return Story.model_validate({**story.model_dump(by_alias=True), **asked})


def ask_answered(story: Story, bond: Bond) -> Iterator[tuple[str, Knowing]]:
    """Yield each question for what was told whose answer stands in the prompt, with how sure the turn is."""
    for question in story.questions:
        found = telling.ask(bond, question.ask, now=story.asked_at(question))
        if found.signals.asks_past and stands_in_prompt(story, question, found):
            yield question.ask, found.knowing


def ask_untold(story: Story, bond: Bond) -> Iterator[tuple[str, Knowing]]:
    """Yield each question that comes near what was told and whose answer was not."""
    for question in story.untold:
        yield question, telling.ask(bond, question, now=story.asked_at()).knowing


def stands_in_prompt(story: Story, question: StoryQuestion, found: FoundMemory) -> bool:
    """Whether a recalled memory or a quoted message tells one of the wanted memories."""
    told = [matching.find_story_ids(item.node, story=story) for item in found.recalled.kept]
    said = [matching.find_ids_told_in(quote.message, story=story) for quote in found.quotes]
    return any(ids & set(question.find) for ids in (*told, *said))
