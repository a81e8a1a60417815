from pathlib import Path

import pytest

from echovessel.llm.offline.extraction import facts
from tests.support.extracting import inputs_of

FOLDER = Path(__file__).parent / "plainly"


def find(line):
    inputs = inputs_of(line)
    return facts.find_facts(inputs.said_by_user, inputs)


def load(name):
    return [line.split("\t") for line in (FOLDER / name).read_text().splitlines()]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_people_say_of_themselves_becomes_a_fact(language):
    told = load(f"told_{language}.tsv")

    missed = [
        line
        for line, words, *_ in told
        if not any(all(word.lower() in one["content"].lower() for word in words.split(",")) for one in find(line))
    ]

    assert len(missed) <= 0.12 * len(told), missed


@pytest.mark.parametrize("language", ["en", "zh"])
def test_its_slot_is_read(language):
    told = [(line, rest[1]) for line, *rest in load(f"told_{language}.tsv") if len(rest) > 1]

    assert [line for line, slot in told if slot not in [one["slot"] for one in find(line)]] == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_happens_is_thought_or_asked_becomes_none(language):
    lines = [line for [line] in load(f"neutral_{language}.txt")]

    assert len([line for line in lines if find(line)]) <= 2


@pytest.mark.parametrize(
    ("line", "content"),
    [
        ("please keep it short when I write from work", "Please keep it short when the user writes from work."),
        ("你跟我直说就行，我喜欢直接的", "你跟用户直说就行。"),
    ],
)
def test_a_wish_about_talk_is_a_fact_of_how_to_talk(line, content):
    assert [(one["facet"], one["content"]) for one in find(line)][:1] == [("how_to_talk", content)]
