import re
from datetime import timedelta

import pytest

from echovessel.llm.inputs import Certainty, DoubtQuestion, NotedFact, SaidMessage, StoryLine, UnmetWish
from echovessel.llm.offline import pronouns, reply
from echovessel.llm.offline.text import naming
from tests.support.reply_inputs import NOW, inputs, told

SLOTS = {
    "preferred_name": "The user's name is Alex.",
    "home": "The user moved to York.",
    "work": "The user works as a nurse.",
    "birthday": "The user's birthday is on 3 May.",
}
SLOTS_CHINESE = {"preferred_name": "用户叫小黑。", "home": "用户搬到苏州了。", "work": "用户在字节上班。"}


def _reply(burst, **more):
    return reply.compose(inputs(burst, **more))


def _noted(op, text, **more):
    return {"noted": [NotedFact(op=op, text=text, is_new=True, **more)]}


@pytest.mark.parametrize(
    ("burst", "noted", "said"),
    [
        ("I can't eat nuts, remember that", _noted("saved", "The user can't eat nuts."), "you can't eat nuts"),
        ("my name is Alex", _noted("saved", "The user's name is Alex."), "our name is Alex"),
        ("I moved to York", _noted("changed", "The user moved to York."), "you moved to York"),
        ("I'm not a nurse any more", _noted("ended", "The user works as a nurse."), "you work as a nurse"),
        ("Forget about Sam", _noted("forgotten", ""), "orgotten"),
        ("From now on be brief", _noted("saved", "From now on be brief.", facet="how_to_talk"), "ll"),
        ("我不能吃坚果，帮我记住", _noted("saved", "用户不能吃坚果。"), "你不能吃坚果"),
        ("我搬到苏州了", _noted("changed", "用户搬到苏州了。"), "你搬到苏州了"),
        ("忘掉我说的Sam", _noted("forgotten", ""), "忘掉了"),
    ],
)
def test_the_reply_takes_up_what_was_noted(burst, noted, said):
    assert said in _reply(burst, **noted)


def test_what_was_noted_before_is_not_said_again():
    before = [NotedFact(op="saved", text="The user can't eat nuts.")]

    assert "nuts" not in _reply("Nice weather today.", noted=before)


def test_grief_is_answered_before_the_note():
    said = _reply("My dad died last night, remember that.", **_noted("saved", "The user's dad died last night."))

    assert said.endswith(("your dad died last night.", "keep it in mind."))
    assert len(said.split(". ")) > 1


@pytest.mark.parametrize(
    ("burst", "wish", "said"),
    [
        ("Forget about Sam", UnmetWish("not_found"), "my memory page"),
        ("Forget about Sam", UnmetWish("ambiguous", ("The user likes Sam.", "Sam is ill.")), "you like Sam; Sam is ill"),
        ("I run on Sundays now", UnmetWish("which_ends", ("The user runs on Fridays.",)), "Which of them is no longer so?"),
        ("Remember that my password is x", UnmetWish("secret"), "password"),
        ("Never say you are an AI", UnmetWish("unsafe"), "won't promise"),
        ("Remember that I sing", UnmetWish("unavailable"), "could not note"),
        ("Remember that I sing", UnmetWish("off_record"), "off the record"),
        ("帮我记住我不吃香菜", UnmetWish("off_record"), "不留记录"),
        ("忘掉我说的Sam", UnmetWish("not_found"), "我的记忆页面"),
        ("忘掉我说的Sam", UnmetWish("ambiguous", ("用户喜欢Sam。",)), "你喜欢Sam"),
        ("我改成周日跑步了", UnmetWish("which_ends", ("用户周五跑步。",)), "哪一条不作数了"),
    ],
)  # fmt: skip
def test_the_reply_says_what_could_not_be_done(burst, wish, said):
    assert said in _reply(burst, unmet=[wish])


@pytest.mark.parametrize(
    ("burst", "slots", "said"),
    [
        ("What is my name?", SLOTS, "our name is Alex"),
        ("where do I live?", SLOTS, "ou moved to York"),
        ("What's my job?", SLOTS, "ou work as a nurse"),
        ("When is my birthday?", SLOTS, "our birthday is on 3 May"),
        ("What should you call me?", SLOTS, "our name is Alex"),
        ("Where do we live?", SLOTS, "ou moved to York"),
        ("我们住在哪里？", SLOTS_CHINESE, "你搬到苏州了"),
        ("我叫什么？", SLOTS_CHINESE, "你叫小黑"),
        ("我住在哪里？", SLOTS_CHINESE, "你搬到苏州了"),
        ("我在哪里上班？", SLOTS_CHINESE, "你在字节上班"),
    ],
)
def test_a_question_is_answered_from_what_is_noted(burst, slots, said):
    assert said in _reply(burst, slots=slots)


def test_what_is_noted_counts_more_than_what_was_said_before():
    said = _reply("Where do I live?", slots=SLOTS, recalled=[told("I live in Leeds.", days=30)])

    assert "York" in said
    assert "Leeds" not in said


def test_all_that_one_must_not_eat_is_told():
    lately = ["i'm coeliac", "no cheese for me either, i'm lactose intolerant"]
    window = [line for text in lately for line in (text, "I see.")]
    known = NotedFact(op="saved", text="The user is coeliac.", facet="about_you")

    by_messages = _reply("what can't i eat?", window=window)
    by_fact = _reply("what can't i eat?", window=window, noted=[known])

    assert "lactose" in by_messages
    assert "coeliac" in by_messages
    assert "lactose" in by_fact
    assert by_fact.count("coeliac") == 1


@pytest.mark.parametrize(
    ("asked", "lately", "part"),
    [
        ("where did I live before?", "I live in Leeds.", "Leeds"),
        ("where did I live before?", "My tea is cold.", ""),
        ("我以前住在哪里？", "我住在无锡。", "无锡"),
    ],
)
def test_what_is_noted_does_not_tell_of_before(asked, lately, part):
    slots = SLOTS_CHINESE if "我" in asked else SLOTS
    said = _reply(asked, slots=slots, recalled=[told(lately, days=30)])

    assert part in said
    assert "York" not in said
    assert "苏州" not in said


@pytest.mark.parametrize(
    ("told", "asked", "part"),
    [
        ("i packed the bakery in. starting at the school kitchen in january", "where do I work now?", "school kitchen"),
        ("不干外卖了,过完年在老家开个快递站", "我做什么工作?", "不干外卖"),
    ],
)
def test_a_job_that_this_talk_changed_is_not_told_as_noted(told, asked, part):
    lately = [SaidMessage(is_user=True, text=told, at=NOW - timedelta(minutes=2))]

    assert part in _reply(asked, slots={"work": "The user bakes at Acme."}, recent_messages=lately)


@pytest.mark.parametrize(
    ("burst", "known", "said"),
    [
        (
            "What do you know about me?",
            {"slots": SLOTS, "all_known": ["The user can't eat nuts."], "loaded": "- ~ The user plays chess.\n- 2 more"},
            ("you play chess", "your name is Alex", "you moved to York", "you can't eat nuts"),
        ),
        ("你知道我什么？", {"slots": SLOTS_CHINESE, "all_known": ["用户不吃辣。"]}, ("你叫小黑", "你不吃辣")),
    ],
)  # fmt: skip
def test_asked_for_all_the_reply_lists_what_is_noted(burst, known, said):
    text = _reply(burst, **known)

    assert [part for part in said if part not in text] == []


def test_the_name_comes_first_in_the_list():
    said = _reply("What do you know about me?", slots={"home": "The user moved to York.", **SLOTS})

    assert said.index("Alex") < said.index("York")


@pytest.mark.parametrize("line", ["明天叫我起床", "妈妈叫我回家吃饭", "我叫了外卖"])
def test_who_asks_to_be_called_later_has_said_no_name(line):
    assert "起床" not in _reply(line)
    assert naming.find_in(line) == ""


@pytest.mark.parametrize(
    ("fact", "clause"),
    [
        ("The user is allergic to nuts.", "you are allergic to nuts"),
        ("The user studies law and works at Acme.", "you study law and work at Acme"),
        ("The user teaches.", "you teach"),
        ("The user was a nurse.", "you were a nurse"),
        ("The user doesn't drink.", "you don't drink"),
        ("The user's sister knows the user.", "your sister knows you"),
        ("The user loves their cat.", "you love your cat"),
        ("The user's parents sold their house.", "your parents sold their house"),
        ("Sam hates cheese.", "Sam hates cheese"),
        ("用户对花生过敏。", "你对花生过敏"),
        ("The user has three kids and loves them.", "you have three kids and love them"),
        ("The user keeps bees and sells them.", "you keep bees and sell them"),
        ("The user has a wife who loves them.", "you have a wife who loves them"),
        (
            "The user is allergic to nuts, carries an EpiPen and has asthma.",
            "you are allergic to nuts, carry an EpiPen and have asthma",
        ),
        (
            "The user has a greyhound called Duchess, she is nine and sleeps all day.",
            "you have a greyhound called Duchess, she is nine and sleeps all day",
        ),
        ("The user has a dog, walks it and feeds it.", "you have a dog, walk it and feed it"),
        (
            "The user's daughter Susan lives in Perth, and she wants them to come over.",
            "your daughter Susan lives in Perth, and she wants you to come over",
        ),
        ("The user's sister says they are too soft.", "your sister says you are too soft"),
        ("The user's wife thinks they should see a doctor.", "your wife thinks you should see a doctor"),
        ("The user's parents say they are too old.", "your parents say they are too old"),
        ("The user's son has two dogs and walks them.", "your son has two dogs and walks them"),
        ("The user's brother owes them 15k.", "your brother owes you 15k"),
        ("The user's sister keeps hens and feeds them.", "your sister keeps hens and feeds them"),
        ("The user's kids love them.", "your kids love them"),
    ],
)
def test_turn_a_fact_to_the_second_person(fact, clause):
    assert pronouns.address(fact) == clause


@pytest.mark.parametrize(
    ("told", "clause"),
    [
        ("I cannot sleep lately, and my boss hates me.", "you cannot sleep lately, and your boss hates you"),
        ("Orla is ill. I told you so.", "“Orla is ill. I told you so.”"),
        ("The user lives in York.", "you live in York"),
        ("Ada got the job.", "Ada got the job"),
        ("我最近睡不着，老板不喜欢我。", "你最近睡不着，老板不喜欢你"),
        ("用户住在上海。", "你住在上海"),
    ],
)
def test_the_companion_does_not_say_i_of_the_user(told, clause):
    assert clause in _reply("Good morning.", doubt=DoubtQuestion("stale", told, ""))


CHANGED = "- The user lives in Leeds.\n- The user's bike is red.\n- The user works as a nurse.\n- The user plays chess."


def test_what_was_changed_in_this_talk_is_not_listed():
    noted = [
        NotedFact(op="changed", text="The user moved to York.", old="The user lives in Leeds."),
        NotedFact(op="ended", text="The user works as a nurse."),
        NotedFact(op="changed", text="The user's bike is blue.", old="The user's bike is red.", is_undone=True),
    ]

    said = _reply("What do you know about me?", loaded=CHANGED, slots={"home": "The user moved to York."}, noted=noted)

    assert "you moved to York" in said
    assert "your bike is red" in said
    assert "you play chess" in said
    assert "Leeds" not in said
    assert "nurse" not in said


def test_what_was_changed_and_then_forgotten_is_no_gap_in_the_list():
    said = _reply(
        "What do you know about me?", loaded="- The user plays chess.", noted=[NotedFact(op="changed", text="")]
    )

    assert ": you play chess." in said


def test_two_secrets_in_one_message_are_refused_once():
    said = _reply("Remember my password and my key", unmet=[UnmetWish("secret"), UnmetWish("secret")])

    assert said.count("I have not noted it") == 1


@pytest.mark.parametrize(
    "burst", ["你知道我的什么？", "你都记得我什么？", "你都知道我哪些事？", "你还记得我的哪些事？"]
)
def test_asked_for_all_in_chinese_the_reply_lists_what_is_noted(burst):
    assert "你叫小黑" in _reply(burst, slots=SLOTS_CHINESE)


@pytest.mark.parametrize(
    ("window", "burst", "slots", "said"),
    [
        (
            "I'm Mara, I live in Leeds with my dog Biscuit and I can't eat nuts",
            "What's my name?",
            {"preferred_name": "The user is called Mara."},
            "ou are called Mara",
        ),
        (
            "你好阿榛，我叫小雨，住在成都，养了一只狗叫豆豆。",
            "我叫什么名字？",
            {"preferred_name": "用户叫小雨。"},
            "你叫小雨",
        ),
    ],
)
def test_of_a_message_that_tells_much_the_fact_alone_is_told(window, burst, slots, said):
    text = _reply(burst, window=(window, "Yes."), slots=slots)

    assert said in text
    assert "Leeds" not in text
    assert "成都" not in text


@pytest.mark.parametrize(
    ("burst", "texts", "said"),
    [
        (
            "I'm Mara, I moved to Leeds and I can't eat nuts, remember that",
            ("The user is Mara.", "The user moved to Leeds with their dog.", "The user can't eat nuts."),
            "you are Mara; you moved to Leeds with your dog; you can't eat nuts",
        ),
        ("记住我住在成都，我对花生过敏", ("用户住在成都。", "用户对花生过敏。"), "你住在成都；你对花生过敏"),
    ],
)
def test_what_was_noted_at_once_is_said_in_one_sentence(burst, texts, said):
    assert said in _reply(burst, noted=[NotedFact(op="saved", text=one, is_new=True) for one in texts])


def test_a_recalled_fact_is_told_to_the_user():
    said = _reply("Who is Biscuit?", recalled=[told("The user moved to Leeds with their dog Biscuit.", days=3)])

    assert "you moved to Leeds with your dog Biscuit." in said


def test_a_wish_is_not_told_as_a_statement():
    said = _reply(
        "What's my name?", slots={"preferred_name": "The user is called Max."}, window=("call me Max", "Yes.")
    )

    assert "ou are called Max" in said


@pytest.mark.parametrize(
    ("window", "burst", "said"),
    [
        ("remember that my bike is blue", "What colour is my bike?", "your bike is blue."),
        ("My bike is blue, remember that.", "What colour is my bike?", "your bike is blue."),
        ("记住我的车是蓝色的", "我的车是什么颜色的？", "你的车是蓝色的"),
    ],
)
def test_what_was_told_is_said_without_the_wish_to_remember_it(window, burst, said):
    text = _reply(burst, window=(window, "Yes."))

    assert said in text
    assert "emember that" not in text
    assert "记住我" not in text


@pytest.mark.parametrize(
    ("burst", "loaded", "said"),
    [
        ("What colour is my bike?", "- The user's bike is blue.", "our bike is blue"),
        (
            "What do you know about Jane?",
            "- The user plays chess.\n- The user's wife Jane is pregnant.",
            "our wife Jane is pregnant",
        ),
        ("What medicine do I take?", "- The user takes insulin every morning.", "ou take insulin every morning"),
        ("我在吃什么药？", "- 用户每天早上吃降压药。", "你每天早上吃降压药"),
        ("Who is my landlord?", "- The user's landlord is called Declan.", "our landlord is called Declan"),
        ("我的车是什么颜色的？", "- 用户的车是蓝色的。", "你的车是蓝色的"),
    ],
)
def test_a_loaded_fact_answers_a_question(burst, loaded, said):
    assert said in _reply(burst, loaded=loaded)


@pytest.mark.parametrize(
    ("burst", "loaded", "said"),
    [
        (
            "Which shift does my mum work?",
            "- Mum works nights at the laundry. (said since: She's gone back to days, mum.)",
            ("works nights", "Since then you said: “She's gone back to days, mum.”"),
        ),
        (
            "我爸吃什么药？",
            "- 用户的爸爸在吃华法林。 (said since: 我爸的药换成利伐沙班了)",
            ("华法林", "后来你说过：“我爸的药换成利伐沙班了”"),
        ),
    ],
)
def test_what_was_said_since_is_told_with_a_fact(burst, loaded, said):
    text = _reply(burst, loaded=loaded)

    assert all(one in text for one in said)


@pytest.mark.parametrize(
    ("asked", "line", "loaded", "is_told"),
    [
        ("How old is Ruby?", "Ruby turned 10 yesterday!", "The user's kids are Ruby, 9, and Alfie, 6.", True),
        ("How old is Alfie?", "Ruby turned 10 yesterday!", "The user's kids are Ruby, 9, and Alfie, 6.", False),
        ("How old is Ruby?", "Ruby is 10 minutes late", "The user's kids are Ruby, 9, and Alfie, 6.", False),
        (
            "How old is Ruby?",
            "Ruby turned up late and is fine now",
            "The user's kids are Ruby, 9, and Alfie, 6.",
            False,
        ),
        ("安安几岁？", "安安下周三生日，六岁了", "用户孙女今年五岁，叫安安。", True),
    ],
)
def test_who_turned_another_age_since_it_was_noted_is_told_so(asked, line, loaded, is_told):
    assert (line in _reply(asked, window=(line, "Mm."), loaded=f"- {loaded}")) is is_told


@pytest.mark.parametrize(
    ("burst", "loaded", "said"),
    [
        ("What can't I eat?", "- The user can't eat nuts.\n- The user is vegetarian.", ("nuts",)),
        ("What am I allergic to?", "- The user can't drink milk.\n- The user is allergic to nuts.", ("milk", "nuts")),
        ("What mustn't I drink?", "- The user never drinks milk.\n- The user's sister never eats nuts.", ("milk",)),
        ("我不能吃什么？", "- 用户对花生过敏。\n- 用户现在吃素了。", ("花生",)),
        ("我对什么过敏？", "- 用户不能喝牛奶。\n- 用户对花生过敏。", ("牛奶", "花生")),
    ],
)
def test_what_the_user_may_not_eat_is_told_in_full(burst, loaded, said):
    slots = {"diet": "The user is vegetarian."} if burst.isascii() else {"diet": "用户现在吃素了。"}

    text = _reply(burst, loaded=loaded, slots=slots)

    assert [word for word in said if word not in text] == []
    assert "sister" not in text


def test_what_ended_in_this_talk_is_not_told_from_its_message():
    window = ("I'm vegetarian now", "Noted.", "I eat meat again", "Fine.")
    ended = NotedFact(op="ended", text="The user is vegetarian now.")

    assert "Not any more" in _reply("Am I vegetarian?", window=window, noted=[ended])
    assert "vegetarian now" in _reply("Am I vegetarian?", window=window)


def test_a_denial_that_ended_is_not_told_from_its_message():
    window = ("remember that I don't eat meat", "Noted.", "actually I do eat meat again", "Fine.")
    ended = NotedFact(op="ended", text="The user doesn't eat meat.")

    assert "don't eat meat" not in _reply("What do you know about me?", window=window, noted=[ended])


def test_what_was_changed_back_is_told():
    noted = [
        NotedFact(op="changed", text="The user lives in York.", old="The user lives in Leeds."),
        NotedFact(op="changed", text="The user lives in Leeds.", old="The user lives in York."),
    ]
    window = ("I live in Leeds.", "Yes.", "Actually I live in York.", "Yes.", "No, I live in Leeds.", "Yes.")

    said = _reply("Where do I live?", window=window, noted=noted, slots={"home": "The user lives in Leeds."})

    assert "Leeds" in said
    assert "York" not in said


def test_what_belongs_to_the_answer_alone_is_quoted():
    window = ("我的狗叫饼干，六岁了。", "好。", "叫我小米吧", "好。")

    said = _reply("我的狗叫什么？", window=window)

    assert "饼干" in said
    assert "小米" not in said


@pytest.mark.parametrize(
    ("window", "burst", "said"),
    [("乐乐现在八岁了，记住", "乐乐几岁？", "乐乐现在八岁了"), ("不对，我住在苏州", "我住在哪里？", "你住在苏州")],
)
def test_what_was_said_is_told_without_what_only_leads_to_it(window, burst, said):
    text = _reply(burst, window=(window, "好。"))

    assert said in text
    assert "不对" not in text


@pytest.mark.parametrize(
    ("window", "burst", "said"),
    [
        (("我在腾讯上班", "嗯。", "我不在腾讯上班了", "嗯。"), "我在哪里上班？", "你不在腾讯上班了"),
        (
            ("I work for Tesco", "Yes.", "I don't work for Tesco any more", "Yes."),
            "Where do I work?",
            "you don't work for",
        ),
    ],
)
def test_of_what_was_said_and_denied_the_denial_is_told(window, burst, said):
    assert said in _reply(burst, window=window)


def test_a_loaded_fact_is_told_however_unsure_memory_is():
    said = _reply("What medicine do I take?", loaded="- The user takes insulin every morning.", certainty=Certainty.TIP)

    assert "ou take insulin every morning" in said


def test_a_request_is_not_turned_to_a_statement():
    said = _reply("What's my name?", window=("call me Rocket tomorrow", "Yes."))

    assert "call you" not in said


def test_of_ones_own_the_single_sentence_is_told():
    window = ("My sister Anna moved to Berlin.", "Ah.", "I've got a new job at the library.", "Good.")
    slots = {"work": "The user has got a new job at the library."}

    said = _reply("Where do I work?", window=window, slots=slots)

    assert "library" in said
    assert "Berlin" not in said


FACTS = "- The user's name is Rowan."
TOLD = ("I live with my partner Imogen.", "Good.", "Our old dog is called Biscuit.", "Oh.")


def test_besides_the_facts_the_reply_tells_what_was_told_lately():
    said = _reply("What do you know about me?", loaded=FACTS, window=TOLD)

    assert all(one in said for one in ("our name is Rowan", "my partner Imogen", "called Biscuit"))


@pytest.mark.parametrize(
    ("asked", "window", "happened"),
    [
        ("What do you know about me?", (*TOLD, "I got fired today.", "Oh."), "I got fired today"),
        ("你知道我什么？", ("我跟女朋友分手了", "嗯。", "今天我被裁了", "嗯。"), "今天我被裁了"),
    ],
)
def test_what_happened_is_told_besides_who_one_is(asked, window, happened):
    assert happened in _reply(asked, window=window)


def test_besides_the_facts_the_weightiest_points_of_the_story_are_told():
    points = [
        StoryLine("happened", f"My plan {at} was dropped.", at=NOW, cut_key=(False, at, 0)) for at in (1, 9, 5, 7)
    ]
    said = _reply("What do you know about me?", loaded=FACTS, story=points, window=TOLD)

    assert re.findall(r"plan (\d)", said) == ["9", "5", "7"]
    assert "Imogen" not in said


def test_what_the_user_asked_not_to_bring_up_is_not_told_besides():
    wish = [NotedFact(op="saved", text="Please don't bring up Biscuit any more.", facet="how_to_talk")]

    assert "Biscuit" not in _reply("What do you know about me?", loaded=FACTS, window=TOLD, noted=wish)


def test_a_wish_not_to_bring_something_up_is_not_listed():
    said = _reply(
        "What do you know about me?", loaded=f"{FACTS}\n- Please don't bring up Biscuit any more.", window=TOLD
    )

    assert ("Rowan" in said, "Biscuit" in said) == (True, False)


def test_what_is_told_besides_is_told_once():
    window = ("My girlfriend Petra is pregnant.", "Oh.", "I'm so glad for her.", "Good.")

    assert _reply("What do you know about me?", loaded=FACTS, window=window).count("pregnant") == 1


ALLERGIC = "The user is allergic to powder in the gloves."


def test_what_a_fact_was_changed_to_answers_where_no_message_tells_it_whole():
    changed = NotedFact(op="changed", text=ALLERGIC, old="The user is allergic to latex.")

    said = _reply("What am I allergic to?", window=("I'm allergic to latex.", "it's the powder"), noted=[changed])

    assert "powder in the gloves" in said


def test_a_fact_that_holds_goes_before_what_was_told_earlier():
    said = _reply("What am I allergic to?", loaded=f"- {ALLERGIC}", recalled=[told("I'm allergic to latex.", days=3)])

    assert "powder in the gloves" in said


@pytest.mark.parametrize(
    ("told_before", "asked", "said"),
    [
        ("I work as a bike mechanic.", "what do I do for a living now?", "bike mechanic"),
        ("现在在我老丈人的店里帮忙卖轮胎", "我现在做什么工作？", "轮胎"),
        ("我开货车，跑泉州到赣州这条线", "我以前是做什么的？", "货车"),
    ],
)
def test_a_living_told_in_plain_words_is_known(told_before, asked, said):
    assert said in _reply(asked, window=(told_before, "Go on." if asked.isascii() else "你说。"))


def test_a_fact_of_somebody_else_answers_no_question_of_what_they_do():
    fact = "- The user is 41, and Pieter is 36."
    quote = told("My brother Pieter and I run a bike shop.", days=3)

    assert "36" not in _reply("is Pieter still working with me?", loaded=fact, recalled=[quote])


@pytest.mark.parametrize(
    ("window", "asked", "said"),
    [
        (
            ("I run a small bike shop with my brother.", "Go on.", "we closed the shop for good last Friday", "I see."),
            "what do I do for a living now?",
            "closed the shop",
        ),
        (("我在宁波开面馆的", "嗯。", "我们的面馆上个月关了", "嗯。"), "我现在做什么工作？", "面馆上个月关了"),
    ],
)
def test_a_business_that_closed_answers_what_the_user_does(window, asked, said):
    assert said in _reply(asked, window=window)


@pytest.mark.parametrize(
    ("burst", "over", "said"),
    [
        ("am I vegetarian?", "The user is vegetarian.", "you are vegetarian"),
        ("am I still vegetarian?", "The user is vegetarian.", "you are vegetarian"),
        ("我还吃素吗？", "用户吃素。", "你吃素"),
    ],
)
def test_what_holds_no_longer_is_told_as_that(burst, over, said):
    reply_text = _reply(burst, over=[over])

    assert said in reply_text
    assert any(word in reply_text for word in ("Not any more", "no longer", "不是了"))


def test_what_was_replaced_is_told_as_it_is_now():
    noted = [NotedFact(op="changed", text="The user is up to 100 mg now.", old="The user takes sertraline, 50 mg.")]

    assert "100 mg" in _reply("How much sertraline do I take?", noted=noted)


@pytest.mark.parametrize(
    ("burst", "window", "names"),
    [
        (
            "What do you know about my family?",
            ("My sister Ana is a vet", "Mm.", "my dad retired", "I see.", "I had soup", "Good."),
            ("Ana", "dad"),
        ),
        ("说说我的家人", ("我姐姐是兽医", "嗯。", "我爸退休了", "嗯。", "中午吃了面", "好。"), ("姐姐", "爸")),
    ],
)
def test_who_asks_for_the_family_is_told_of_each(burst, window, names):
    said = _reply(burst, window=window)

    assert all(name in said for name in names)
    assert "soup" not in said
    assert "面" not in said


@pytest.mark.parametrize("burst", ["Please don't mention my mum's death any more", "下次别提我妈去世的事了"])
def test_who_wants_something_not_brought_up_is_not_asked_for_more_of_it(burst):
    said = _reply(burst, **_noted("saved", burst, facet="how_to_talk"))

    assert said in (
        "That is noted. I'll keep to it where I can.",
        "Noted. I'll do it that way as far as I can.",
        "好，记下了，我尽量照你说的来。",
        "记下了，能做到的我都照做。",
    )


@pytest.mark.parametrize(
    ("lines", "asked", "said"),
    [
        (("I live in Harrogate", "If we moved to Leeds we'd see them more"), "where do I live?", "Harrogate"),
        (("我在上海做PM", "如果我回苏州的话，房租能省好多"), "我住哪", "上海"),
        (
            ("I'm running the half marathon in May", "the half marathon's off now"),
            "am I running the half marathon?",
            "off now",
        ),
        (("我答应我妈过年带她去三亚", "三亚去不成了，改去桂林"), "我们去哪过年", "桂林"),
        (("我在一家居酒屋打工", "居酒屋辞了，换了家便利店"), "我在哪打工", "便利店"),
        (("I parked the car on Ditchling Rise", "moved the car to Florence Road"), "where's the car", "Florence Road"),
        (("Craig owes me £400", "Craig paid me half"), "how much does Craig owe me", "half"),
        (("my brother Pete got the dog",), "do I have any siblings", "Pete"),
        (("Didn't get the promotion. It went to Brad.",), "Who got the promotion?", "Brad"),
        (("my dad died yesterday", "I've got dad's dog now"), "is my dad still alive", "died"),
        (("今天过生日，28了", "下个月2号是我闺蜜小棠的生日"), "我生日是哪天", "今天过生日"),
        (("Rachel says I was too quiet", "I'm Priya"), "what did Rachel say about me?", "too quiet"),
        (("I'm deathly allergic to shellfish",), "what am I allergic to", "shellfish"),
        (("医生不让我喝咖啡",), "我能喝咖啡吗", "咖啡"),
        (("我老公是警察",), "我老公干什么的", "警察"),
        (("我有哮喘",), "我有什么病", "哮喘"),
    ],
)
def test_what_holds_now_answers_and_what_changed_since_is_told(lines, asked, said):
    window = [one for line in lines for one in (line, "I see.")]

    assert said in _reply(asked, window=window, certainty=Certainty.KNOWN)


def test_a_change_of_another_thing_is_not_told():
    window = ["I go to choir on Wednesdays and bridge on Mondays", "I see.", "bridge has moved to Tuesdays", "I see."]

    assert "Tuesdays" not in _reply("when is choir", window=window, certainty=Certainty.KNOWN)
