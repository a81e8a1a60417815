import pytest

from echovessel.embeddings import e5, embedding


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
    assert e5.detect_language(text) == language


# Everyday lines that were not measured: of the same place in the two lists, each answers its question, and no other.
ASKED = {
    "en": ("Where did I park the car?", "How was my exam?", "Who fixed the roof?", "What did I eat on Sunday?", "When is the wedding?"),
    "zh": ("我把车停在哪里了？", "我考试考得怎么样？", "屋顶是谁修的？", "我星期天吃了什么？", "婚礼是什么时候？"),
}  # fmt: skip
TOLD = {
    "en": (
        "The user parked the car behind the station.",
        "The user failed the chemistry exam.",
        "A neighbour fixed the roof after the storm.",
        "On Sunday the user ate dumplings.",
        "The wedding is on the second of May.",
    ),
    "zh": (
        "用户把车停在车站后面。",
        "用户化学考试没有及格。",
        "暴风雨过后邻居把屋顶修好了。",
        "用户星期天吃了饺子。",
        "婚礼定在五月二号。",
    ),
}


@pytest.mark.parametrize(("asked", "told"), [("en", "en"), ("zh", "zh"), ("en", "zh"), ("zh", "en")])
def test_messages_that_were_not_measured_are_told_apart_within_and_across_languages(asked, told):
    import numpy as np

    questions = embedding.embed(ASKED[asked], of_question=True)
    answers = embedding.embed(TOLD[told])

    likenesses = np.array(questions) @ np.array(answers).T
    unlike = likenesses[~np.eye(len(questions), dtype=bool)]
    assert list(likenesses.argmax(axis=1)) == list(range(len(questions)))
    assert np.mean(unlike > e5.FLOOR_COSINE) <= 0.1


class Made:
    """Vectors of which is known what all texts of a language have in common, and in which direction they differ most."""

    def __init__(self):
        import numpy as np

        axes = np.eye(12)
        self.middles = {"en": axes[0] * 3, "zh": axes[1] * 3}
        self.most = {"en": axes[2] * 2, "zh": axes[3] * 2}
        self.of_questions = axes[4]
        self.chance = np.random.default_rng(7)

    def passage(self, texts):
        return self.vectors(texts)

    def query(self, texts):
        return self.vectors(texts) + self.of_questions

    def vectors(self, texts):
        name = "zh" if texts[0].startswith("猫") else "en"
        sides = self.chance.choice([-1, 1], size=(len(texts), 1))
        return self.middles[name] + sides * self.most[name] + self.chance.normal(size=(len(texts), 12)) / 10


def test_measuring_finds_what_texts_have_in_common_and_where_they_differ_most():
    import numpy as np

    model = Made()
    lines = {"en": [f"a {at}{end}" for at in range(500) for end in "?."]}
    lines["zh"] = [line.replace("a", "猫").replace("?", "？") for line in lines["en"]]
    measured = e5.calibrate(model, lines)

    tops = np.array(measured["tops"])
    for name, middle in model.middles.items():
        assert measured[name]["statement"] == pytest.approx(middle, abs=0.2)
        assert measured[name]["question"] == pytest.approx(middle + model.of_questions, abs=0.2)
        # The direction lies wholly within what is taken away.
        assert np.linalg.norm(tops @ model.most[name]) == pytest.approx(2, abs=0.01)
        assert 0 <= measured[name]["share"] < 1


@pytest.mark.parametrize(
    ("asked", "told", "unlike"),
    [
        ("What is my cat called?", "用户养了一只白猫，名叫小黑。", "用户三月份搬到了杭州。"),
        ("我的猫叫什么？", "The user's cat is named Nimbus.", "The user moved to Leeds in March."),
    ],
)
def test_a_question_is_nearer_to_what_answers_it_in_the_other_language(asked, told, unlike):
    assert likeness(asked, unlike, of_question=True) + 0.05 < likeness(asked, told, of_question=True)
