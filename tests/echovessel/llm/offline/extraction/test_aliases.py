import pytest

from tests.support.extracting import extract

YIYANG = [("Yiyang", "person")]
BOTH = [("Yiyang", "person", "黄逸扬"), ("Scott", "person")]
CHEN = [("陈静", "person"), ("刘洋", "person")]


def _named(answer):
    return [(entity["canonical_name"], entity["aliases"]) for entity in answer["mentioned_entities"]]


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (["My sister Yiyang came by", "Her real name is Huang Yiyang"], [("Yiyang", ["Huang Yiyang", "sister"])]),
        (["My sister Yiyang came by", "Everyone calls her Scott"], [("Yiyang", ["Scott", "sister"])]),
        (["My brother Benjamin moved in", "We all call him Benny at home"], [("Benjamin", ["Benny", "brother"])]),
        (["Scott is what everyone calls Yiyang"], [("Yiyang", ["Scott"])]),
        (["My friend Alexandra, also known as Sasha, won a prize"], [("Alexandra", ["Sasha"])]),
        (["My friend Aleksandra goes by Ola"], [("Aleksandra", ["Ola"])]),
        (["My friend Aleksandra prefers to be called Ola"], [("Aleksandra", ["Ola"])]),
        (["My friend Aleksandra prefers Joe"], [("Aleksandra", []), ("Joe", [])]),
        (["Our cat Mephistopheles is ill", "Mephi is short for Mephistopheles"], [("Mephistopheles", ["Mephi"])]),
        (["我闺蜜叫林晓月", "她小名叫月月"], [("林晓月", ["月月"])]),
        (["我弟弟叫王子豪", "大家都叫他豆豆"], [("王子豪", ["豆豆", "弟弟", "我弟"])]),
        (["我同事叫李伟", "他英文名是Kevin"], [("李伟", ["Kevin"])]),
        (
            ["I have a cat called Shadow", "My colleague Yiyang has a cat too, we all call him Scott"],
            [("Shadow", []), ("Yiyang", ["Scott"])],
        ),
        (["我养了只猫，叫小黑", "我同事黄逸扬也养猫，我们都叫他Scott"], [("小黑", []), ("黄逸扬", ["Scott"])]),
        (
            ["女儿叫周敏，在华为上班", "外孙小名叫团团，上幼儿园"],
            [("周敏", ["女儿"]), ("华为", []), ("团团", ["外孙"])],
        ),
        (["老公叫张磊，在银行上班", "我老公今天哭了"], [("张磊", ["老公"])]),
        (["My husband Mark lost his job", "My husband cried"], [("Mark", ["husband"])]),
        (["My best mate is Gaz, his real name's Gareth Hughes"], [("Gaz", ["Gareth Hughes"])]),
        (["李老师叫李建国，现在都当爷爷了"], [("李建国", [])]),
        (["My name is Mara", "Everyone calls me Mo"], []),
        (["I called her yesterday", "She calls me every day"], []),
    ],
    ids=lambda value: " / ".join(value) if value and isinstance(value[0], str) else "",
)
def test_other_names_belong_to_who_is_meant(lines, named):
    answer = extract(*lines)

    assert (_named(answer), answer["possible_same"]) == (named, [])


def test_two_known_people_said_to_be_one_are_possibly_the_same():
    answer = extract("Scott is what everyone calls Yiyang", known=BOTH)

    assert answer["possible_same"] == [{"a": "Yiyang", "b": "Scott", "stated_in": 11}]
    assert _named(answer) == [("Yiyang", []), ("Scott", [])]


def test_another_name_of_somebody_known_joins_them():
    answer = extract("Scott is what everyone calls Yiyang", known=YIYANG)

    assert (_named(answer), answer["possible_same"]) == ([("Yiyang", ["Scott"])], [])


def test_somebody_known_is_mentioned_wherever_their_name_occurs():
    answer = extract("小黑 broke a glass today", known=[("小黑", "pet", "Blackie")])

    assert answer["mentioned_entities"] == [
        {"canonical_name": "小黑", "kind": "pet", "aliases": [], "in_events": [0], "description": None}
    ]


def test_kin_in_one_chinese_character_have_a_name_that_can_be_found():
    [entity] = extract("我妈住院了，我很担心")["mentioned_entities"]

    assert (entity["canonical_name"], entity["aliases"], entity["in_events"]) == ("妈妈", ["我妈"], [0])


@pytest.mark.parametrize(
    ("pair", "lines", "same"),
    [
        (("Scott", "Yiyang"), ["P: Are Scott and Yiyang the same person?", "Yes, that's her."], True),
        (("Scott", "Yiyang"), ["P: Is Scott your sister Yiyang?", "No, Scott is a colleague."], False),
        (("Scott", "Yiyang"), ["Scott is what everyone calls Yiyang, don't ask."], True),
        (("Scott", "Yiyang"), ["Scott and Yiyang are two different people"], False),
        (("Scott", "Yiyang"), ["P: Are Scott and Yiyang the same?", "Let me tell you about the bread."], None),
        (("Scott", "Yiyang"), ["Yes, I'm home."], None),
        (("陈静", "刘洋"), ["P: 陈静和刘洋是同一个人吗？", "不是，是两个人"], False),
        (("小林", "林晓"), ["P: 小林和林晓是同一个人吗？", "是啊，就是她"], True),
        (None, ["P: Are Scott and Yiyang the same?", "Yes."], None),
    ],
)
def test_uncertain_pair_is_cleared_up_by_the_answer(pair, lines, same):
    expected = None if same is None else {"canonical_a": pair[0], "canonical_b": pair[1], "same": same}

    assert extract(*lines, pair=pair)["entity_clarification"] == expected


def test_people_with_names_alike_are_not_joined():
    answer = extract("陈静来吃饭了，刘洋没来", known=CHEN)

    assert (_named(answer), answer["possible_same"]) == ([("陈静", []), ("刘洋", [])], [])
