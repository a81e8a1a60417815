"""Which messages that nobody feels much about are worth an event."""

import pytest

from echovessel.llm.offline.extraction import statements


@pytest.mark.parametrize(
    "told",
    [
        "Tell me something about your lighthouse.",
        "Let's forget about work tonight.",
        "If I lived in Paris I would eat bread every day.",
        "They told me to remember that I am replaceable.",
        "给我讲讲你的书店。",
        "要是我住在巴黎我天天吃面包",
    ],
)
def test_what_is_asked_for_imagined_or_anothers_words_is_no_event(told):
    assert statements.is_idle(told)


@pytest.mark.parametrize(
    "told",
    [
        "I used to live in Bath",
        "I always order the soup at Gino's",
        "I would ask you to write to me in full sentences.",
        "My mum says I was born in a taxi",
        "If the 14th is dry we sail",
        "我以前养过仓鼠",
        "我小时候在东北长大",
    ],
)
def test_what_is_told_of_oneself_is_worth_one(told):
    assert not statements.is_idle(told)
