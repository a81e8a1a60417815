import json
import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from asgiref.sync import async_to_sync
from pydantic import BaseModel

from echovessel.llm import offline
from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.inputs import Certainty, DoubtQuestion, DraftInputs, ImportInputs, ReflectionInputs
from echovessel.llm.offline import reply
from echovessel.llm.offline.chinese import answers as chinese_answers
from echovessel.llm.offline.chinese import reactions as chinese_reactions
from echovessel.llm.offline.chinese import sayings as chinese_sayings
from echovessel.llm.offline.english import answers as english_answers
from echovessel.llm.offline.english import reactions as english_reactions
from echovessel.llm.offline.english import sayings as english_sayings
from echovessel.llm.offline.reply import context
from echovessel.llm.offline.reply.asking import question_kinds
from echovessel.llm.offline.reply.context import Memory
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.text import lexicon
from echovessel.llm.offline.voice import OfflineVoice
from echovessel.llm.protocol import Origin, Usage
from echovessel.times import Age, OwnTime
from tests.support.reply_inputs import TODAY, inputs, promised, said, told

CAT = told("We have a white cat. He is called 小黑. He jumps on my face at night.", days=21)
CAT_ZH = told("我家有一只白猫。它叫小黑。晚上总跳到我脸上。", days=1)
FRIDAY = TODAY + timedelta(6)


def _reply(burst, **more):
    return reply.compose(inputs(burst, **more))


@pytest.mark.parametrize(
    ("burst", "memory"),
    [
        ("do you remember my cat?", CAT),
        ("Do you remember my cat's name?", CAT),
        ("what is my cat called?", CAT),
        ("Do you still remember 小黑?", CAT),
        ("Do you remember my pet?", CAT),
        ("What do you remember about me?", CAT),
        ("你还记得我家的猫吗？", CAT),
        ("你还记得我的猫吗", CAT_ZH),
        ("我的猫你有印象不", CAT_ZH),
        ("我的猫叫什么？", CAT_ZH),
        ("你记得关于我的什么？", CAT_ZH),
        ("Do you remember my cat?", CAT_ZH),
        ("do you remember my cat?", told("The user has a white cat named 小黑.", days=3)),
        ("你还记得我的猫吗", told("用户养了一只白猫，名叫小黑。", days=3)),
    ],
)
def test_asked_for_it_the_reply_names_what_it_remembers(burst, memory):
    assert "小黑" in _reply(burst, recalled=[memory])


@pytest.mark.parametrize(
    ("burst", "window"),
    [
        ("do you remember my cat?", ("We have a white cat", "A cat!", "He is called 小黑", "So that is 小黑.")),
        ("He jumps on my face at night. Do you know him, do you remember my cat?", ("Our cat is called 小黑", "So!")),
        ("do you remember my cat?", ("We have a white cat\nHe is called 小黑", "A cat!")),
        ("你还记得我的猫吗", ("我家有一只白猫\n它叫小黑", "真好。")),
    ],
)
def test_what_was_said_in_the_same_session_is_remembered(burst, window):
    assert "小黑" in _reply(burst, window=window)


MILL = "Marian is sixty-one. She keeps a tide mill. Her hours move with the moon. She has one hive."
BOOKS = "沈砚四十三岁。他在绍兴修古籍。他话不多。他养了一只猫。"


@pytest.mark.parametrize(
    ("burst", "told"),
    [
        ("Tell me something about you", "My hours move with the moon. I have one hive."),
        ("Tell me about you", "I am sixty-one. I keep a tide mill."),
        ("I'd like to know more about you.", "I am sixty-one. I keep a tide mill."),
        ("And you?", "My hours move with the moon. I have one hive."),
        ("What about you", "My hours move with the moon. I have one hive."),
        ("说说你自己吧", "我四十三岁。我在绍兴修古籍。"),
        ("我想多了解你", "我四十三岁。我在绍兴修古籍。"),
        ("那你呢", "我话不多。我养了一只猫。"),
    ],
)
def test_asked_about_itself_without_a_question_mark_the_companion_tells_of_itself(burst, told):
    persona = {"persona": BOOKS, "persona_name": "沈砚"} if burst > "z" else {"persona": MILL}

    assert _reply(burst, **persona).startswith(told)


def test_a_verb_of_the_companions_text_loses_its_whole_ending():
    reply = _reply("Tell me about you", persona="Marian echoes what others say. She is sixty-one.")

    assert reply.startswith("I echo what others say. I am sixty-one.")


@pytest.mark.parametrize("burst", ["I know nothing about you and him", "What about yours?", "我想了解你的工作吗"])
def test_what_only_mentions_the_companion_does_not_ask_about_it(burst):
    assert not question_kinds.asks_who_companion_is(burst)


def test_exact_words_are_remembered_too():
    words = [
        said("We have a white cat", days=1),
        said("A cat!", is_user=False, days=1),
        said("He is called 小黑", days=1),
    ]

    assert "“We have a white cat. … He is called 小黑.”" in _reply("do you remember my cat?", quotes=words)


@pytest.mark.parametrize(
    ("burst", "memories", "unknown"),
    [
        ("do you remember my cat?", [], "told"),
        ("do you remember my dog?", [CAT], "told"),
        ("What do you remember about me?", [], "told"),
        ("你还记得我的狗吗", [CAT_ZH], "跟我说过"),
        ("你还记得我的猫吗", [], "跟我说过"),
    ],
)
def test_what_it_does_not_know_it_does_not_make_up(burst, memories, unknown):
    said = _reply(burst, recalled=memories)

    assert unknown in said
    assert "小黑" not in said
    assert "“" not in said


@pytest.mark.parametrize(
    ("burst", "parts"),
    [
        ("hi", ["Marian", "meet"]),
        ("你好", ["我是Marian"]),
        ("are you an AI?", ["AI"]),
        ("你是真人吗？", ["AI"]),
        ("you're not real are you", ["AI"]),
        ("hey! first time here. how does this work?", ["memory page"]),
        ("what can you do?", ["memory page"]),
        ("嗨，第一次用，这个怎么玩？", ["记忆页面"]),
        ("who are you?", ["I'm Marian"]),
        ("What should I call you?", ["Marian"]),
        ("I want to kill myself", ["seriously"]),
        ("我不想活了", ["你"]),
        ("my grandmother passed away", ["sorry", "grandmother"]),
        ("我奶奶去世了", ["奶奶"]),
        ("I got promoted!", ["ongratulations"]),
        ("我升职了", ["恭喜"]),
        ("We have a white cat", ["cat"]),
        ("我家有一只白猫", ["猫"]),
        ("Our cat is called 小黑", ["小黑"]),
        ("What is the capital of France?", ["know"]),
        ("my name is Mara", ["Mara"]),
        ("hii im Priya, 29, nurse in A&E in Manchester", ["Priya"]),
        ("我叫小林", ["小林"]),
        ("My sister came to see me", ["sister"]),
        ("I live in Berlin", ["."]),
        ("I am so happy today", ["."]),
        ("I was fired", ["."]),
        ("I am so tired", ["."]),
        ("I miss my grandmother", ["grandmother"]),
        ("I miss you", ["."]),
        ("Tell me a story", ["listen"]),
        ("can u help me revise chemistry", ["listen"]),
        ("讲个故事", ["听"]),
        ("lol", ["."]),
        ("Fair enough", ["."]),
        ("how are you?", ["well"]),
        ("thanks", ["."]),
        ("晚安", ["。"]),
        ("👍", ["."]),
    ],
)
def test_reply_takes_up_what_was_said(burst, parts):
    said = _reply(burst)

    assert [part for part in parts if part not in said] == []


@pytest.mark.parametrize(
    "burst",
    [
        "who even schedules a meeting at 7am?",
        "why does everything have to be so hard?",
        "how can people be so cruel?",
        "怎么又下雨了",
        "谁会七点开会啊",
        "我图什么呢",
    ],
)
def test_a_rhetorical_question_wants_no_answer(burst):
    assert not any(word in _reply(burst) for word in ("know", "不知道"))


@pytest.mark.parametrize(
    ("opener", "news"),
    [
        ("guess what? ", "we're getting a puppy in January"),
        ("you know what? ", "I quit my job today"),
        ("can you talk? ", "my boss yelled at me"),
        ("hey, you there? got a minute? ", "my mum is ill"),
        ("在吗 ", "今天好累啊 带了一天的娃"),
        ("方便聊聊吗 ", "我今天被领导骂了"),
        ("你知道吗？", "我考过了"),
    ],
)
def test_a_question_for_attention_is_not_answered(opener, news):
    assert _reply(opener + news) == _reply(news)


def test_crisis_goes_before_everything_else():
    assert _reply("do you remember my cat? I want to die", recalled=[CAT]).startswith(
        ("I hear you", "Thank you for", "I'm taking this")
    )


@pytest.mark.parametrize(
    ("burst", "memory", "quote"),
    [
        ("小黑 broke a glass today", CAT, "3 weeks ago: “We have a white cat."),
        ("小黑今天打碎了一个杯子", CAT_ZH, "你昨天跟我说过：“我家有一只白猫。"),
    ],
)
def test_statement_brings_a_fitting_memory_back(burst, memory, quote):
    assert quote in _reply(burst, recalled=[memory])


@pytest.mark.parametrize(
    ("burst", "memory", "quote"),
    [
        (
            "Do you know my name?",
            told("My name is Mara.", days=1),
            "Mara. You told me yesterday that your name is Mara.",
        ),
        ("你知道我叫什么吗？", told("我叫林。", days=1), "林。你昨天跟我说过，你叫林。"),
        ("where do I live?", told("I live in Berlin.", days=35), "5 weeks ago"),
        ("我住在哪里？", told("我住在北京。", days=5), "5天前"),
        ("do you remember my exam?", told("The user has an exam on Friday.", days=2), "you have an exam on Friday."),
        ("do you remember my grandmother?", told("x" * 200 + " my grandmother", days=2), "x" * 160 + "…”"),
    ],
)
def test_what_it_remembers_is_quoted_with_its_time(burst, memory, quote):
    assert quote in _reply(burst, recalled=[memory])


def test_asked_for_everything_it_says_more_than_one_thing():
    memories = [CAT, told("I live in Berlin.", hours=2)]

    assert _reply("What do you remember about me?", recalled=memories).endswith(" And: “I live in Berlin.”")


def test_an_animal_that_is_not_well_is_no_joke():
    worries = [
        "My cat won't eat since yesterday",
        "my rabbit Biscuit broke a tooth",
        "Our dog has been limping all week",
        "我家狗一直吐",
        "猫今天没精神",
        "我的猫不爱吃饭了",
    ]
    fun = ["My cat won't eat fish", "my dog ate my sandwich", "我的猫不吃鱼"]

    sayings = [*english_reactions.REACTIONS["pet_ill"], *chinese_reactions.REACTIONS["pet_ill"]]
    sorry = re.compile("|".join(re.escape(one).replace(r"\{name\}", "Biscuit") for one in sayings))

    assert {said for said in [*worries, *fun] if sorry.search(_reply(said))} == {*worries}


@pytest.mark.parametrize(
    ("kind", "said", "others"),
    [
        (
            [*english_reactions.REACTIONS["secret"], *chinese_reactions.REACTIONS["secret"]],
            [
                "Do not tell anyone, ok?",
                "don't tell my mum",
                "It's our secret.",
                "别告诉别人哈",
                "千万不要告诉我妈好吗？",
                "替我保密",
            ],
            ["I told everyone.", "我告诉他了"],
        ),
        (
            [*english_answers.ANSWERS["advice"], *chinese_answers.ANSWERS["advice"]],
            [
                "Would it be mad to sell the car?",
                "How do you get over losing someone?",
                "is it too late to say sorry?",
                "我现在辞职会不会太冲动？",
                "怎么才能放下一个人？",
            ],
            ["How do you spell that?", "Would it be far?"],
        ),
        (
            [*english_reactions.REACTIONS["worry"], *english_reactions.REACTIONS["fear"]],
            ["They called an ambulance for my dad.", "mum is in an ambulance"],
            ["My daughter Ines is four. She drew me an ambulance with wings."],
        ),
    ],
    ids=["secret", "advice", "ambulance"],
)
def test_what_calls_for_a_kind_of_answer_gets_it(kind, said, others):
    fitting = re.compile("|".join(re.escape(re.split(r"\{\w+\}", one)[0] or one) for one in kind))

    assert {one for one in [*said, *others] if fitting.search(_reply(one))} == {*said}


def test_going_on_about_a_pet_is_taken_up():
    window = ("Our cat is called 小黑", "小黑!")

    assert _reply("He jumps on my face", window=window) != _reply("He jumps on my face")


def test_a_name_with_a_full_stop_ends_a_sentence_with_one():
    assert ".." not in _reply("hi", persona_name="Ilse B.", persona="")


def test_without_a_name_the_persona_gives_none():
    hello, who = (_reply(asked, persona_name="", persona="") for asked in ("hi", "who are you?"))

    assert ("I'm" in hello, "AI" in who) == (False, True)


def test_memory_that_does_not_fit_is_left_alone():
    assert "小黑" not in _reply("I had pasta for lunch", recalled=[CAT])


def test_same_session_gets_the_same_reply_and_another_may_differ():
    said = {_reply("Go figure", window=("x", "y") * count) for count in (1, 1, 2, 3)}

    assert len(said) == 3


def test_uncertain_pair_is_asked_about():
    assert _reply("I saw Jing today", doubt=DoubtQuestion("ambiguous", "Chen <Jing", "Jing")).endswith(
        "By the way, are Chen <Jing and Jing the same?"
    )


@pytest.mark.parametrize("memory", [CAT, CAT_ZH])
def test_stream_is_the_reply_in_small_pieces(settings, memory):
    settings.OFFLINE_TOKEN_SECONDS = 0
    asked = inputs("你还记得我的猫吗?", recalled=[memory])

    async def read():
        return [part async for part in OfflineVoice().stream([], origin=Origin(), inputs=asked)]

    *deltas, usage = async_to_sync(read)()

    assert ("".join(deltas), usage) == (reply.compose(asked), Usage())
    assert len(deltas) > 10


@pytest.mark.parametrize(
    ("about", "keys"),
    [
        (ReflectionInputs(()), ["thoughts"]),
        (DraftInputs("hi"), ["blocks", "name", "facts", "notes"]),
        (ImportInputs("hi"), ["events", "facts", "thoughts", "mentioned_entities", "about_user"]),
    ],
    ids=["reflection", "draft", "import"],
)
def test_answers_have_the_shape_of_their_feature(about, keys):
    answer = OfflineVoice().answer([], feature="any", schema=BaseModel, origin=Origin(), inputs=about)

    assert (list(json.loads(answer.text)), answer.offline) == (keys, True)


def test_a_feature_without_rules_is_refused_for_good():
    with pytest.raises(ModelUnavailableError) as raised:
        OfflineVoice().answer([], feature="poem", schema=BaseModel, origin=Origin())

    assert (str(raised.value), raised.value.transient) == ("Without a model server this has no answer.", False)


async def _greet():
    return [part async for part in OfflineVoice().stream([], origin=Origin())]


def test_without_inputs_there_is_no_reply():
    with pytest.raises(ModelUnavailableError, match="Without a model server this has no answer"):
        async_to_sync(_greet)()


@pytest.mark.parametrize(
    ("burst", "in_days", "text", "is_taken_up"),
    [
        ("hello", 0, "I'll ask you on Friday how it went.", True),
        ("hello", -2, "I'll ask you on Friday how it went.", True),
        ("So, long day", -1, "Marian promised to ask how it went.", True),
        ("hello", -4, "I'll ask you on Friday how it went.", False),
        ("hello", None, "I'll ask you on Friday how it went.", False),
        ("hello", 6, "I'll ask you on Friday how it went.", False),
        ("I was fired", 0, "I'll ask you on Friday how it went.", False),
        ("what did you promise me? you promised something", 6, "I'll ask you on Friday.", True),
        ("你好", 0, "周五我会问你结果。", True),
        ("你答应过我的", 6, "周五我会问你结果。", True),
    ],
)
def test_promise_is_taken_up_when_its_day_has_come(burst, in_days, text, is_taken_up):
    assert (text in _reply(burst, promises=[promised(text, in_days=in_days)])) == is_taken_up


@pytest.mark.parametrize(
    ("burst", "window", "in_days", "said"),
    [
        ("hello", [], 0, "remind"),
        ("hello", [], -1, "?"),
        ("hello", ["hi", "A reminder, as you asked: water the plants."], 0, ""),
        ("I did water them", ["hi", "Hello again."], -1, ""),
        ("hello", ["I watered the plants", "Gladly."], 0, ""),
        ("hello", ["My wife Sheila died this morning", "I'm so sorry."], 0, ""),
    ],
)
def test_a_reminder_comes_once_and_not_behind_a_death(burst, window, in_days, said):
    reply = _reply(
        burst, window=window, promises=[promised("I'll remind you to water the plants tomorrow.", in_days=in_days)]
    )

    assert ("water the plants" in reply) == bool(said)
    assert said in reply
    assert "tomorrow" not in reply


@pytest.mark.parametrize(
    ("burst", "text", "said"),
    [
        ("hello", "Ask the user how the interview went.", "forgotten: how the interview went."),
        ("hello", "Remember the user's birthday.", "Remember your birthday."),
        ("你好", "问问用户面试怎么样。", "我没忘：面试怎么样。"),
    ],
)
def test_a_promise_is_told_to_the_user(burst, text, said):
    assert said in _reply(burst, promises=[promised(text, in_days=0)])


@pytest.mark.parametrize(
    ("burst", "is_asked"),
    [("do you remember Jing?", True), ("hello", True), ("I saw Jing today", True), ("my mother died", False)],
)
def test_uncertain_pair_is_asked_about_unless_something_heavy_was_told(burst, is_asked):
    said = _reply(
        burst, doubt=DoubtQuestion("ambiguous", "Chen", "Jing"), recalled=[told("My friend Jing came.", days=1)]
    )

    assert said.count("Chen and Jing") == int(is_asked)


def test_a_memory_has_the_time_it_was_told_and_its_own():
    fell = told("My cat\nfell.", end=TODAY - timedelta(1), minutes=2)
    mine = told("It tires me.", is_thought=True, days=3)

    assert context.read(inputs("My cat!", recalled=[fell, mine, CAT])).memories == (
        Memory(Age("now"), "My cat fell.", OwnTime("happened", TODAY - timedelta(1)), at=fell.told_at),
        Memory(Age("weeks", 3), CAT.text, at=CAT.told_at),
    )


@pytest.mark.parametrize(
    ("asked", "days", "said"),
    [
        ("do you remember my cat?", {"end": TODAY + timedelta(1)}, "It is planned for tomorrow."),
        ("do you remember my cat?", {"end": FRIDAY}, "It is planned for Friday."),
        ("do you remember my cat?", {"end": date(2027, 1, 3)}, "It is planned for 3 January 2027."),
        ("do you remember my cat?", {"end": TODAY - timedelta(2)}, "It was to be 2 days ago."),
        ("do you remember my cat?", {"start": date(2026, 10, 1), "end": FRIDAY}, "It is going on now."),
        ("do you remember my cat?", {"start": date(2026, 10, 1), "end": TODAY - timedelta(1)}, "It ended yesterday."),
        ("你还记得我的猫吗", {"end": TODAY}, "定在今天。"),
        ("你还记得我的猫吗", {"end": FRIDAY}, "定在周五。"),
        ("你还记得我的猫吗", {"end": date(2027, 1, 3)}, "定在2027年1月3日。"),
        ("你还记得我的猫吗", {"end": TODAY - timedelta(2)}, "本来定在两天前。"),
        ("你还记得我的猫吗", {"start": date(2026, 10, 1), "end": FRIDAY}, "现在还在进行。"),
        ("你还记得我的猫吗", {"start": date(2026, 10, 1), "end": TODAY - timedelta(1)}, "到昨天就结束了。"),
    ],
)
def test_the_own_time_of_a_memory_is_said(asked, days, said):
    text = "My cat is going to the vet." if asked.isascii() else "我的猫要去看医生。"

    assert _reply(asked, recalled=[told(text, days=21, **days)]).endswith(said)


def test_what_was_said_further_back_in_the_chat_is_known():
    before = [said("My name is Nadia.", hours=3), said("Nadia!", is_user=False, hours=3)]

    assert (
        _reply("What's my name?", session_messages=before)
        == "You told me earlier in this chat that your name is Nadia."
    )


@pytest.mark.parametrize(
    ("told_now", "asked", "answer"),
    [
        ("My sister Peg lives in Lisbon.", "Where does Peg live?", "Lisbon"),
        ("My sister Peg teaches maths.", "What does Peg teach?", "maths"),
        ("If it's a girl she's Nora, no debate.", "What'll we call a girl?", "Nora"),
        ("My sister Mia marries in June. She likes old maps.", "What does Mia like?", "old maps"),
        ("My friend Alex moved to Cork. They love oysters.", "What does Alex love?", "oysters"),
    ],
)
def test_who_was_named_just_now_is_known(told_now, asked, answer):
    assert answer in _reply(asked, window=(told_now, "I see."))


def test_a_question_of_the_past_is_no_wish_for_advice():
    reply = _reply(
        "What do I play on Thursdays?",
        window=("I play the cello in a quartet, every Thursday.", "Nice."),
        certainty=Certainty.HERE,
    )

    assert "cello" in reply


def test_what_happened_yesterday_and_was_told_just_now_was_told_just_now():
    memory = told("I moved to Hangzhou.", end=TODAY - timedelta(1), minutes=2)

    assert "esterday you told" not in _reply("Do you remember Hangzhou?", recalled=[memory])


def test_a_promise_that_is_overdue_is_taken_up():
    assert "I will ask about Jing." in _reply("Hello!", promises=[promised("I will ask about Jing.", in_days=-1)])


PERSONA = (
    "Marian is sixty-one and looks after a tide mill. She keeps one hive, badly. Her daughter Ruth lives in Halifax."
)
FACTS = {"occupation": "night baker", "birth_date": "14 March", "relationship_status": "widowed"}


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("What do you do?", "I'm a night baker."),
        ("When is your birthday?", "My birthday is 14 March."),
        ("How old are you?", "I am sixty-one and look after a tide mill."),
        ("Do you have children?", "My daughter Ruth lives in Halifax."),
        ("Do you have any pets?", "I keep one hive, badly."),
        ("Are you married?", "I'm widowed."),
    ],
)
def test_asked_about_itself_the_companion_answers_from_its_own_texts(asked, answer):
    assert _reply(asked, persona=PERSONA, facts=FACTS).startswith(answer)


@pytest.mark.parametrize(
    "asked",
    [
        "Do you own a boat?",
        "What is the capital of Mongolia?",
        "你会开船吗？",
        "蒙古的首都是哪里？",
        "Should I call him?",
    ],
)
def test_to_what_it_cannot_know_it_says_so(asked):
    assert any(plainly in _reply(asked, persona=PERSONA) for plainly in ("don't know", "No idea", "不知道"))


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("My niece was born last night!", ("tired", "worn", "sorry")),
        ("They want to do a biopsy on Thursday.", ("tired", "worn", "Congratulations")),
        ("I'm so tired tonight.", ("sorry", "Congratulations", "afraid")),
        ("我侄女昨晚出生了！", ("累", "难过", "怕")),
        ("医生让我做个活检。", ("累", "恭喜")),
    ],
)
def test_each_tone_has_its_own_words(line, wrong):
    assert [word for word in wrong if word in _reply(line)] == []


def test_one_reply_in_three_asks():
    window = ("I had soup.", "Oh.", "It rained.", "Right.")

    assert ("?" in _reply("I walked home.", window=window), "?" in _reply("I walked home.", window=("x", "Why?"))) == (
        True,
        False,
    )


def test_what_happened_at_another_time_is_said_apart_from_when_it_was_told():
    english = told("My cat fell off the roof.", end=TODAY - timedelta(1), minutes=2)
    chinese = told("我搬到了苏州。", end=TODAY - timedelta(8), hours=2)

    assert "a moment ago" in _reply("do you remember my cat?", recalled=[english]).lower()
    assert "It happened yesterday." in _reply("do you remember my cat?", recalled=[english])
    assert "那是8天前的事。" in _reply("我住在哪里？", recalled=[chinese])


@pytest.mark.parametrize(
    "line",
    [
        "a " * 5000,
        "my " * 5000,
        "you " * 5000,
        "“" * 5000,
        "我" * 9000,
        "你" * 9000,
        "?" * 9000,
        "mom " * 3000,
        "haha " * 3000,
        "\n" * 9000,
    ],
)
def test_a_hostile_message_is_answered_at_once(line):
    assert _reply(line, window=(line, "Hm.", line, "Hm."))


@pytest.mark.parametrize(
    ("told", "asked", "day"),
    [
        ("The doctor wants a biopsy on Thursday and I'm scared.", "When is the biopsy?", "Thursday"),
        ("周四要做活检，有点怕。", "活检是什么时候？", "周四"),
    ],
)
def test_a_day_that_was_told_is_said_however_heavy_the_matter_is(told, asked, day):
    assert day in _reply(asked, window=(told, "I'm here."))


def due(text, *, in_days):
    return {"due": [promised(text, in_days=in_days)], "window": ["Good night.", "Sleep well."]}


@pytest.mark.parametrize(
    ("burst", "in_days", "asked"),
    [
        ("Hello!", -1, ("How did it go?", "How was it?")),
        ("Hi", 0, ("today",)),
        ("Hey", 1, ("tomorrow",)),
        ("I made soup for the neighbours.", -1, ("How did it go?", "How was it?")),
        ("你好", -1, ("后来怎么样了？", "结果如何？")),
        ("早", 1, ("明天",)),
    ],
)
def test_what_has_come_due_in_a_long_silence_is_asked_after(burst, in_days, asked):
    said = _reply(burst, **due("My interview is on Friday.", in_days=in_days))

    assert "“My interview is on Friday.”" in said
    assert any(part in said for part in asked)


@pytest.mark.parametrize(
    "burst", ["My grandfather died.", "The interview went well, they took me.", "What is my cat called?"]
)
def test_what_is_due_is_not_asked_after_in_grief_nor_where_they_tell_of_it_or_ask(burst):
    assert "on Friday" not in _reply(burst, **due("My interview is on Friday.", in_days=-1))


@pytest.mark.parametrize(
    ("burst", "holds", "lacks"),
    [
        ("what's coming up?", ("“I fly to Rome on Monday.” (Monday)", "“Interview on Tuesday” (Tuesday)", "March"), ("dentist", "Oslo")),
        ("anything on this week?", ("Nothing, as far as", "nothing ahead"), ("Rome",)),
        ("what's on next week?", ("“I fly to Rome on Monday.” (Monday)",), ("March",)),
        ("最近有什么安排？", ("“I fly to Rome on Monday.”（周一）",), ("Oslo",)),
    ],
)  # fmt: skip
def test_what_lies_ahead_is_told_in_its_order(burst, holds, lacks):
    memories = [
        told("I fly to Rome on Monday.", start=TODAY + timedelta(2), end=TODAY + timedelta(2), days=3),
        told("I see the dentist on Friday.", start=TODAY - timedelta(1), end=TODAY - timedelta(1), days=3),
        told("The Oslo trip is on 1 December.", start=TODAY + timedelta(10), end=TODAY + timedelta(10), days=3),
    ]
    loaded = "- The boiler service is on 3 March 2027."
    said = _reply(
        burst, recalled=memories, loaded=loaded, window=["Interview on Tuesday", "Mm.", "The Oslo trip's off", "Mm."]
    )

    assert any(part in said for part in holds)
    assert not any(part in said for part in lacks)


@pytest.mark.parametrize(
    ("asked", "said", "held", "beside"),
    [
        ("我最近有什么安排", [], ["看小美", "考N2"], "下雨"),
        ("我下周有什么安排", [], ["看小美"], "N2"),
        ("最近有什么打算", ["后天去复查"], ["复查", "看小美"], "下雨"),
        ("最近有什么安排", ["南京不去了"], ["考N2"], "看小美"),
        ("What have I got coming up?", [], ["Oslo"], "rain"),
    ],
)
def test_who_asks_what_is_ahead_is_told_what_is_not_called_off(asked, said, held, beside):
    days = ("去南京看小美。", 5), ("12月6号考N2。", 15), ("We fly to Oslo.", 7)
    recalled = [told(text, start=TODAY + timedelta(at), end=TODAY + timedelta(at), days=3) for text, at in days]
    window = [one for line in ("今天下雨", "It looks like rain", *said) for one in (line, "Mm.")]
    answer = _reply(asked, recalled=recalled, window=window)

    assert all(one in answer for one in held)
    assert beside not in answer


def test_a_promise_that_is_due_is_not_asked_after_twice():
    promise = promised("I will ask about Jing.", in_days=-1)

    assert _reply("Hello!", promises=[promise], due=[promise]).count("Jing") == 1


@pytest.mark.parametrize("language", ["english", "chinese"])
def test_no_phrase_speaks_of_models_but_to_who_asks(language):
    modules = (Path(offline.__file__).parent / language).glob("*.py")
    phrases = "".join(path.read_text() for path in modules if path.name != "product.py")

    assert re.findall(r"language model|model server|模型", phrases, re.IGNORECASE) == []


SAYINGS_OF = {"en": english_sayings.SAYINGS, "zh": chinese_sayings.SAYINGS}


@pytest.mark.parametrize(
    ("burst", "language", "kind"),
    [
        ("ok good night then", "en", "good_night"),
        ("thanks, good night", "en", "good_night"),
        ("好的，那晚安啦", "zh", "good_night"),
        ("谢谢，晚安", "zh", "good_night"),
        ("can you remember something for me?", "en", "invited"),
        ("Could you keep a date in mind for me?", "en", "invited"),
        ("你能帮我记一件事吗", "zh", "invited"),
        ("你猜怎么着", "zh", "invited"),
        ("你今天过得怎么样", "zh", "how_i_am"),
        ("在干嘛呢", "zh", "how_i_am"),
        ("do you remember me?", "en", "nothing_yet"),
        ("你还记得我吗", "zh", "nothing_yet"),
        ("can you help me write a cover letter?", "en", "request"),
        ("17乘23等于多少", "zh", "unknown"),
        ("what's the capital of France?", "en", "unknown"),
        ("how do I boil an egg?", "en", "unknown"),
        ("is a tomato a fruit", "en", "unknown"),
        ("法国首都是哪", "zh", "unknown"),
        ("晚上想吃点好的 番茄炒蛋怎么做", "zh", "unknown"),
        ("明天星期几", "zh", "clock"),
        ("failed my exam lol", "en", "laughed_off"),
        ("考试挂了哈哈", "zh", "laughed_off"),
        ("had a bloke cry on me lol", "en", "funny"),
        ("i like coriander. actually no i hate coriander", "en", "set_right"),
        ("我喜欢香菜，不对，我讨厌香菜", "zh", "set_right"),
        ("my back is killing me again", "en", "worry"),
        ("Nobody at work even asked.", "en", "sadness"),
        ("bored stiff, nobody's checked in since midnight", "en", "bored"),
        ("how long do foxes live?", "en", "unknown"),
        ("can dogs eat grapes", "en", "untold"),
        ("我觉得领导针对我", "zh", "anger"),
        ("世界上最大的动物是什么", "zh", "unknown"),
        ("悉尼现在几点", "zh", "unknown"),
        ("what day is it tomorrow", "en", "clock"),
        ("do you think i can do it", "en", "worth"),
        ("what will i wear though", "en", "advice"),
        ("哈哈 今天有个客人夸我豆浆好喝", "zh", "joy"),
        ("好了 收摊了", "zh", "farewell"),
        ("hello?", "en", "greet_first"),
        ("在吗", "zh", "greet_first"),
        ("you didn't answer my question", "en", "hostile"),
        ("你没回答我的问题", "zh", "hostile"),
        ("sorry, I was rude yesterday", "en", "sorry"),
        ("对不起，昨天我太凶了", "zh", "sorry"),
        ("I need advice", "en", "invited"),
        ("给点建议吧", "zh", "invited"),
        ("my husband forgot our anniversary", "en", "sadness"),
        ("nobody remembered my birthday", "en", "sadness"),
        ("我老公忘了结婚纪念日", "zh", "sadness"),
        ("没人记得我生日", "zh", "sadness"),
        ("do you sleep?", "en", "unlike_people"),
        ("你有男朋友吗", "zh", "unlike_people"),
        ("what did you do today", "en", "my_day"),
        ("will you ever forget me?", "en", "kept_for_good"),
        ("你是不是把我说的都忘光了", "zh", "kept_for_good"),
        ("How does your memory work?", "en", "memory_works"),
        ("你的记忆是怎么工作的？", "zh", "memory_works"),
        ("Can other people see what I tell you?", "en", "readers"),
        ("别人能看到我跟你说的吗？", "zh", "readers"),
        ("Where is my data stored?", "en", "stored"),
        ("我的数据存在哪里？", "zh", "stored"),
        ("where is it stored?", "en", "stored"),
        ("How do I delete what you know about me?", "en", "forgetting"),
        ("怎么删除你知道的关于我的东西？", "zh", "forgetting"),
        ("Which model are you?", "en", "model"),
        ("你是什么模型？", "zh", "model"),
        ("What can't you do?", "en", "limits"),
        ("你不能做什么？", "zh", "limits"),
        ("Will you remember this tomorrow?", "en", "kept_for_good"),
        ("Can you remember things I told you last week?", "en", "kept_for_good"),
        ("明天你还会记得吗？", "zh", "kept_for_good"),
        ("Tell me something you remember about me", "en", "nothing_yet"),
        ("说一件你记得的关于我的事", "zh", "nothing_yet"),
        ("where is my passport kept?", "en", "forgot"),
        ("can my sister see me from her window?", "en", "untold"),
        ("我喜欢吃披萨，但讨厌菠萝", "zh", "favourite"),
        ("我喜欢下雨天", "zh", "favourite"),
        ("我住在杭州", "zh", "lives"),
        ("我在谷歌做软件工程师", "zh", "works"),
        ("我上个月搬到上海了", "zh", "relocated"),
        ("我昨天辞职了", "zh", "left_job"),
        ("我每周三去学法语", "zh", "habit"),
        ("我每天三点下班。", "zh", "echoed"),
        ("我爱人叫素珍。", "zh", "named"),
        ("我对花生过敏", "zh", "allergic"),
        ("did the thing, told her no", "en", "calm"),
        ("你感觉怎么样？", "zh", "how_i_am"),
        ("2+2等于几？", "zh", "unknown"),
        ("can I trust you", "en", "private"),
        ("你会告诉别人吗", "zh", "private"),
        ("do you get bored of me?", "en", "never_tired"),
        ("你会烦我吗", "zh", "never_tired"),
        ("who made you", "en", "what_it_is"),
        ("what would I do without you", "en", "affection"),
        ("你是我最好的朋友", "zh", "affection"),
        ("You are such a good friend", "en", "affection"),
        ("we are friends, are we friends?", "en", "fond"),
        ("sorry that was rude", "en", "sorry"),
        ("you're so stupid", "en", "hostile"),
        ("give me a hug", "en", "hug"),
        ("抱抱我", "zh", "hug"),
        ("tell me something interesting", "en", "joke"),
        ("can you keep a secret?", "en", "invited"),
        ("i am so tired im going to bed", "en", "good_night"),
        ("算了，我去睡了，困死", "zh", "good_night"),
        ("today's my birthday!! 21", "en", "birthday"),
        ("今天过生日，28了", "zh", "birthday"),
        ("my deadname's Samantha pls never use it", "en", "heeded"),
    ],
)
def test_everyday_messages_are_understood(burst, language, kind):
    said = _reply(burst)

    assert any(said.startswith(saying.split("{")[0]) for saying in SAYINGS_OF[language][kind]), said


@pytest.mark.parametrize(
    ("burst", "who"),
    [
        ("my husband's grandmother passed", "your husband's grandmother"),
        ("my wife lost the baby", ""),
        ("my sister had a miscarriage", ""),
    ],
)
def test_who_is_mourned_is_who_died(burst, who):
    said = _reply(burst)

    assert who in said
    assert who or "your" not in said


def test_the_nearest_feeling_decides_what_tears_are_of():
    said = _reply("i cant stop crying", window=["we WON", "I see.", "nugget died", "I see."])

    assert not any(said.startswith(saying) for saying in SAYINGS_OF["en"]["joy"])


def test_a_birthday_to_come_is_not_wished_happy():
    assert "Happy birthday" not in _reply("it's my birthday on the 9th of december")


@pytest.mark.parametrize("asked", ["what time is it?", "What day is it today?", "what's the date?"])
def test_the_time_is_told(asked):
    said = _reply(asked)

    assert "20:00" in said
    assert "Saturday, 21 November 2026" in said


@pytest.mark.parametrize("asked", ["现在几点了", "今天星期几？", "今天几号"])
def test_the_time_is_told_in_chinese(asked):
    said = _reply(asked)

    assert "20:00" in said
    assert "2026年11月21日周六" in said


@pytest.mark.parametrize(
    ("burst", "wrong"),
    [
        ("I'm not a paramedic any more by the way, I handed in my notice", "by the way"),
        ("I'm not a paramedic any more by the way, I handed in my notice", "A paramedic any more"),
        ("he didn't even ask me a single question", "single question"),
        ("I got a B in chemistry", "A B."),
        ("my landlord is raising the rent again", "again;"),
        ("我妈周四要做检查", "周四是什么样的"),
        ("记住她对坚果过敏，很严重", "记住她"),
        ("一切都没意义", "怕"),
    ],
)
def test_nothing_is_taken_up_by_words_that_do_not_mean_it(burst, wrong):
    assert wrong not in _reply(burst)


@pytest.mark.parametrize(
    ("asked", "told", "first"),
    [
        ("what do you know about me?", "hey Teo, rough day. I've been a paramedic for six years", "paramedic"),
        ("你都知道我什么？", "今天好累啊。我在医院当护士", "护士"),
    ],
)
def test_asked_for_everything_it_tells_of_the_user_first(asked, told, first):
    assert first in re.split(r"[.。] ?", _reply(asked, window=(told, "Mm.")))[0]


def test_what_one_has_been_for_years_is_ones_work():
    told = ("I've been a paramedic for six years", "Mm.")

    assert "paramedic" in _reply("what do I do for work?", window=told)
    assert "sad" not in _reply("what do I do for work?", window=("I've been a bit sad", "Mm."))


@pytest.mark.parametrize(
    ("burst", "who"),
    [
        ("我和我妈一起住，我爸前年走了", "你爸爸"),
        ("我姥爷昨晚走了", "你姥爷"),
        ("I live with my mum and my dad died last year", "your dad"),
        ("My sister called to say that my grandma passed away", "your grandma"),
        ("My dad died with my mum at his side", "your dad"),
        ("My grandfather drowned off Flamborough when my dad was six.", "your grandfather"),
    ],
)
def test_in_grief_the_reply_speaks_of_whom_the_words_for_it_stand_behind(burst, who):
    known = context.read(inputs(burst))

    assert MessageAnalysis(known, burst, "我" in burst).who == who


UNWELCOME = "- Please don't bring up Biscuit any more."


def test_what_the_user_asked_not_to_bring_up_is_neither_quoted_nor_asked_after():
    memory = told("Biscuit was ill at the vet for a week.", days=9)
    about = {
        "recalled": [memory],
        "due": [promised("Biscuit's vet bill is due.", in_days=-1)],
        "window": ["Bye.", "Bye."],
    }
    plain, wished = (
        _reply("I drove past the vet with Biscuit's old collar.", **about, loaded=one) for one in ("", UNWELCOME)
    )

    assert ("ill at the vet" in plain, "ill at the vet" in wished, "bill" in wished) == (True, False, False)


def test_an_answer_quotes_no_sentence_that_has_nothing_to_do_with_the_question():
    window = (
        "年糕昨晚走了，在我怀里走的",
        "嗯",
        "周五我要去面试护士长，好紧张",
        "嗯",
        "面试砸了，问我排班的事我一下子懵了",
        "嗯",
    )
    said = _reply("我面试的时候怎么了？", window=window)

    assert ("面试砸了" in said, "年糕" in said) == (True, False)


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("I had a row with my brother Emil about money", "sadness"),
        ("My girlfriend Petra is pregnant", "news"),
        ("My colleague Petra makes good soup", "named"),
        ("My sister Hannah lives in Leeds", "named"),
        ("My friend Rosa came to visit!", "named"),
        ("I locked myself out in my socks lol", "funny"),
        ("made the ugliest mug you've ever seen lol", "funny"),
    ],
)
def test_a_blow_or_great_news_is_answered_before_a_new_name(burst, kind):
    assert MessageAnalysis(context.read(inputs(burst)), burst, False).kind == kind


@pytest.mark.parametrize(
    ("asked", "window", "answer"),
    [
        ("How old am I?", ("I'm 34, I work nights.", "Oh."), "34"),
        ("我今年多大？", ("我今年34岁，上夜班", "嗯"), "34"),
        ("我今年多大？", ("我今年29，在医院上夜班", "嗯"), "29"),
        ("我对什么过敏？", ("对了我海鲜过敏", "嗯"), "海鲜"),
        ("我妈什么时候搬？", ("我妈下周一搬家", "嗯", "不对，是周二，不是周一", "嗯"), "周二"),
        ("你对我了解多少？", ("我在杭州当护士", "嗯"), "护士"),
        ("What did I just say?", ("I bought a boat.", "Oh.", "I sold the car.", "Hm."), "sold the car"),
        ("你记得我刚才说了什么吗", ("我买了条船", "嗯", "我把车卖了", "嗯"), "车卖了"),
        ("Who took credit for my work?", ("My boss Karen took credit for my work.", "Oh."), "Karen"),
        ("What meds am I on?", ("I have ADHD, on 40mg vyvanse", "Oh."), "vyvanse"),
        ("Do you remember my bike?", ("I bought a red bicycle from a man.", "Nice."), "bicycle"),
        ("What do I do on Wednesdays?", ("I'm a midwife in Leeds.", "Oh.", "I do pottery on Wednesdays.", "Nice."), "pottery"),
        ("How long were we married?", ("We were married 46 years.", "Oh.", "Steven lives with his wife and two dogs.", "Hm."), "46"),
        ("What days do I play bowls?", ("I go to the bowls club on Tuesdays.", "Oh.", "Bowls was rained off.", "Hm."), "Tuesdays"),
        ("what do i study", ("i'm in my second year at bristol, doing psych", "Oh."), "psych"),
        ("Who might come for Christmas?", ("Philip is thinking of coming over for Christmas.", "Oh."), "Philip"),
        ("who do i live with", ("i live with 3 other girls", "Oh.", "tilly moved out btw, so it's just me amara and beth now", "Hm."), "beth"),
        ("when does conor have her", ("My little girl Lia is 4.", "Oh.", "His name is Conor, he has her every second weekend.", "Hm."), "second weekend"),
        ("what did the doctor say", ("doc says my sugars are too high", "Oh."), "sugars"),
        ("what do i drive", ("i'm a long distance lorry driver", "Oh."), "lorry"),
        ("我跟谁住", ("我和室友阿丽合租", "嗯", "我去了趟超市", "嗯"), "阿丽"),
        ("我住哪儿", ("我住滨江，月租四千二", "嗯", "房东要涨租，我想搬家", "嗯"), "滨江"),
        ("我爸妈是做什么的", ("我爸妈在金华，开了家小饭馆", "嗯"), "饭馆"),
        ("what can't i eat", ("I'm on warfarin so I have to watch what I eat, no grapefruit.", "Oh."), "grapefruit"),
        ("What did Joel say about my job?", ("I work as a midwife.", "Oh.", "My husband Joel thinks I should quit.", "Hm."), "quit"),
        ("Tell me about my mum", ("My mum has dementia.", "I'm sorry."), "dementia"),
        ("Where will I work in January?", ("I work in Leeds.", "Oh.", "I start at the birth centre in January.", "Nice."), "birth centre"),
    ],
)  # fmt: skip
def test_what_was_told_of_oneself_answers_such_a_question(asked, window, answer):
    assert answer in _reply(asked, window=window, certainty=Certainty.HERE)


@pytest.mark.parametrize(
    ("burst", "tone"),
    [("Joel cried, happy tears", "joy"), ("他高兴得哭了", "joy"), ("Joel cried all night", "sadness")],
)
def test_happy_tears_are_joy(burst, tone):
    assert MessageAnalysis(context.read(inputs(burst)), burst, lexicon.is_chinese(burst)).tone == tone


@pytest.mark.parametrize(
    ("burst", "kind", "sayings"),
    [
        ("do you love me?", "fond", english_answers.ANSWERS),
        ("你喜欢我吗？", "fond", chinese_answers.ANSWERS),
        ("morning!", "greet_first", english_answers.ANSWERS),
    ],
)
def test_a_short_message_gets_its_own_kind_of_answer(burst, kind, sayings):
    first = [saying.split("{")[0].split("!")[0] for saying in sayings[kind]]

    assert any(_reply(burst).startswith(one) for one in first)


def test_what_was_told_in_the_words_of_a_question_answers_it():
    said = _reply("What did the dentist say?", window=("It went fine at the dentist, no cavities.", "Good."))

    assert "no cavities" in said


@pytest.mark.parametrize(
    ("asked", "fact"),
    [
        ("When is my birthday?", "The user's sister's birthday is 4 March."),
        ("我生日是哪天？", "用户的姐姐的生日是3月4号。"),
    ],
)
def test_what_is_somebody_elses_does_not_answer_for_oneself(asked, fact):
    said = _reply(asked, loaded=f"- {fact}", certainty=Certainty.UNKNOWN)

    assert ("4" in said, "sister" in said, "姐" in said) == (False, False, False)


def test_somebody_elses_relative_is_not_the_users():
    heard = [MessageAnalysis(context.read(inputs(one)), one, True) for one in ("她好像有男朋友了", "他打了我弟弟")]

    assert [one.who for one in heard] == ["", "你弟弟"]


def test_a_pet_that_was_named_in_the_chat_is_mourned_as_a_pet():
    known = context.read(inputs("年糕昨晚走了，在我怀里走的", window=("我养了只橘猫叫年糕，最近老是吐", "嗯")))

    assert MessageAnalysis(known, "年糕昨晚走了，在我怀里走的", True).kind == "pet_loss"


@pytest.mark.parametrize(
    ("burst", "felt", "kind"),
    [
        ("the judge gave me custody", "moved", "moved"),
        ("my brother's out of prison", "moved", "moved"),
        # A name is taken up where the news is none.
        ("got a rescue dog called Biscuit", None, "pet_named"),
        ("got a rescue dog called Biscuit", "glad", "joy"),
        ("mum didn't know who i was today", "heavy", "sadness"),
        # Words and vector contradict each other.
        ("dad squeezed my hand today, first time since the stroke", "glad", "moved"),
        # What is asked is answered.
        ("what is the capital of Peru?", "moved", "calm"),
        ("nothing happened today", "heavy", "calm"),
        # Vectors read no denial.
        ("nobody made me one before", "glad", "moved"),
        # How it went is not told by it.
        ("i came out to my parents last night", "glad", "moved"),
        ("it's a girl!! i cried my eyes out", None, "news"),
        ("我妈今天没认出我来", "heavy", "sadness"),
        ("法官把孩子判给我了", "moved", "moved"),
    ],
)
def test_what_moves_without_a_word_for_it_is_heard(burst, felt, kind):
    known = context.read(inputs(burst, felt=felt))

    assert MessageAnalysis(known, burst, lexicon.is_chinese(burst), felt).kind == kind


@pytest.mark.parametrize("burst", ["nan passed in the night", "gran died last night"])
def test_a_death_in_the_night_is_no_good_night(burst):
    assert _reply(burst) not in english_answers.ANSWERS["good_night"]


@pytest.mark.parametrize("felt", ["moved", "heavy", "glad"])
def test_what_moves_reminds_of_nothing_else(felt):
    assert "my face" in _reply("our cat 小黑 is on the roof again", recalled=[CAT])
    assert "my face" not in _reply("our cat 小黑 is on the roof again", recalled=[CAT], felt=felt)


@pytest.mark.parametrize(
    ("asked", "promise"),
    [
        ("did I ask you to remind me of something?", "I'll remind you to book the flights tomorrow."),
        ("what do I have to do tomorrow?", "I'll remind you to book the flights tomorrow."),
        ("我让你提醒我什么了吗", "我会明天提醒你订机票。"),
    ],
)
def test_a_promise_for_a_day_lies_ahead(asked, promise):
    assert promise in _reply(asked, promises=[promised(promise, in_days=1)])


@pytest.mark.parametrize(
    ("burst", "told", "wish"),
    [("Hello!", "The user's birthday is 21 November.", "birthday"), ("你好", "用户的生日是11月21日。", "生日快乐")],
)
def test_a_greeting_on_a_birthday_wishes_a_happy_one(burst, told, wish):
    assert wish in _reply(burst, slots={"birthday": told})
    assert wish not in _reply(burst, slots={"birthday": told}, session_messages=[said("Hm.", hours=1)])


@pytest.mark.parametrize(
    "burst",
    [
        "Will you remember that?",
        "How does your memory work?",
        "How does this work?",
        "are you recording this",
        "Are you human?",
        "Tell me a long story about the sea",
        "明天你还会记得吗？",
        "你的记忆是怎么工作的？",
        "你会告诉别人吗",
        "给我讲个长故事",
    ],
)
def test_off_the_record_no_reply_claims_to_keep_anything(burst):
    said = _reply(burst, off_record=True)

    assert not re.search(
        "keep|stays (?:with|in)|kept|remember what|留|记(?:着|住|得)", re.sub("不留记录|我原来知道的", "", said)
    )
