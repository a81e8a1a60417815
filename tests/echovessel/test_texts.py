from concurrent.futures import ThreadPoolExecutor

import pytest

from echovessel import texts


@pytest.mark.parametrize("text", ["x", "x" * 10, " 小黑\u202e<b> ", "\u200b\x07"])
def test_text_is_taken_as_it_is(text):
    assert texts.check(text, most=10) == text


@pytest.mark.parametrize(
    ("text", "code", "detail"),
    [
        (None, "invalid", "This must be text."),
        (7, "invalid", "This must be text."),
        (["x"], "invalid", "This must be text."),
        ("", "invalid", "This text is blank."),
        (" \n\t\u3000", "invalid", "This text is blank."),
        ("x" * 11, "too_long", "This text has 11 characters; at most 10 are allowed."),
        ("a\x00b", "invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair)."),
        ("a\ud83d", "invalid", "This text has a character that cannot be stored (a NUL or half a surrogate pair)."),
    ],
)
def test_what_cannot_be_taken_is_said(text, code, detail):
    with pytest.raises(texts.TextError) as refused:
        texts.check(text, most=10)

    assert (refused.value.code, refused.value.detail, str(refused.value)) == (code, detail, detail)


def test_unstorable_characters_of_a_model_are_left_out():
    assert texts.strip_unstorable("a\x00b\ud800c\udfff小黑") == "abc小黑"


@pytest.mark.parametrize("text", ["小黑", "علی\u200cرضا", "👩\u200d👩\u200d👧", "क्\u200dष", "Zoë"])
def test_a_name_of_any_script_is_one_line(text):
    assert texts.is_one_line(text) is True


@pytest.mark.parametrize("text", ["a\nb", "a\u2028b", "a\tb", "a\x07", "a\u202eb", "a\u2066b", "\u200d", " \u200c "])
def test_what_breaks_a_line_or_cannot_be_seen_is_none(text):
    assert texts.is_one_line(text) is False


def test_words_are_stemmed_in_several_threads_at_once():
    words = [
        f"{stem}{number}{end}"
        for stem in ("jump", "happi", "nation")
        for number in range(150)
        for end in ("ing", "ness", "ally")
    ]
    alone = [texts.stem.__wrapped__(word) for word in words]

    with ThreadPoolExecutor(4) as threads:
        together = list(threads.map(lambda _: [texts.stem.__wrapped__(word) for word in words], range(8)))

    assert together == [alone] * 8
