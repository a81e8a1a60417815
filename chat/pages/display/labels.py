"""Labels of tags, moods, kinds and states. A tag or mood that a model made up is shown unchanged."""

from collections.abc import Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from memory.models import ConceptNode
from memory.models.fact_columns import Slot

TAGS: dict[str, Any] = {
    "identity-bearing": gettext_lazy("identity"),
    "unresolved": gettext_lazy("unresolved"),
    "vulnerability": gettext_lazy("vulnerable"),
    "turning-point": gettext_lazy("turning point"),
    "correction": gettext_lazy("correction"),
    "commitment": gettext_lazy("promise"),
    "anger": gettext_lazy("anger"),
    "anxiety": gettext_lazy("anxiety"),
    "despair": gettext_lazy("despair"),
    "disappointment": gettext_lazy("disappointment"),
    "fatigue": gettext_lazy("fatigue"),
    "fear": gettext_lazy("fear"),
    "grief": gettext_lazy("grief"),
    "heartbreak": gettext_lazy("heartbreak"),
    "hope": gettext_lazy("hope"),
    "hurt": gettext_lazy("hurt"),
    "joy": gettext_lazy("joy"),
    "loneliness": gettext_lazy("loneliness"),
    "loss": gettext_lazy("loss"),
    "love": gettext_lazy("love"),
    "pain": gettext_lazy("pain"),
    "pride": gettext_lazy("pride"),
    "reconciliation": gettext_lazy("reconciliation"),
    "relief": gettext_lazy("relief"),
    "sadness": gettext_lazy("sadness"),
    "shame": gettext_lazy("shame"),
    "stress": gettext_lazy("stress"),
    "tiredness": gettext_lazy("tiredness"),
    "warmth": gettext_lazy("warmth"),
    "surprise": gettext_lazy("surprise"),
    "gladness": gettext_lazy("gladness"),
    "gratitude": gettext_lazy("gratitude"),
    "guilt": gettext_lazy("guilt"),
    "excitement": gettext_lazy("excitement"),
    "worry": gettext_lazy("worry"),
    "regret": gettext_lazy("regret"),
}
MOODS: dict[str, Any] = {
    "neutral": gettext_lazy("neutral"),
    "heavy": gettext_lazy("heavy"),
    "subdued": gettext_lazy("subdued"),
    "calm": gettext_lazy("calm"),
    "warm": gettext_lazy("warm"),
    "joyful": gettext_lazy("joyful"),
    "tense": gettext_lazy("tense"),
    "tender": gettext_lazy("tender"),
    "happy": gettext_lazy("happy"),
    "sad": gettext_lazy("sad"),
    "anxious": gettext_lazy("anxious"),
    "tired": gettext_lazy("tired"),
    "content": gettext_lazy("content"),
    "hopeful": gettext_lazy("hopeful"),
    "worried": gettext_lazy("worried"),
    "grateful": gettext_lazy("grateful"),
}
# Of the remarks on a person that are no question about the user.
REMARKS: dict[str, Any] = {
    "who": gettext_lazy("who it is"),
    "age": gettext_lazy("age"),
    "likes": gettext_lazy("likes and dislikes"),
}
# Of the timeline's entries.
KIND_LABELS: dict[str, Any] = {
    **dict(ConceptNode.Type.choices),
    "entity": gettext_lazy("Person or thing"),
    "mood": gettext_lazy("Mood"),
    "session": gettext_lazy("Chat"),
    "failed": gettext_lazy("Chat"),
    "merge": gettext_lazy("Merge"),
    "doubt": gettext_lazy("Same person or thing?"),
}
ENTITY_HEADINGS = {
    "person": pgettext_lazy("a kind of what is known", "People"),
    "pet": gettext_lazy("Animals"),
    "place": gettext_lazy("Places"),
    "org": gettext_lazy("Organisations"),
    "other": gettext_lazy("Things"),
}


def translate_state(state: str) -> str:
    """Return the label of a memory's state; nothing for a state that readers take for granted."""
    shown = (*ConceptNode.SETTLED, ConceptNode.State.UNCERTAIN)
    return str(ConceptNode.State(state).label) if state in shown else ""


def translate_tag(word: str) -> str:
    return str(TAGS.get(word, word))


def translate_mood(word: str) -> str:
    return str(MOODS.get(word, word))


def translate_slot(label: str) -> str:
    """Return what a label of the story or of a remark is called where rules wrote it; another is as it was told."""
    return str(Slot(label).label) if label in Slot.values else str(REMARKS.get(label, label))


def describe_saved(names: Sequence[str]) -> str:
    return _("Saved: %(names)s.") % {"names": _(", ").join(names)} if names else _("Nothing changed.")
