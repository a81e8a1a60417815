import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from personas import blocks
from personas.authored import openings
from personas.models import LoreEntry
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.prompt_reader import read_sections
from tests.support.receiving import SECOND, receive
from tests.support.talking import answer, say

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara", persona__nickname="Mae")


def write(bond, content, *keys, **more):
    entry = LoreEntry(persona=bond.persona, keys=list(keys), content=content, **more)
    entry.fold_keys()
    entry.save()


def prompt(bond, text, *, now=NOW):
    llm = FakeLLM("I see.")
    say(bond, text, now=now, llm=llm)
    return read_sections(llm.calls[0].messages)


def test_lore_is_in_the_prompt_where_a_key_occurs_in_the_burst(bond):
    write(bond, "The angry hive of {{char}}; {{user}} fears it <b>.", "Hive Three")
    write(bond, "Of the cellar.", "cellar")
    write(bond, "Switched off.", "hive", enabled=False)
    write(bond, "A pattern.", "/hive/", use_regex=True)

    text = prompt(bond, "What of HIVE THREE?")

    assert "# What is known here\n<lore>\nThe angry hive of Mae; Mara fears it &lt;b>.\n</lore>" in text
    assert not [gone for gone in ("cellar", "Switched off", "A pattern") if gone in text]


def test_without_a_key_there_is_no_section(bond):
    write(bond, "The angry one.", "hive")

    assert "# What is known here" not in prompt(bond, "Beehives are many.")


def test_a_key_in_one_of_the_last_four_messages_is_enough_and_in_the_fifth_it_is_not(bond):
    write(bond, "The angry one.", "hive")
    told = []
    for n in range(4):
        told.append("angry one" in prompt(bond, "The hive." if n == 0 else f"Hm {n}.", now=NOW + 100 * n * SECOND))

    # Each message was answered: of two ago the user's is the fourth before this one.
    assert told == [True, True, True, False]


def test_lore_of_another_persona_is_not_told(bond):
    other = BondFactory()
    write(other, "Theirs.", "hive")

    assert "Theirs." not in prompt(bond, "The hive.")


def test_a_thousand_entries_cost_no_further_statement(bond):
    def count(text, now):
        receive(bond, text, now=now)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer(bond, now=now, llm=FakeLLM("Yes."))
        return len(queries)

    count("The hive hums.", NOW)
    without = count("The hive again.", NOW + 100 * SECOND)
    LoreEntry.objects.bulk_create(
        LoreEntry(persona=bond.persona, place=n, keys=["the"], folded_keys=["the"], content="x" * 2000)
        for n in range(1000)
    )

    assert count("The hive again.", NOW + 200 * SECOND) == without


def test_scenario_and_examples_stand_with_the_authored_texts(bond):
    for label, content in (
        ("persona", "{{char}} is a miller."),
        ("style", "Dry, says <BOT>."),
        ("scenario", "{{user}} rents a room."),
        ("examples", "<START>\n{{user}}: Tea?\n{{char}}: Always.\n<START>\n{{user}}: Rain?"),
    ):
        blocks.save(holder=bond.persona, label=label, content=content, user=bond.user, now=NOW)

    text = prompt(bond, "Hello.")

    assert (
        "# Persona\n<persona>\nMae is a miller.\n</persona>\n\n# Scenario\n<scenario>\nMara rents a room.\n</scenario>"
        in text
    )
    assert (
        "# Style\n<style>\nDry, says Mae.\n</style>\n\n# Example dialogue\nHow you may sound. Nothing of it was said between you.\n<example>\nMara: Tea?\nMae: Always.\n</example>\n"
        "<example>\nMara: Rain?\n</example>"
    ) in text


def test_examples_are_cut_first(bond, settings):
    blocks.save(holder=bond.persona, label="examples", content="<START>\nA.\n<START>\nB.", user=bond.user, now=NOW)
    settings.PROMPT_TOKEN_BUDGET = 16

    assert ("\nA.\n" in prompt(bond, "Hello."), "\nB.\n" in prompt(bond, "Hm.", now=NOW + 100 * SECOND)) == (
        True,
        False,
    )


def test_a_greeting_and_its_lore_come_together(bond):
    openings.save(persona=bond.persona, greetings=["The hive is loud, {{user}}."], starters=[], user=bond.user, now=NOW)
    write(bond, "The angry one.", "hive")
    receive(bond, "Is it?", greeting="1-0")
    llm = FakeLLM("Yes.")

    answer(bond, now=NOW, llm=llm)

    assert "The angry one." in read_sections(llm.calls[0].messages)
