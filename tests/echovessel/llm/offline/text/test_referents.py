"""Whom a question means by "she" or 她."""

from echovessel.llm.offline.text import referents

BROTHER, DAUGHTER = "Remember that my brother likes jazz.", "记一下，我女儿今年五岁"
ASKED = [
    ("What is he called?", [BROTHER], "What is my brother called?"),
    ("她叫什么？", [DAUGHTER, "今天好热"], "我女儿叫什么？"),
    ("Where does he go?", ["My brother Lars is ill.", "My sister Berit waits."], "Where does Lars go?"),
    # Nobody, somebody else, several, or too long ago.
    ("What is she called?", [BROTHER], "What is she called?"),
    ("他们叫什么？", [DAUGHTER], "他们叫什么？"),
    ("What is he called?", ["I met Tom and Max at the pool."], "What is he called?"),
    ("她叫什么？", [DAUGHTER, "今天好热", "是的", "嗯"], "她叫什么？"),
]


def test_whom_a_question_means_is_who_was_spoken_of_last():
    assert [referents.name_asked(asked, earlier=earlier) for asked, earlier, _ in ASKED] == [
        named for *_, named in ASKED
    ]


def test_a_question_is_asked_of_another():
    carried = [
        referents.carry_over(said, before)
        for said, before in (
            ("and the cat", "so what's my dog called?"),
            ("what about Tom", "where does Ann live?"),
            ("and the rain", "The bus was late"),
            ("and the cat ran away", "what's my dog called?"),
            ("and then", "who called?"),
        )
    ]

    assert carried == ["so what's the cat called?", "where does Tom live?", "", "", ""]
