"""Ask about the stories in other words than the memory's, and in another language.

Each story is told once, with what a good model would extract. The questions come a day after its last session; the
answering memory should be recalled first.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from echovessel import text
from echovessel.embeddings import embedding
from memory.evaluation import bonds, tally
from memory.evaluation.files import load_yaml
from memory.evaluation.stories import matching, story, telling
from memory.evaluation.stories.parts import Shape
from memory.evaluation.stories.scripted import ScriptedLLM
from memory.evaluation.stories.story import Story
from memory.evaluation.tally import Evaluated
from memory.recall import memories, query_vectors
from personas.models import Bond

FOLDER = Path(__file__).parent
# The answer must be among so many.
FIRST = 3
TARGETS = {"chinese": 0.9, "crossed": 0.8}


class LanguageQuestion(Shape):
    ask: str
    find: list[str]


@dataclass(frozen=True)
class LanguageResult:
    """A question, the wanted ids, the place of the first found one (None: nowhere), and whether they share a word."""

    story: Story
    asked: LanguageQuestion
    place: int | None
    shares: bool
    first: Sequence[str]

    @property
    def is_hit(self) -> bool:
        return self.place is not None and self.place <= FIRST


def load_questions(name: str) -> dict[str, list[LanguageQuestion]]:
    """Load the questions of each story, by the story's name."""
    told = load_yaml(FOLDER / f"{name}.yaml")
    return {of: [LanguageQuestion.model_validate(one) for one in asked] for of, asked in told.items()}


def evaluate(*, say: Callable[[str], None]) -> Evaluated:
    bonds.erase_all()
    sets = {name: load_questions(name) for name in TARGETS}
    stories = [one for one in story.load_all() if any(one.name in asked for asked in sets.values())]
    found: defaultdict[str, list[LanguageResult]] = defaultdict(list)
    for at, told in enumerate(stories, start=1):
        say(f"Telling {told.name} ({at} of {len(stories)})")
        bond = telling.tell(told, llm=ScriptedLLM(told))
        for name, asked in sets.items():
            found[name] += ask(told, bond, asked.get(told.name, []))
    return Evaluated(
        figures=[made for name, of_set in found.items() for made in build_figures(name, of_set)],
        misses=[format_miss(name, one) for name, of_set in found.items() for one in of_set if not one.is_hit],
    )


def ask(told: Story, bond: Bond, asked: Sequence[LanguageQuestion]) -> list[LanguageResult]:
    vectors = query_vectors.embed(bond, [one.ask for one in asked])
    return [ask_one(told, bond, one, vector) for one, vector in zip(asked, vectors, strict=True)]


def ask_one(told: Story, bond: Bond, asked: LanguageQuestion, vector: Sequence[float] | None) -> LanguageResult:
    kept = memories.search(bond=bond, query=asked.ask, vector=vector, now=told.asked_at()).kept
    hits = [bool(matching.find_story_ids(item.node, story=told) & set(asked.find)) for item in kept]
    return LanguageResult(
        story=told,
        asked=asked,
        place=hits.index(True) + 1 if True in hits else None,
        shares=shares_word(asked.ask, [told.find_text(id) for id in asked.find]),
        first=[item.node.description for item in kept[:FIRST]],
    )


def shares_word(asked: str, told: Sequence[str]) -> bool:
    """Whether a word, or a pair of neighbouring characters, is in both."""
    words = {term for term in text.extract_terms(asked) if len(term) > 1}
    return any(words.intersection(text.extract_terms(one)) for one in told)


def build_figures(name: str, found: Sequence[LanguageResult]) -> list[dict[str, Any]]:
    """Build the figures of a whole set, with a target where the model can meet it, and of its parts with and without a
    shared word.
    """
    parts = [("", found), (", a word shared", [one for one in found if one.shares])]
    parts.append((", none shared", [one for one in found if not one.shares]))
    return [
        build_figure(
            f"{name} in the first {FIRST}{part}",
            of_part,
            target=TARGETS[name] if not part and can_compare(name) else None,
        )
        for part, of_part in parts
        if of_part
    ]


def can_compare(name: str) -> bool:
    """Whether the model compares two languages; Chinese alone is asked of every model."""
    return name == "chinese" or embedding.is_cross_lingual()


def build_figure(name: str, found: Sequence[LanguageResult], *, target: float | None) -> dict[str, Any]:
    lang = "zh" if name.startswith("chinese") else "zh/en"
    value = sum(one.is_hit for one in found) / len(found)
    made = tally.build_figure(name, lang, value, target=None if target is None else (">=", target))
    return {**made, "n": len(found)}


def format_miss(name: str, one: LanguageResult) -> str:
    place = "is not found" if one.place is None else f"stands in place {one.place}"
    return f"{name}  {one.story.name}: {one.asked.ask}  {', '.join(one.asked.find)} {place}; first: {' | '.join(one.first) or 'nothing'}"
