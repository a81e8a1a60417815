import pytest

from echovessel import text
from memory.knowing import bearing, contrasts
from memory.knowing.paraphrases import FOLDER


@pytest.mark.parametrize(
    ("asked", "told", "is_of_other"),
    [
        ("When did I break my leg?", "The user broke a wrist.", True),
        ("When did I break my leg?", "The user broke a foot.", False),
        ("When did I break my leg?", "The user broke a leg and a wrist.", False),
        ("When did I break my leg?", "The user fell off a ladder.", False),
        ("When did I fall?", "The user broke a wrist.", False),
        ("What is my youngest daughter called?", "The user's eldest daughter Ailsa studies.", True),
        ("What colour was my second car?", "The user's first car was a red truck.", True),
        ("What colour was my first car?", "The user's second car was a red truck.", True),
        ("我小女儿叫什么？", "用户的大女儿婷婷读牙科。", True),
        ("我的腿是怎么伤的？", "用户摔断了手腕。", True),
        ("我的腿是怎么伤的？", "用户摔伤了膝盖。", False),
        ("我的腿是怎么伤的？", "用户从梯子上摔下来。", False),
        ("Which pub do I play in?", "The user plays the ukulele in a pub.", True),
        ("Which pub do I play in?", "The user plays in the Anchor pub.", False),
        ("Which pub do I play in?", "The user plays in a pub called Anchor.", False),
        ("Which pub do I play in?", "The user plays at the Anchor.", False),
        ("Which hip did she break?", "She broke her left hip.", False),
        ("What happened to the fig tree?", "The fig tree fell on the shed.", False),
        ("我的店在哪条街？", "用户的店在街角。", True),
        ("我的店在哪条街？", "用户的店在解放街。", False),
        ("他读的是什么专业？", "他在悉尼读专业。", True),
        ("他读的是什么专业？", "他读机械专业。", False),
    ],
)
def test_another_thing_of_the_kind_is_told(asked, told, is_of_other):
    found = contrasts.find(asked, bearing.extract_terms(asked))

    assert any(one.is_of_other(told, bearing.extract_terms(told)) for one in found) is is_of_other


@pytest.mark.parametrize(("name", "is_chinese"), [("english_contrasts.txt", False), ("chinese_contrasts.txt", True)])
def test_each_line_has_several_things_of_its_language_once(name, is_chinese):
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    kinds = [line.split() for line in lines if not line.startswith("#")]
    words = [[word for thing in kind for word in thing.split("/")] for kind in kinds]

    assert [kind for kind in kinds if len(kind) < 2] == []
    assert [kind for kind in words if len(set(kind)) < len(kind)] == []
    assert [word for kind in words for word in kind if text.has_cjk(word) is not is_chinese] == []
