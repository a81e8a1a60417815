"""Questions about the stories in other words than the memory's, and in another language: is what answers them recalled first?

Each story is told once, with what a good model would extract, and asked about a day after its last talk.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from echovessel.embeddings import embedding
from memory import text
from memory.evaluation import matching, story, telling
from memory.evaluation.scripted import Scripted
from memory.evaluation.story import Shape, Story
from memory.recall import memories
from personas.models import Bond

FOLDER = Path(__file__).parent / "languages"
# What is asked is answered by one of so many.
FIRST = 3
TARGETS = {"chinese": 0.9, "crossed": 0.8}


class Asked(Shape):
    ask: str
    find: list[str]


@dataclass(frozen=True)
class Found:
    """A question, what should be found, where the first of it stood (None: nowhere), and whether they share a word."""

    story: Story
    asked: Asked
    place: int | None
    shares: bool
    first: Sequence[str]

    @property
    def is_hit(self) -> bool:
        return self.place is not None and self.place <= FIRST


def questions(name: str) -> dict[str, list[Asked]]:
    """What is asked of each story, by the story's name."""
    told = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    return {of: [Asked.model_validate(one) for one in asked] for of, asked in told.items()}


def evaluate(*, say: Callable[[str], None]) -> dict[str, list[Any]]:
    """The figures, each with its target and whether it held, and the misses."""
    telling.forget_all()
    sets = {name: questions(name) for name in TARGETS}
    stories = [one for one in story.all_stories() if any(one.name in asked for asked in sets.values())]
    found: defaultdict[str, list[Found]] = defaultdict(list)
    for at, told in enumerate(stories, start=1):
        say(f"Telling {told.name} ({at} of {len(stories)})")
        bond = telling.tell(told, llm=Scripted(told))
        for name, asked in sets.items():
            found[name] += ask(told, bond, asked.get(told.name, []))
    return {
        "figures": [made for name, of_set in found.items() for made in figures(name, of_set)],
        "misses": [miss(name, one) for name, of_set in found.items() for one in of_set if not one.is_hit],
    }


def ask(told: Story, bond: Bond, asked: Sequence[Asked]) -> list[Found]:
    vectors = embedding.embed([one.ask for one in asked], of_question=True)
    return [answered(told, bond, one, vector) for one, vector in zip(asked, vectors, strict=True)]


def answered(told: Story, bond: Bond, asked: Asked, vector: Sequence[float] | None) -> Found:
    kept = memories.search(bond=bond, query=asked.ask, vector=vector, now=told.asked_at()).kept
    hits = [bool(matching.ids_of(item.node, story=told) & set(asked.find)) for item in kept]
    return Found(
        story=told,
        asked=asked,
        place=hits.index(True) + 1 if True in hits else None,
        shares=shares_word(asked.ask, [told.text_of(id) for id in asked.find]),
        first=[item.node.description for item in kept[:FIRST]],
    )


def shares_word(asked: str, told: Sequence[str]) -> bool:
    """Whether a word, or two characters that stand together, are in both."""
    words = {term for term in text.terms(asked) if len(term) > 1}
    return any(words.intersection(text.terms(one)) for one in told)


def figures(name: str, found: Sequence[Found]) -> list[dict[str, Any]]:
    """Of a set as a whole, with its target where the model can meet it, and of its parts with and without a shared word."""
    parts = [("", found), (", a word shared", [one for one in found if one.shares])]
    parts.append((", none shared", [one for one in found if not one.shares]))
    return [
        figure(f"{name} in the first {FIRST}{part}", of_part, target=TARGETS[name] if not part and can(name) else None)
        for part, of_part in parts
        if of_part
    ]


def can(name: str) -> bool:
    """Whether the model is one that compares what is in two languages; Chinese alone is asked of every model."""
    return name == "chinese" or embedding.compares_languages()


def figure(name: str, found: Sequence[Found], *, target: float | None) -> dict[str, Any]:
    value = sum(one.is_hit for one in found) / len(found)
    return {
        "name": name,
        "lang": "zh" if name.startswith("chinese") else "zh/en",
        "n": len(found),
        "value": round(value, 3),
        "target": None if target is None else f">= {target}",
        "held": None if target is None else value >= target,
    }


def miss(name: str, one: Found) -> str:
    place = "is not found" if one.place is None else f"stands in place {one.place}"
    return f"{name}  {one.story.name}: {one.asked.ask}  {', '.join(one.asked.find)} {place}; first: {' | '.join(one.first) or 'nothing'}"
