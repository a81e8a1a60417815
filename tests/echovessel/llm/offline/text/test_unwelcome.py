import pytest

from echovessel.llm.offline.text import unwelcome


@pytest.mark.parametrize(
    ("said", "subject"),
    [
        ("Please don't bring up Biscuit any more, it hurts", "Biscuit"),
        ("please dont mention my ex again", "my ex"),
        ("Stop asking me about my job", "my job"),
        ("never bring up the accident", "the accident"),
        ("Could you please not mention the wedding any more?", "the wedding"),
        ("I'd rather you didn't ask about the baby again", "the baby"),
        ("The user would rather you didn't ask about the baby again.", "the baby"),
        ("I don't want you to mention Tom any more", "Tom"),
        ("Please do not talk about food.", "food"),
        ("别再提年糕了", "年糕"),
        ("以后别再提年糕了，一提我就难受", "年糕"),
        ("不要再跟我提我前男友了", "前男友"),
        ("你别老问用户工作的事。", "工作的事"),
        ("能不能不要再提我爸了", "爸"),
        ("别提调动的事了", "调动"),
        ("老伴的事别再提了", "老伴"),
        ("下次别提我老伴了，我难受", "老伴"),
        ("别提我瞒着老婆那段了 翻篇了", "瞒着老婆"),
    ],
)
def test_a_wish_not_to_bring_something_up_names_it(said, subject):
    assert unwelcome.read_subject(said) == subject


@pytest.mark.parametrize(
    "said",
    [
        "don't mention it",
        "Don't mention it to my mum",
        "Please don't mention this to Sam",
        "please don't tell anyone",
        "Stop talking about it",
        "Don't ask me about it any more",
        "She told me to stop asking about kids",
        "I never talk about my dad",
        "we don't talk about Bruno",
        "I don't want to talk about work any more",
        "Do you ever talk about your family?",
        "别再提了",
        "别再提这事了",
        "别提这事了",
        "别跟我妈提钱的事",
        "别提了，今天累死了",
        "我妈叫我别再提他了",
        "你别再生气了",
        "不要再问了",
        "别老说我",
        "不要再下雨了",
    ],
)
def test_what_names_nothing_or_asks_somebody_else_is_no_such_wish(said):
    assert unwelcome.read_subject(said) == ""


@pytest.mark.parametrize(
    ("text", "subject", "expected"),
    [
        ("Biscuit died last night.", "Biscuit", True),
        ("Tom has a dog.", "Biscuit", False),
        ("I start my new job on Monday.", "the user's job", True),
        ("年糕昨晚走了。", "年糕", True),
        ("我工作好累。", "用户工作的事", True),
        ("我妈来了。", "年糕", False),
    ],
)
def test_a_text_with_all_words_of_the_subject_is_about_it(text, subject, expected):
    assert unwelcome.is_about(text, subject) is expected
