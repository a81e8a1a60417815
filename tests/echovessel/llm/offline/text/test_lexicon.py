import pytest

from echovessel.llm.offline.text import lexicon


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("whats ur name", "what's your name"),
        ("hes my best friend, they dont know", "he's my best friend, they don't know"),
        ("whats my husbands job", "what's my husband's job"),
        ("my dads having his knee done", "my dad's having his knee done"),
        ("my dads are both teachers", "my dads are both teachers"),
        ("my sisters pregnant", "my sister's pregnant"),
        ("my sisters got married", "my sisters got married"),
        ("do u wanna hear", "do you want to hear"),
        ("im sad rn", "i'm sad right now"),
        ("here and there, hers and its", "here and there, hers and its"),
        ("I feel ill in the U.S.", "I feel ill in the U.S."),
    ],
)
def test_hasty_words_are_written_out(typed, meant):
    assert lexicon.normalise(typed) == meant


def test_an_old_gentleman_is_nobodys_husband():
    assert (lexicon.find_kin("今天来了个老先生，修表"), lexicon.find_kin("我先生去出差了")) == (set(), {"husband"})


@pytest.mark.parametrize(
    ("said", "is_chinese"),
    [
        ("我在学日语，こんにちは是你好", True),
        ("可爱の小黑", True),
        ("私の名前は田中です", False),
        ("結婚しています", False),
    ],
)
def test_japanese_is_not_chinese(said, is_chinese):
    assert lexicon.is_chinese(said) is is_chinese
