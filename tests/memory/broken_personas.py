"""Each rule that the tables of personas, openings, lore and topics keep by themselves, broken once: see `test_constraints`."""

from personas.models import LoreEntry, Opening, OpeningRevision
from tests.support.factories import NOW, PersonaFactory, TopicFactory


def opening(**texts):
    return Opening.objects.create(persona=PersonaFactory(), updated_at=NOW, **texts)


def lore(**more):
    return LoreEntry.objects.create(persona=PersonaFactory(), **more)


def one_revision_twice():
    first = opening()
    for _ in range(2):
        OpeningRevision.objects.create(opening=first, n=1, saved_at=NOW)


BROKEN_PERSONAS = {
    "topic_focus_known": lambda: TopicFactory(focus="soft", focus_at=NOW),
    "topic_focus_has_its_time": lambda: TopicFactory(focus="explicit", focus_at=None),
    "topic_of_a_turn": lambda: TopicFactory(streak=0),
    "topic_centre_of_vectors": lambda: TopicFactory(centre=None, centre_count=1),
    "persona_temperature_range": lambda: PersonaFactory(answer_temperature=2.1),
    "persona_top_p_range": lambda: PersonaFactory(answer_top_p=0),
    "persona_tokens_range": lambda: PersonaFactory(answer_tokens=15),
    "persona_answer_length_known": lambda: PersonaFactory(answer_length="huge"),
    "lore_at_most_2000_characters": lambda: lore(content="x" * 2001),
    "lore_at_most_50_keys": lambda: lore(keys=["key"] * 51),
    "opening_at_most_10_greetings": lambda: opening(greetings=["Hello."] * 11),
    "opening_at_most_6_starters": lambda: opening(starters=["Hello."] * 7),
    "opening_greetings_not_too_long": lambda: opening(greetings=["x" * 20_001]),
    "opening_starters_not_too_long": lambda: opening(starters=["x" * 1201]),
    "opening_revision_once_per_version": one_revision_twice,
}
