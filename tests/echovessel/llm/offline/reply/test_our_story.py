from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from echovessel.llm.inputs import SaidMessage, SceneDigest, SessionSummary, StoryLine
from echovessel.llm.offline import reply
from echovessel.llm.offline.english.sayings import SAYINGS
from echovessel.llm.offline.reply.answers import our_story
from tests.support.reply_inputs import NOW, TODAY, inputs, told

SEPTEMBER, NOVEMBER = datetime(2026, 9, 3, 18, tzinfo=UTC), datetime(2026, 11, 20, 18, tzinfo=UTC)
ENGLISH = {
    "story": [
        StoryLine("happened", "I moved to Porto.", at=SEPTEMBER, cut_key=(False, 0, 3)),
        StoryLine("happened", "The user bought a boat.", at=NOVEMBER, cut_key=(False, 0, 5)),
        StoryLine("open", "I will paint the boat."),
        StoryLine("state", "I live in Linz.", label="home", is_past=True),
        StoryLine("state", "I bake bread.", label="work"),
        StoryLine("state", "blue", label="boat"),
    ],
    "scenes": [SceneDigest("The key", NOVEMBER, ("I lost the key.",), ("I will look for it.",))],
    "line_recaps": [SaidMessage(is_user=True, text="It rains in.", at=NOW), SaidMessage(False, "A bucket?", NOW)],
    "has_story": True,
}
CHINESE = {
    "story": [
        StoryLine("happened", "我搬到了苏州。", at=SEPTEMBER),
        StoryLine("open", "我要给船刷漆。"),
        StoryLine("state", "我做面包。", label="工作"),
    ],
    "scenes": [SceneDigest("钥匙", NOVEMBER, ("我丢了钥匙。",))],
    "line_recaps": [SaidMessage(is_user=True, text="家里漏雨了。", at=NOW)],
    "has_story": True,
}


def compose(burst, **more):
    return reply.compose(inputs(burst, **more))


@pytest.mark.parametrize(
    "asked",
    [
        "What have we talked about so far?",
        "what have we talked about",
        "What did we talk about before?",
        "So, what did we discuss?",
        "Tell me our story.",
        "Tell me our story so far",
        "Remind me what we've talked about.",
        "Can you sum up our talks?",
        "Recap our conversation, please.",
        "What has happened between us?",
        "Can you sum up what has been going on?",
        "What has happened lately?",
        "给我讲讲这段时间的事",
        "What have we been through?",
        "我们之前聊过什么？",
        "我们之前聊过什么",
        "到目前为止我们都聊了些什么？",
        "我们聊了哪些话题",
        "我们都聊过哪些",
        "到现在我们说了什么呢",
        "讲讲我们的故事吧",
        "回顾一下我们聊过的",
        "总结一下我们的聊天",
        "咱们之间发生过什么？",
        "我们一起经历了些什么",
    ],
)
def test_it_is_asked_what_has_been(asked):
    assert our_story.asks(asked, TODAY)


@pytest.mark.parametrize(
    "said",
    [
        "What did we talk about yesterday?",
        "What did we talk about last week?",
        "What have we talked about Lin?",
        "Tell me a story.",
        "Tell me your story.",
        "What shall we talk about?",
        "What do you want to talk about?",
        "We talked about my mother so far.",
        "I told Ida our story, and she laughed.",
        "我们昨天聊了什么？",
        "我们聊什么呢",
        "讲个故事吧",
        "我们之前聊过阿林",
        "我跟妈妈聊了什么你知道吗",
    ],
)
def test_other_things_are_not_taken_for_it(said):
    assert not our_story.asks(said, TODAY)


def test_asked_what_has_been_it_tells_the_story():
    said = compose("What have we talked about so far?", **ENGLISH)

    assert said.endswith(
        "September 2026: “I moved to Porto.” November 2026: “You bought a boat.” 20 November 2026: “I lost the key.” "
        "In this chat you told me: “It rains in.” Still open: “I will paint the boat.” “I will look for it.” "
        "And as things stand: “I bake bread.” “Boat: blue”"
    )


def test_asked_what_has_been_it_tells_the_story_in_chinese():
    said = compose("我们之前聊过什么？", **CHINESE)

    assert said.endswith(
        "2026年9月：“我搬到了苏州。”2026年11月20日：“我丢了钥匙。”这次聊天里：“家里漏雨了。”"
        "还没有下文的：“我要给船刷漆。”现在的情况：“我做面包。”"
    )


def test_of_a_long_story_the_weightiest_is_told_in_its_order():
    story = [StoryLine("happened", f"Point {at}.", at=SEPTEMBER, cut_key=(False, 0, at % 4)) for at in range(12)]
    said = compose("Tell me our story.", story=story, has_story=True)

    assert [at for at in range(12) if f"“Point {at}.”" in said] == [2, 3, 6, 7, 10, 11]
    assert said.count("September 2026: ") == 1


def test_before_there_is_a_story_it_tells_what_was_said_in_this_talk():
    window = ("My cat jumps on my face at night.", "At night?", "Yes. What shall I do?", "Close the door.")

    assert "In this chat you told me: “My cat jumps on my face at night.”" in compose(
        "What have we talked about?", window=window
    )


def test_where_nothing_is_told_it_answers_as_to_any_question():
    assert "“" not in compose("What have we talked about so far?")
    assert "white cat" in compose(
        "What have we talked about so far? Do you remember my cat?", recalled=[told("We have a white cat.", days=9)]
    )


@pytest.mark.parametrize(
    "burst",
    [
        "What did we talk about last time?",
        "Where were we?",
        "what was I worried about last time?",
        "我们上次聊了什么",
        "上次我在愁什么来着",
    ],
)
def test_what_the_last_talk_was_of_is_told(burst):
    assert "“I broke up with Dan.”" in compose(burst, sessions=[SessionSummary("I broke up with Dan.", NOVEMBER)])


def test_the_same_question_twice_gets_other_words():
    asked = inputs("Tell me our story.", **ENGLISH)
    first = reply.compose(asked)
    again = replace(
        asked, recent_messages=[SaidMessage(True, "Tell me our story.", NOW), SaidMessage(False, first, NOW)]
    )

    assert reply.compose(again) != first


@pytest.mark.parametrize(
    "asked",
    ["What did we talk about last time?", "so where did we leave off?", "上次我们聊了什么？", "我们聊到哪儿了"],
)
@pytest.mark.parametrize(
    "kept",
    [
        {"sessions": [SessionSummary("I moved.", SEPTEMBER), SessionSummary("I lost the key.", NOVEMBER)]},
        {"scenes": ENGLISH["scenes"], "has_story": True},
    ],
)
def test_asked_for_the_last_talk_it_tells_that_one(asked, kept):
    said = compose(asked, **kept)

    assert "“I lost the key.”" in said
    assert "moved" not in said


@pytest.mark.parametrize("asked", ["What did I say last time about my knee?", "上次我说的膝盖怎么样了？"])
def test_a_thing_of_the_last_talk_is_not_the_whole(asked):
    assert "key" not in compose(asked, sessions=[SessionSummary("I lost the key.", NOVEMBER)])


@pytest.mark.parametrize(
    ("asked", "days", "told"),
    [
        ("how long have we known each other?", 12, "12 days"),
        ("When did we first meet?", 12, "9 November 2026"),
        ("how many times have we talked", 0, "Since today"),
        ("我们认识多久了", 12, "12天"),
        ("我们什么时候认识的", 0, "今天"),
        ("when did we last talk?", 12, "14 November 2026"),
        ("我们上次聊天是什么时候", 12, "2026年11月14日"),
    ],
)
def test_since_when_the_two_have_talked_is_told(asked, days, told):
    before = [SessionSummary("They spoke of soup.", NOW - timedelta(days=7))]
    known = inputs(asked, certainty=None, sessions=before, known_since=NOW.date() - timedelta(days=days))

    assert told in reply.compose(known)


def test_the_first_talk_has_none_before():
    assert reply.compose(inputs("when did we last talk?", certainty=None)) in SAYINGS["first_talk"]


@pytest.mark.parametrize(
    "asked",
    [
        "what's new in my life, if you had to sum it up?",
        "What has happened to me lately?",
        "我最近有什么新鲜事 你总结一下",
        "最近有啥好事，你给我数数",
    ],
)
def test_asked_what_is_new_it_tells_the_last_talks_and_this_one(asked):
    before = [SessionSummary("I moved.", SEPTEMBER), SessionSummary("My cat died. I lost the key.", NOVEMBER)]
    this = [SaidMessage(True, "I got the job at the bakery!", NOW), SaidMessage(True, "Good morning.", NOW)]
    said = compose(asked, sessions=before, session_messages=this, loaded="- The user bakes.")

    assert "“My cat died.” “I lost the key.”" in said.replace("”“", "” “")
    assert said.endswith("“I got the job at the bakery!”")


@pytest.mark.parametrize("asked", ["what's new with you?", "我最近有什么事要做", "what happened to my bike?"])
def test_what_is_new_is_asked_of_nothing_else(asked):
    assert "key" not in compose(asked, sessions=[SessionSummary("I lost the key.", NOVEMBER)])


def test_what_is_new_may_have_been_told_in_the_talk_just_before():
    before, this = SaidMessage(True, "My wife died in spring.", NOW), SaidMessage(True, "I got a dog.", NOW)
    said = compose("What's new in my life?", recent_messages=[before, this], session_messages=[this], has_story=True)

    assert said == f"{TODAY:%-d %B %Y}: “My wife died in spring.” In this chat you told me: “I got a dog.”"
