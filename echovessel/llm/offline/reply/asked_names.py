"""Finds the name that a question asks for in something told: the pet's, the relative's, whoever is spoken of."""

import re

from echovessel.llm.offline.text import lexicon, names, sentences


def names_one(text: str, question: str) -> bool:
    """Whether a sentence names whom or what the question asks for: the animal, the relative, or whoever is spoken of."""
    asked = lexicon.find_concepts(question)
    said_of = sentences.split(text)
    # A question and its answer are read as one: "What's my nan called? It's Dorothy."
    parts = [text] if said_of and sentences.is_question(said_of[0]) else said_of
    return any(
        not asked or _is_name_of(name, said, asked)
        for said in parts
        for name in _list_fitting(names.find(said), question)
    )


def _is_name_of(name: str, said: str, asked: set[str]) -> bool:
    """Whether the last clause up to the name that speaks of somebody speaks of whom is asked for; so where none does."""
    before, _, behind = said.partition(name)
    *earlier, last = re.split("[,，]", before)
    for part in (last + re.split("[,，]", behind)[0], *reversed(earlier)):
        if spoken := lexicon.widen(lexicon.find_concepts(part)):
            return bool(asked & spoken)
        if names.SOMEBODY.search(part):
            return False
    return True


def find_one(named: list[names.Name], question: str) -> str:
    fitting = _list_fitting(named, question)
    return fitting[0] if len(fitting) == 1 else ""


def _list_fitting(named: list[names.Name], question: str) -> list[str]:
    """List the names of animals where the question asks for one's, else the others, of a relative no place's."""
    asked = lexicon.widen(lexicon.find_concepts(question))
    is_pet = "pet" in asked
    kinds = ("pet",) if is_pet else ("person", "other")
    return [name.text for name in named if name.kind in kinds or (not asked and name.kind != "pet")]
