import pytest

from memory.knowing import bearing, confidence
from memory.knowing.bearing import AskedQuestion, WeighedQuestion
from memory.knowing.confidence import Bearing


def weigh(said, *told):
    return bearing.weigh_question(said, besides=(), texts=[bearing.extract_bag(one) for one in told])


@pytest.mark.parametrize(
    ("share", "holds"), [(confidence.HELD_SHARE, True), (confidence.HELD_SHARE - 0.001, False), (0.5, False)]
)
def test_more_than_half_of_the_weight_bears(share, holds):
    asked = WeighedQuestion([AskedQuestion({"cat": share, "called": 1 - share})])

    assert asked.is_half_held_by("My cat sleeps.") is holds


@pytest.mark.parametrize(
    ("asked", "told", "holds"),
    [
        ("What is my dog called?", "My dog is called Biscuit.", True),
        ("What is my cat called?", "My dog is called Biscuit.", False),
        ("What is my dog called?", "I moved to Leeds last month with my dog Biscuit, and I can't eat nuts.", True),
        ("What is my cat called?", "I moved to Leeds last month with my dog Biscuit, and I can't eat nuts.", False),
        ("What is my dog called?", "I moved to Leeds with my dog.", False),
        ("What is my ship called?", "The user's ship sank in 1943.", False),
        ("What's my sister's name?", "My sister Anna is getting married in June.", True),
        ("What's my brother's name?", "Anna, my sister, is getting married in June.", False),
        ("What is Gerald's daughter called?", "My neighbour Gerald drove his daughter to the station.", False),
        ("What is Gerald's daughter called?", "Gerald drove his daughter Kim to the station.", True),
        ("What is my landlord's first name?", "My landlord Petrie mended the stairs.", False),
        ("我妹妹叫什么？", "我妹妹小月上个月结婚了。", True),
        ("我妹妹叫什么？", "我妹妹小时候很胖。", False),
        ("我弟弟叫什么？", "我妹妹小月上个月结婚了。", False),
        ("What did my mum cook?", "My mother cooked soup.", True),
        ("我的狗叫什么名字？", "我的狗叫豆豆。", True),
        ("我阿媽叫咩名", "我阿媽叫陳美玲。", True),
        ("我阿媽幾時返嚟", "我阿媽下個月返嚟。", True),
        ("我阿媽幾時返嚟", "我阿媽返嚟喇。", False),
        ("我的猫叫什么名字？", "我的狗叫豆豆。", False),
        # Words that ask for a kind are no half of a question.
        ("我的结节多大了？", "用户养的金毛十一岁了。", False),
    ],
)
def test_a_text_bears_on_what_it_names(asked, told, holds):
    assert weigh(asked, told, "It rained all day.", "天天下雨。").is_half_held_by(told) is holds


def test_questions_tell_nothing():
    asked = "What is my cat called?"

    assert not weigh(asked, asked).is_half_held_by(asked)
    assert weigh(asked, asked).is_half_held_by(f"{asked} My cat is called Inky.")


def test_only_what_a_burst_asks_is_weighed():
    [asked] = weigh("I baked bread. What is my dog called?").questions

    assert asked.weights.keys() == {"dog", "called"}


def test_each_question_of_a_burst_is_weighed_by_itself():
    told = "Yiyang carried the cat home in the violin case."
    asked = weigh("What did Yiyang carry the cat home in?\nAnd what happens on Friday next week?", told)

    assert asked.is_half_held_by(told)
    assert not asked.is_half_held_by("My case is on Monday.")


@pytest.mark.parametrize(
    ("said", "sentences"),
    [
        ("Which hospital does Dr. Lund work at?", ["Which hospital does Dr. Lund work at?"]),
        ("I met Mrs. Okafor. Prof. Hale was away.", ["I met Mrs. Okafor.", "Prof. Hale was away."]),
        ("We live on the first.Mr. Hale below.", ["We live on the first.", "Mr. Hale below."]),
        ("He moved to St. Ives! Why?", ["He moved to St. Ives!", "Why?"]),
        ("我去了。他没去！为什么？", ["我去了。", "他没去！", "为什么？"]),
    ],
)
def test_a_title_ends_no_sentence(said, sentences):
    assert bearing.split_sentences(said) == sentences


def test_what_is_asked_of_somebody_with_a_title_is_one_question():
    told = ("Dr. Lund will remove the user's cataract in October.", 0.5)

    assert measure("Which hospital is Dr. Lund at?", told).is_of_nothing


def test_a_question_without_terms_is_held_by_nothing():
    assert not weigh("Do you remember?").is_half_held_by("Anything at all.")


def test_a_general_word_says_little_of_what_is_asked():
    [asked] = weigh("What sort of boat sank?", "It rained.").questions

    assert asked.weights["sort"] == pytest.approx(bearing.GENERAL_SHARE * asked.weights["boat"])


def measure(asked, *memories, words=(), of_named=()):
    """Measure memories, each with its relevance, and exact words."""
    found = [
        bearing.read_evidence(told, relevance=relevance, is_of_named=told in of_named) for told, relevance in memories
    ]
    found += [bearing.read_evidence(told) for told in words]
    [measured] = weigh(asked, *(one.told for one in found), "It rained all day.").measure(found)
    return measured


def test_the_best_memory_that_could_answer_counts():
    tea, cost = "Dana likes tea.", "Dana paid nine pounds for her tea."
    found = measure("How much did Dana pay for the tea?", (tea, 0.7), (cost, 0.5))

    assert (found.relevance, found.is_of_nothing) == (0.5, False)
    assert measure("How much did Dana pay for the tea?", (tea, 0.7)).relevance is None


def test_what_nothing_speaks_of_comes_near_only():
    dog = ("The user's dog is called Biscuit.", 0.7)

    assert not measure("What is my dog called?", dog).is_of_nothing
    assert measure("What is my boat called?", dog) == Bearing(relevance=0.7, is_of_nothing=True)
    assert measure("我的猫叫什么？", ("用户的狗叫豆豆。", 0.7)).is_chinese


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("What is my cat called?", "The user's dog is called Biscuit."),
        ("我的小提琴老师姓什么？", "用户在学大提琴，老师姓欧阳。"),
        ("我妈在电话里说了什么？", "用户的爸爸打来电话。"),
    ],
)
def test_another_thing_of_the_kind_answers_nothing(asked, told):
    found = measure(asked, (told, 0.7))

    assert (found.relevance, found.is_of_nothing) == (None, True)


def test_what_somebody_is_must_stand_behind_their_name():
    told = "用户的弟弟在公司画画，为妈妈请了假。"
    question = bearing.weigh_question("妈妈是做什么的？", besides=(), texts=[], names=["妈妈"])

    [found] = question.measure([bearing.read_evidence(told, relevance=0.7, is_of_named=True)])

    assert found.relevance is None


def test_exact_words_hold_terms_and_are_no_memory():
    found = measure("What is my dog called?", words=["My dog is called Biscuit."])

    assert found == Bearing(held=1.0)


def test_where_somebody_is_named_only_what_tells_of_them_answers():
    peg, other = "Peg bakes bread at the market.", "The user bought jam at the shop."

    assert measure("Where does Peg sell mugs?", (other, 0.7), (peg, 0.5), of_named=[peg]).relevance == 0.5
    assert measure("Where does Peg sell mugs?", (other, 0.7), (peg, 0.5)).relevance == 0.7


def test_what_answers_is_as_near_as_it_is_itself():
    answer, nearer = "Peg sells mugs at the market.", "The user bought mugs at the shop."

    assert measure("Where does Peg sell mugs?", (nearer, 0.7), (answer, 0.5)).relevance == 0.5


@pytest.mark.parametrize(
    ("asked", "told", "is_of_nothing"),
    [
        ("What did Peg inherit?", "Peg moved to the coast.", True),
        ("Where did Peg move?", "Peg moved to the coast.", False),
        # Nothing is asked for besides her.
        ("What about Peg?", "Peg moved to the coast.", False),
        ("小芸得过什么病？", "小芸搬到海边了。", True),
        ("小芸搬到哪里了？", "小芸搬到海边了。", False),
    ],
)
def test_of_whom_is_named_something_else_must_be_told(asked, told, is_of_nothing):
    texts = [bearing.extract_bag(told), bearing.extract_bag("It rained all day.")]
    question = bearing.weigh_question(asked, besides=(), texts=texts, names=["Peg", "小芸"])

    [found] = question.measure([bearing.read_evidence(told, relevance=0.7)])

    assert found.is_of_nothing is is_of_nothing


@pytest.mark.parametrize(
    ("asked", "told", "answers"),
    [
        ("What did my boss shout about?", "The user's manager shouted about the rota.", True),
        # What was done is told of somebody else, or not at all.
        ("When did my mother retire?", "The user's mother remarried last summer.", False),
        ("Which newspaper do I read?", "Dana works for a newspaper.", False),
        # One of a kind of things is told by its own word; other kinds by none.
        ("Which instrument do I play?", "The user plays darts.", False),
        ("Which instrument do I play?", "The user plays the banjo.", True),
        ("What did I get for Christmas?", "The user got a bicycle for a birthday.", False),
        ("我不能碰哪种水果？", "用户不能碰香菜。", False),
        ("我不能碰哪种水果？", "用户不能碰芒果。", True),
        ("主管过年送了我什么？", "主管生日送了用户一本书。", False),
        ("主管过年送了我什么？", "主管春节送了用户一本书。", True),
        ("我的乌龟怕什么？", "用户的乌龟叫将军。", False),
        ("我的乌龟怕什么？", "用户的乌龟一听打雷就不敢动。", True),
        # The forms of a verb tell the same; a Chinese verb may be parted from its noun.
        ("What did I drink at the wedding?", "The user drank elderflower wine at the wedding.", True),
        ("我是哪年结的婚？", "用户二〇一〇年结婚。", True),
        ("我妈是哪天开的刀？", "用户妈妈周五做手术。", True),
        # Another thing of the kind stands in the place of what is asked about.
        ("我是什么时候摔断腿的？", "用户上个月滑雪摔断了手腕。", False),
        ("我是什么时候摔断腿的？", "用户上个月滑雪摔断了腿，手腕没事。", True),
        ("What did I paint on the ceiling?", "The user painted the kitchen.", False),
    ],
)
def test_what_was_done_is_told_by_what_answers(asked, told, answers):
    assert measure(asked, (told, 0.7)).is_of_nothing is not answers


@pytest.mark.parametrize(
    ("told", "of_named", "holds"),
    [
        ("丹丹住在里斯本。", False, False),
        ("小芸住在海边。", False, True),
        # A memory is known to tell of somebody by more than the name.
        ("她住在海边。", True, True),
    ],
)
def test_only_what_names_somebody_answers_for_them(told, of_named, holds):
    asked = "小芸住在哪里？"
    question = bearing.weigh_question(asked, besides=(), texts=[bearing.extract_bag("天天下雨。")], names=["小芸"])
    found = [bearing.read_evidence(told, relevance=0.7, is_of_named=of_named)]

    assert [one.is_of_nothing for one in question.measure(found)] == [not holds]


@pytest.mark.parametrize(
    ("asked", "told", "share"),
    [
        # Whom it asks about says nothing of what.
        ("小芸送了礼物吗？", "小芸住在海边。", 0.0),
        ("小芸住在海边吗？", "小芸住在海边。", 1.0),
        ("小芸？", "小芸住在海边。", 1.0),
    ],
)
def test_the_terms_of_whom_is_named_do_not_count(asked, told, share):
    question = bearing.weigh_question(asked, besides=(), texts=[bearing.extract_bag("天天下雨。")], names=["小芸"])

    [measured] = question.measure([bearing.read_evidence(told, relevance=0.7, is_of_named=True)])

    assert measured.held == pytest.approx(share)


def test_a_name_tells_no_colour():
    question = bearing.weigh_question("小黑是什么颜色？", besides=(), texts=[], names=["小黑"])

    [by_name, by_colour] = [
        question.measure([bearing.read_evidence(told, relevance=0.7, is_of_named=True)])[0].is_of_nothing
        for told in ("小黑谁都咬。", "小黑是白的。")
    ]

    assert (by_name, by_colour) == (True, False)


@pytest.mark.parametrize("length", [bearing.SHORT, bearing.SHORT + 1])
def test_what_is_kept_as_it_was_read_is_what_is_read(length):
    said = ("My dentist is called Petrie. Who is yours? " * 20)[:length]

    assert bearing.read_said(said) == bearing.read_said(said) == bearing.read_evidence(said)
    assert bearing.extract_bag(said) >= {"dentist", "petri"}


def test_a_name_is_known_in_lower_case():
    told = "yusuf beat a grandmaster online"
    question = bearing.weigh_question("Who did Yusuf beat at chess?", besides=(), texts=[], names=["Yusuf"])
    other = bearing.weigh_question("Who did Ana beat at chess?", besides=(), texts=[], names=["Ana"])

    assert bearing.names_any(told, ["Yusuf"])
    assert not bearing.names_any("banana bread", ["Ana"])
    assert question.is_half_held_by("my coach says yusuf beat Piet at chess")
    assert not other.is_half_held_by("my coach says yusuf beat Piet at chess")


@pytest.mark.parametrize(
    ("asked", "told", "besides_own_words", "names"),
    [
        ("Who's buying mum's land?", "mum is selling the land by the lake", "Winnie is buying mum's land", []),
        ("Who had the croft before Callum?", "The user's nephew Callum has the croft.", "Old Petrie had the croft.", ["Callum"]),
        ("Where was my wedding?", "The user was late at the user's own wedding.", "The user's wedding was at the mill.", []),
        ("What's Theo's bird called?", "The user lives with a roommate called Theo.", "Theo's bird is called Pip.", ["Theo"]),
        ("我结婚纪念日是几号？", "用户忘了结婚纪念日。", "用户的结婚纪念日是五月三号。", []),
        ("我的婚礼是在哪里办的？", "用户去自己婚礼的路上超速。", "用户的婚礼在大连办的。", []),
    ],
)  # fmt: skip
def test_what_the_question_says_itself_answers_nothing(asked, told, besides_own_words, names):
    [question] = bearing.weigh_question(asked, besides=(), texts=[], names=names).questions

    assert [question.is_kind_told_by(one) for one in (told, besides_own_words)] == [False, True]


def test_yes_or_no_is_answered_by_what_tells_most_of_the_question():
    jigsaw = ("Dot gave the user a jigsaw.", 0.7)

    assert measure("Did I finish the jigsaw?", jigsaw).is_of_nothing
    assert not measure("Did I finish the jigsaw?", ("The user finished the jigsaw.", 0.7)).is_of_nothing
    assert not measure("Who gave me the jigsaw?", jigsaw).is_of_nothing
    assert measure("我把拼图卖给邻居老姚了吗？", ("阿点送了用户一幅拼图。", 0.7)).is_of_nothing


def test_what_is_one_s_own_ends_with_its_word():
    [question] = weigh("What's our bowling team's name?").questions

    assert [thing.head for thing in question.things] == []
