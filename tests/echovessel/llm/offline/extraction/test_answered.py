import pytest

from echovessel.llm.offline.extraction import answered


@pytest.mark.parametrize(
    ("question", "answer", "told"),
    [
        ("我现在住在哪里？", "青岛", "我现在住在青岛"),
        ("我奶奶是个什么样的人？", "脑子嗡嗡的", ""),
        ("What's my favourite colour?", "blue", "my favourite colour is blue"),
    ],
)
def test_an_answer_of_a_few_words_tells_what_was_asked(question, answer, told):
    assert answered.complete(answer, question) == told
