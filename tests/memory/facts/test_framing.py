import pytest

from memory.facts import framing


@pytest.mark.parametrize(
    ("told", "content", "kept"),
    [
        (
            "The user's daughter Kasia lives in Gdańsk with two girls.",
            "Kasia moved to Sopot.",
            "The user's daughter Kasia lives in Sopot with two girls.",
        ),
        ("用户的女儿小雅住在苏州，带着两个孩子。", "小雅搬到无锡了。", "用户的女儿小雅住在无锡，带着两个孩子。"),
        (
            "The user goes to choir on Wednesdays and bridge on alternate Mondays.",
            "Bridge has moved to Tuesdays.",
            "The user goes to choir on Wednesdays and bridge on Tuesdays.",
        ),
        (
            "The user works part time at a garden centre, Tuesdays and Fridays mostly.",
            "The garden centre has changed the user's days, it's Mondays and Thursdays.",
            "The user works part time at a garden centre, Mondays and Thursdays mostly.",
        ),
        ("用户女儿五岁，叫朵朵，12月19号有演出。", "朵朵演出提前到12号了。", "用户女儿五岁，叫朵朵，12月12号有演出。"),
        (
            "The user is having a hip operation in January.",
            "The op's been put back to March.",
            "The user is having a hip operation in March.",
        ),
        (
            "The user has a hip operation on 3 February.",
            "The user's operation has been postponed to 9 March.",
            "The user has a hip operation on 9 March.",
        ),
        (
            "The user's wedding is in June in Whitby.",
            "The wedding's moved to July.",
            "The user's wedding is in July in Whitby.",
        ),
        (
            "The user's hip op's on the 14th of January.",
            "They put the op back to february.",
            "The user's hip op's in february.",
        ),
        (
            "The user's interview is on Monday.",
            "They've moved the user's interview to thursday.",
            "The user's interview is on thursday.",
        ),
        (
            "Ravi waits on a scan on 9 December 2026",
            "Scan got brought forward to the 3rd.",
            "Ravi waits on a scan on 3 December 2026",
        ),
        (
            "Noor's mock exams start on 11 January 2027",
            "Mocks got moved to the 18th.",
            "Noor's mock exams start on 18 January 2027",
        ),
        ("用户二月三号做胆囊手术。", "手术推迟到三月了。", "用户三月做胆囊手术。"),
        ("小雨每周三下午有舞蹈课。", "舞蹈课改周五了，老师换时间。", "小雨每周五下午有舞蹈课。"),
        ("用户今年五十六岁，在工地开塔吊。", "用户五十七了。", "用户今年五十七岁，在工地开塔吊。"),
        ("The user is 56 years old.", "The user is 57.", "The user is 57 years old."),
    ],
)
def test_a_change_of_one_value_keeps_the_rest(told, content, kept):
    assert framing.keep_rest(told, content) == kept


@pytest.mark.parametrize(
    ("told", "content"),
    [
        ("The user's daughter Kasia lives in Gdańsk.", "Kasia moved to Sopot."),
        ("The user's daughter Kasia lives in Gdańsk with two girls.", "Ola moved to Sopot."),
        ("The user's sister's operation is in June.", "The user's operation has been postponed to July."),
        ("The user's exam is on the 3rd of June.", "Tom's exam has been moved to July."),
        ("The user's operation is in June.", "Mum put the bins out on Thursday."),
        ("The user's operation was in June or on 3 July.", "The op's been put back to August."),
        ("The user's scan is on 28 December.", "The scan got moved to the 3rd."),
        ("The user has no operation in June.", "The op's been put back to August."),
        ("用户的女儿今年六岁，上幼儿园。", "用户五十七了。"),
        ("用户今年五十六岁。", "用户十二月去上海。"),
    ],
)
def test_what_changes_all_or_another_thing_keeps_nothing(told, content):
    assert framing.keep_rest(told, content) == ""


@pytest.mark.parametrize(
    ("told", "content", "is_other"),
    [
        ("The user's favourite colour is green.", "The user's favourite colour is blue.", True),
        ("The user's best friend is Tom.", "The user's best friend is Priya.", True),
        ("The user's best friend is Tom.", "The user's best friend is a nurse.", False),
        ("The user's favourite film is Amelie.", "The user's favourite film is on tonight.", False),
        ("The user's favourite food is ramen.", "The user's mother's favourite food is rice.", False),
        ("用户最喜欢的颜色是绿色。", "用户最喜欢的颜色是蓝色。", True),
        ("用户最喜欢的歌手是周杰伦。", "用户最喜欢的歌是晴天。", False),
        ("用户最喜欢的歌手是周杰伦。", "用户最喜欢的歌手是很帅的。", False),
    ],
)
def test_of_what_there_is_one_another_takes_its_place(told, content, is_other):
    assert framing.is_of_other_value(told, content) is is_other
    assert framing.are_of_one_value(told, content) is is_other
