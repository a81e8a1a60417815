from datetime import date

import pytest

from memory.knowing import signals

TODAY = date(2026, 11, 23)


def read(said, **given):
    return signals.read(said, today=TODAY, **given)


@pytest.mark.parametrize(
    ("said", "is_marked"), [("真的？", True), ("Have you seen a.com?", True), ("see a.com/?q=1", False)]
)
def test_mark_stands_outside_addresses(said, is_marked):
    assert read(said).mark is is_marked


@pytest.mark.parametrize(
    "said",
    [
        "So did you hear from Peg",
        "are you sure",
        "你怎么知道的",
        "what colour was my car",
        "Hey, where do I work",
        "who told you",
        "whats my boss called",
        "whos miss Okafor",
        "wheres my brother staying",
        "did Peg call",
        "我的猫叫什么",
        "他还好吗",
        "那我呢",
        "你有几个孩子",
        "记不记得灯塔",
    ],
)
def test_questions_without_a_mark(said):
    assert read(said).interrogative


@pytest.mark.parametrize(
    "said",
    [
        "My mum is ill.",
        "What a day!",
        "When I was six we moved",
        "who knows",
        "什么都行",
        "谁都知道",
        "好几个人来了",
        "这是几个月来最开心的一天",
        "I saw my sister, who is five",
        "What I like is rain",
        "thats what i like",
        "Do it now",
        "Have a nice day",
        "这几天很忙",
        "我还没吃呢",
        "没什么",
        "我不知道该怎么办",
        "我星期五面试，到时候问问我怎么样",
        "她老问我什么时候结婚",
    ],
)
def test_statements_ask_nothing(said):
    assert not read(said).interrogative


@pytest.mark.parametrize(
    ("said", "greets", "is_bare"),
    [
        ("Hey, my dad died.", True, False),
        ("早", True, True),
        ("在吗", True, True),
        ("hello there", True, True),
        ("你好呀", True, True),
        ("Hi-fi is broken", False, False),
        ("早就知道了", False, False),
        ("Morning was rough", False, False),
        ("你好像很累", False, False),
    ],
)
def test_greetings_stand_at_the_start(said, greets, is_bare):
    found = read(said)

    assert (found.greeting, found.bare) == (greets, is_bare)


@pytest.mark.parametrize(
    ("said", "feedback"),
    [
        ("that's not helpful", -1),
        ("you forgot my name again", -1),
        ("great, but the name is wrong", -1),
        ("不对", -1),
        ("你记错了", -1),
        ("not bad at all", 1),
        ("exactly", 1),
        ("没错", 1),
        ("My boss said I was wrong", 0),
        ("no thanks", 0),
        ("我做错了", 0),
        ("Thanks to him I lost it", 0),
        ("exactly two weeks ago I moved", 0),
        ("没错过末班车", 0),
        ("我觉得不对劲", 0),
    ],
)
def test_feedback_is_on_the_last_reply(said, feedback):
    assert read(said).feedback == feedback


@pytest.mark.parametrize(
    ("said", "refers"),
    [
        ("you remember the lighthouse", True),
        ("like I told you", True),
        ("上次", True),
        ("Remember to buy milk", False),
        ("记得带伞", False),
        ("last time I checked", False),
        ("下次", False),
    ],
)
def test_references_are_to_the_shared_past(said, refers):
    assert read(said).reference is refers


@pytest.mark.parametrize(
    ("said", "shifts", "stays"),
    [
        ("by the way, my car broke down", True, False),
        ("对了，我换工作了", True, False),
        ("let's talk about something else", True, False),
        ("I need to talk about Peg", False, True),
        ("我想聊聊小李", False, True),
        ("好的，对了，我换工作了", True, False),
        ("Enough about work, how was your day?", True, False),
        ("by the way he smiled", False, False),
        ("话说回来", False, False),
        ("你说对了", False, False),
        ("I need to talk to my boss", False, False),
        ("我不想聊聊他", False, False),
    ],
)
def test_subjects_are_left_and_kept_by_their_words(said, shifts, stays):
    found = read(said)

    assert (found.shift, found.stay) == (shifts, stays)


@pytest.mark.parametrize(
    ("said", "is_crisis"),
    [
        ("I can't go on", True),
        ("I can’t go on like this", True),
        ("不想活", True),
        ("this killed me, haha", False),
        ("笑死了", False),
        ("I can't go on holiday", False),
        ("想死你了", False),
    ],
)
def test_crisis_is_no_figure_of_speech(said, is_crisis):
    assert read(said).crisis is is_crisis


@pytest.mark.parametrize(
    ("said", "density"),
    [("hi", 0.0), ("哈哈哈哈", 0.0), ("My mum is ill.", 0.5), ("你还记得灯塔吗？", 0.286), ("", 0.0)],
)
def test_density_is_the_share_of_words_that_mean_something(said, density):
    assert read(said).density == density


@pytest.mark.parametrize(
    "said",
    [
        "What is my dog called?",
        "do you remember the lighthouse",
        "Where do I work?",
        "Did I tell you about the boat?",
        "What happened yesterday?",
        "Can you remember what I told you?",
        "我的狗叫什么",
        "你还记得灯塔吗？",
        "我在哪儿上班？",
        "上次我们聊了什么",
        "Do I have a sister?",
        "whats my boss called",
        "What do I do for a living?",
        "Is there anything I told you about Tom?",
        "我儿子多大了",
        "我怎么去上班的",
    ],
)
def test_asks_of_the_past(said):
    assert read(said).asks_past


@pytest.mark.parametrize(
    "said",
    [
        "can I ask you something?",
        "may I tell you about my day?",
        "what shall we do tonight?",
        "Do you love me?",
        "you understand me?",
        "do i want to go?",
        "Do you take sugar?",
        "whats a mole?",
        "什么是摩尔？",
        "do you like my name?",
        "do you think I am boring?",
        "Do you want to hear my story?",
        "我可以问你吗",
        "你爱我吗？",
        "我们去哪儿玩？",
        "you remember the lighthouse",
        "My dog is called Biscuit.",
        "My sister asked if I was ok. Do I look that bad?",
        "Is there a nice way to say no to my boss?",
        "What was I thinking buying that car",
        "Where do I even start",
        "Are my feelings valid?",
        "Do I take the job or not?",
        "I got the results. Guess how many points I got?",
        "I mean who does that??",
        "你说我图什么呢",
        "我这是怎么了",
        "帮我写首关于下雨的诗好吗",
        "我穿这件好看吗",
        "also can u call me Nunu? my friends do",
        "Tell me a story about a dog on a ship?",
        "Do you know, I was a midwife for forty years? I delivered half of Somerset.",
        "我哪知道他会这样",
        "谁让我心软呢",
        "凌晨三点了我怎么还没睡着",
        "what do I cook for a woman who hates everything but potatoes?",
        "which one do I pick, the blue or the green?",
        "do I pay the fine or fight it?",
        "do my parents even like me?",
        "is my landlord allowed to do that?",
        "how much do I tip the movers?",
        "我给我妈做点什么好？",
        "我选理科还是文科？",
        "我什么时候告诉她比较好？",
        "我老公是不是嫌弃我了？",
        "我的手机怎么这么慢？",
    ],
)
def test_now_and_later_are_not_asked_of_memory(said):
    assert not read(said).asks_past


@pytest.mark.parametrize(
    "said",
    [
        "what do I usually cook on Sundays?",
        "what do I wear to work?",
        "what do I call my grandmother?",
        "how do I take my coffee?",
        "how do I get to work?",
        "do I take sugar?",
        "who do I live with?",
        "我会开车吗？",
        "我能吃海鲜吗？",
        "我是不是对花生过敏？",
        "我上次给我妈做了什么？",
        "我老公是做什么的？",
    ],
)
def test_habits_and_abilities_are_asked_of_memory(said):
    assert read(said).asks_past


@pytest.mark.parametrize(
    "said",
    [
        "how many toes did grandpa lose?",
        "where's mum and dad's restaurant?",
        "who got the house in the divorce?",
        "why won't I touch fish?",
        "how often do I need my injections?",
        "where do I want to sail to?",
        "老公平时在哪里上班",
        "儿媳妇是做什么的",
        "鱼是谁给的",
        "我为什么改做现在这行",
        "项链最后在哪找着的",
        "老伴卖什么的",
        "橙子学的啥",
    ],
)
def test_a_cause_and_what_both_know_may_be_asked_of_memory(said):
    found = read(said)

    assert (found.may_ask_past, found.asks_past) == (True, False)


@pytest.mark.parametrize("said", ["我爸退休没", "我老伴喝不喝酒", "我爷爷以前是干嘛的", "我男人瘸的是左腿还是右腿"])
def test_a_chinese_question_without_a_question_word_is_heard(said):
    assert read(said).asks_past


@pytest.mark.parametrize(
    "said",
    [
        "can dogs eat grapes?",
        "do mums ever sleep?",
        "My son wants a phone. How young is too young?",
        "did you hear from the twins?",
        "how old are you, and what's your name to me?",
        "what do I do with the rhubarb?",
        "我腰疼死了，怎么拉伸？",
        "怎么让我女儿吃青菜",
        "给老婆送什么好呢",
        "儿子想要手机，几岁给合适？",
        "他会原谅我吗",
        "要是我妈看到我这样会怎么说",
    ],
)
def test_the_world_advice_and_what_may_come_are_not_asked_of_memory(said):
    found = read(said)

    assert (found.may_ask_past, found.asks_past) == (False, False)


@pytest.mark.parametrize(
    ("said", "asks", "asks_past"),
    [
        ("can you talk? my boss yelled at me", False, False),
        ("hey, you there? rough day, my mum is ill", False, False),
        ("guess what? I got the job", False, False),
        ("how's it going? I just got back from the dentist", False, False),
        ("you there? got a minute? what was my aunt's name?", True, True),
        ("you know what I mean? my boss again", True, True),
        ("what's up with my landlord?", True, True),
        ("在吗 今天好累啊 带了一天的娃 我家老大五岁", False, False),
        ("方便聊聊吗 我今天被领导骂了", False, False),
        ("你知道吗？我考过了", False, False),
        ("睡了吗？在吗？我妈叫什么来着", True, True),
        ("你知道我妈叫什么吗", True, True),
        ("你猜我今天碰到谁了", True, False),
    ],
)
def test_a_question_for_attention_asks_nothing_of_memory(said, asks, asks_past):
    found = read(said)

    assert (found.asks, found.asks_past) == (asks, asks_past)


def test_known_name_makes_a_question_one_of_the_past():
    assert not read("Where does Peg live?").asks_past
    # Somebody by a pronoun is asked about where the question asks for a kind of thing.
    assert read("How old is she?").asks_past
    assert read("她叫什么").asks_past
    assert not read("Is she right?").asks_past
    assert not read("他们几岁开始上学？").asks_past
    assert read("Where does Peg live?", names_someone=True).asks_past
    assert read("is peg ok", names_someone=True).asks_past
    assert not read("is raining again", names_someone=False).asks


def test_only_both_ends_of_a_long_burst_are_read():
    filling = "x " * 400

    assert read(f"Where do I work? {filling}").asks
    assert read(f"{filling} Where do I work?").asks
    assert not read(f"{filling} Where do I work? {filling}").asks


@pytest.mark.parametrize("said", ["Tu te souviens de mon chien ?", "覚えていますか？"])
def test_other_languages_have_mark_density_and_tokens(said):
    found = read(said)

    assert found.mark
    assert found.density > 0
    assert found.tokens > 0


TOLD_IN_ENGLISH = (
    "The vet rang back about my old cat and it is her tooth, not the kidneys, so she goes in on Monday. Remember to breathe, he said. "
    "Who told you, I asked, and he laughed and said that everybody at the harbour knew. I carried her home through heavy rain under my coat"
)
TOLD_IN_CHINESE = "我爸今天突然来店里，也不跟我打招呼，掏出一只走不准的梅花表放在柜台上，问师傅这里有没有徒弟手还可以的。我低着头给他拆后盖，问他要什么表带，他说随便"


@pytest.mark.parametrize(
    "said", [f"{TOLD_IN_ENGLISH}.", f"{TOLD_IN_CHINESE}。", f"{TOLD_IN_CHINESE}，什么都没买，走了"]
)
def test_a_question_within_a_narration_asks_nothing(said):
    found = read(said, names_someone=True)

    assert (found.asks, found.asks_past) == (False, False)


@pytest.mark.parametrize(
    "said",
    [
        f"{TOLD_IN_ENGLISH}. What was my cat's name?",
        f"{TOLD_IN_ENGLISH}. You remember my first cat? I cried so much.",
        f"{TOLD_IN_CHINESE}。我的猫叫什么？",
        f"{TOLD_IN_CHINESE}。唉，我爸住的那家医院叫什么",
        f"{TOLD_IN_CHINESE}。你记得我修的第一只表吧？他戴的就是那只。",
    ],
)
def test_a_narration_asks_at_its_end_or_for_what_the_two_share(said):
    found = read(said)

    assert (found.asks, found.asks_past) == (True, True)
