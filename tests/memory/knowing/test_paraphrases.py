import pytest

from echovessel import text
from memory.knowing import bearing, paraphrases


@pytest.mark.parametrize(
    ("asked", "told", "found"),
    [
        ("What did my boss say?", "The manager shouted.", {"boss"}),
        ("What pet have I got?", "The user has a tortoise.", {"pet"}),
        ("Where is my chip shop?", "The user opened a chippy.", {"chip", "shop"}),
        ("When is my operation?", "My hip is being done on the 14th.", {"oper"}),
        ("What pronouns do I use?", "I'm River, they/them.", {"pronoun"}),
        ("Which instrument does she play?", "Milena is a cellist.", {"instrument"}),
        # A wider word does not tell of a narrower one, nor a word of its sibling.
        ("What is my tortoise called?", "The user's pet is called Admiral.", set()),
        ("What is my cat called?", "The user's dog is called Biscuit.", set()),
        ("What is Dana's cat called?", "Dana is in Lisbon.", set()),
        ("我的老板说了什么？", "经理骂了用户。", {"老板", "老", "板"}),
        ("我养了什么宠物？", "用户领养了一只乌龟。", {"宠物", "宠", "物", "养"}),
        ("我的乌龟叫什么？", "用户养了一只宠物。", set()),
        ("我的猫在哪里？", "用户的狗在家。", set()),
        # A verb is told by words for what is done, where it is one: a teacher of maths is asked for nothing learnt.
        ("我在学什么？", "用户报了意大利语班。", {"学"}),
        ("我的数学老师姓什么？", "用户报了意大利语班。", set()),
    ],
)
def test_other_words_tell_those_of_a_question(asked, told, found):
    said = paraphrases.find(asked, bearing.extract_terms(asked))

    assert said.find_terms(told, bearing.extract_terms(told)) == found


@pytest.mark.parametrize(
    ("name", "colon", "is_chinese"),
    [
        ("english.txt", ":", False),
        ("english_kinds.txt", ":", False),
        ("chinese.txt", "：", True),
        ("chinese_kinds.txt", "：", True),
        ("chinese_verbs.txt", "：", True),
    ],
)
def test_each_line_has_words_of_its_language_once(name, colon, is_chinese):
    lines = (paraphrases.FOLDER / name).read_text(encoding="utf-8").splitlines()
    told = [line.replace(colon, " ").split() for line in lines if not line.startswith("#")]

    assert [words for words in told if len(words) < 2 or len(set(words)) < len(words)] == []
    assert [word for words in told for word in words if text.has_cjk(word) is not is_chinese] == []
    assert len(set(lines)) == len(lines)
