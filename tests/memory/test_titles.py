import pytest

from memory.models.sessions import cut_to_title


@pytest.mark.parametrize(
    ("summary", "title"),
    [
        ("", ""),
        ("A white cat called 小黑. He jumps on her face at night.", "A white cat called 小黑"),
        ("我养了一只白猫，叫小黑。他超调皮。", "我养了一只白猫，叫小黑"),
        ("Is it really over? She thinks so.", "Is it really over?"),
        ("She paid 3.50 for tea", "She paid 3.50 for tea"),
        (
            "She talked about the long road from the mill to the harbour, and back",
            "She talked about the long road from the mill…",
        ),
        (
            "قطتي البيضاء الصغيرة مريضة منذ أسبوع (اسمها ميمي وعمرها ثلاث سنوات)",
            "قطتي البيضاء الصغيرة مريضة منذ أسبوع…",
        ),
        ("说" * 60, "说" * 48 + "…"),
        ("说" * 47 + "的事情", "说" * 47 + "…"),
        ("说" * 40 + "interesting", "说" * 40 + "…"),
    ],
    ids=[
        "none",
        "first sentence",
        "Chinese sentence",
        "question",
        "number",
        "long sentence",
        "open bracket",
        "long without spaces",
        "Chinese that leads on",
        "a word begun",
    ],
)
def test_title_is_the_first_words_of_the_summary(summary, title):
    assert cut_to_title(summary) == title
