"""Prune an extraction's answer after some of its messages were forgotten."""

from typing import Any

from echovessel import text


def prune_entities(answer: dict[str, Any], *, said: str) -> list[dict[str, Any]]:
    """Keep the entities of an answer under the names that a text holds; drop everything else about them."""
    folded = text.fold(said)
    named = answer.get("mentioned_entities")
    met = [one for one in named if isinstance(one, dict)] if isinstance(named, list) else []
    there = [one for one in met if filter_names([one.get("canonical_name", one.get("name"))], folded)]
    return [one | {"aliases": filter_names(one.get("aliases"), folded), "description": None} for one in there]


def prune_mood(answer: dict[str, Any], *, gone: str) -> Any:
    """Keep the mood of an answer unless it is in the words of what was forgotten."""
    signal = answer.get("session_mood_signal")
    mood = str(signal.get("mood")) if isinstance(signal, dict) else ""
    return signal if set(text.extract_terms(mood)).isdisjoint(text.extract_terms(gone)) else None


def filter_names(names: Any, folded: str) -> list[str]:
    written = [name for name in names if isinstance(name, str)] if isinstance(names, list) else []
    return [name for name in written if text.contains_name(folded, text.fold(name))]
