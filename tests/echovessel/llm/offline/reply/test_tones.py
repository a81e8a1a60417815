import pytest

from echovessel.embeddings.feelings import Felt
from echovessel.llm.offline import vector_feelings
from echovessel.llm.offline.reply.hearing import tones


@pytest.mark.parametrize(
    ("words", "vector", "tone"),
    [
        ("calm", "grief", "sadness"),
        ("calm", "heavy", "sadness"),
        ("calm", "glad", "joy"),
        ("calm", "moved", "calm"),
        ("calm", None, "calm"),
        # What words show is shown.
        ("fear", "heavy", "fear"),
        ("relief", "glad", "relief"),
        ("anger", "moved", "anger"),
        ("joy", None, "joy"),
        ("teasing", "glad", "teasing"),
        # Of what is contradicted nothing is sure, but for a death.
        ("fear", "glad", "calm"),
        ("fatigue", "glad", "calm"),
        ("joy", "grief", "calm"),
        ("relief", "heavy", "calm"),
        ("grief", "glad", "grief"),
    ],
)
def test_words_and_vector_make_the_tone(words, vector, tone):
    assert tones.weigh(words, vector) == tone


@pytest.mark.parametrize(
    ("before", "tone"), [([], "joy"), (["the dishwasher is on"], "joy"), (["our dog died on Friday"], "calm")]
)
def test_behind_something_heavy_no_vector_is_glad(before, tone):
    assert tones.weigh("calm", "glad", before=before) == tone


@pytest.mark.parametrize(
    ("felt", "text", "heard"),
    [(Felt.GLAD, "I'm from Amman originally", None), (Felt.HEAVY, "我是个没用的人", Felt.HEAVY)],
)
def test_where_one_is_from_is_no_good_news(felt, text, heard):
    assert vector_feelings.doubt(felt, text) == heard
