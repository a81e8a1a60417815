"""Replies to how people write to a friend: in lower case, with mixed feelings, in other words than before."""

import pytest

from echovessel.llm.inputs import Certainty, DoubtQuestion, NotedFact
from echovessel.llm.offline import reply, rules
from echovessel.llm.offline.chinese.sayings import SAYINGS as CHINESE_SAYINGS
from echovessel.llm.offline.english.sayings import SAYINGS
from echovessel.llm.offline.reply import context
from echovessel.llm.offline.reply.context import Memory
from echovessel.llm.offline.reply.hearing import tones
from echovessel.llm.offline.reply.hearing.message_analysis import MessageAnalysis
from echovessel.llm.offline.reply.hearing.tones import Tone
from echovessel.llm.offline.reply.recall import memory_sentences
from echovessel.llm.offline.text import feelings, sentences
from tests.support.reply_inputs import inputs, said


def answer(burst, *earlier, certainty=None, **more):
    window = [line for said in earlier for line in (said, "嗯。" if "啊" in said else "I see.")]
    return reply.compose(inputs(burst, window=window, certainty=certainty, **more))


def is_of(said, sayings, kind):
    return any(said.startswith(saying.split("{")[0]) for saying in sayings[kind] if saying[0] != "{")


@pytest.mark.parametrize(
    ("line", "tone"),
    [
        ("i'm excited but i feel guilty being excited", Tone.SADNESS),
        ("i feel like a burden", Tone.SADNESS),
        ("the mortgage is a burden", Tone.CALM),
        ("the interview went badly but i got the job!!", Tone.JOY),
        ("it was sick tho", Tone.CALM),
        ("my friend Tesfay he die in the sea", Tone.GRIEF),
        ("she was dead nice, the police lady", Tone.CALM),
        ("he was dead when we got there", Tone.GRIEF),
        ("I made an omelette by sound alone.", Tone.CALM),
        ("i feel like a cow only. a bad cow", Tone.SADNESS),
        ("i feel like a curry", Tone.CALM),
        ("i feel like i am not father", Tone.SADNESS),
        ("he says naebody else would have me", Tone.SADNESS),
        ("he pushed me the night. ma wrist is swollen", Tone.FEAR),
        ("he pushed me to apply", Tone.CALM),
        ("they might split us up", Tone.FEAR),
        ("she couldnt feel her legs", Tone.FEAR),
        ("no money for medicine", Tone.SADNESS),
        ("Mam would've been 80 today", Tone.GRIEF),
        ("positive! five year! i can stay!", Tone.JOY),
        ("I feel a bit guilty being happy", Tone.SADNESS),
        ("rough shift. lost a kid today, 7 years old. drowned", Tone.GRIEF),
        ("i lost a kid's shoe", Tone.CALM),
        ("Wale drowned when I was eleven. I've never really talked about it.", Tone.GRIEF),
        ("Wale took his own life in 2009", Tone.GRIEF),
        ("Wale was murdered", Tone.GRIEF),
        ("I drowned my sorrows in a pub", Tone.CALM),
        ("we dont talk much, me and Graham. not since the funeral", Tone.CALM),
        ("she is dead to me", Tone.ANGER),
        ("I went to the bowls. I was dreadful at it.", Tone.CALM),
        ("I had a fall last week. Nothing broken but it shook me.", Tone.SADNESS),
        ("the cat is sick", Tone.SADNESS),
        ("we have a cat called Gravy who is FURIOUS", Tone.CALM),
        ("It's our anniversary tomorrow. Would have been 48 years", Tone.GRIEF),
        ("the tickets would have been 48 pounds", Tone.CALM),
        ("i dont know what to do with myself", Tone.SADNESS),
        ("Won my first game, would you believe", Tone.JOY),
        ("考研出分了！！！412！！", Tone.CALM),
        ("我们分了", Tone.SADNESS),
        ("室友说我再吃就把我赶出去", Tone.CALM),
        ("我爸把我赶出来了", Tone.SADNESS),
        ("我都不敢在他面前高兴", Tone.CALM),
        ("我爷爷去年冬天走的，我结婚那天他还给每桌下面", Tone.GRIEF),
        ("kay is pregnant!! i'm happy for her but it stings a bit", Tone.SADNESS),
        ("我妈没让我回去，怕耽误我工作", Tone.CALM),
        ("果果今天翻身了！", Tone.JOY),
        ("想她了", Tone.SADNESS),
        ("猫又把毛巾叼走了", Tone.CALM),
        ("got dumped by my bestie", Tone.SADNESS),
        ("校长夸我了！", Tone.JOY),
        ("儿子来电话，说单位不放假，回不来了", Tone.SADNESS),
        ("we adopted a greyhound, she's scared of the stairs", Tone.CALM),
        ("my daughter is scared of the dark", Tone.FEAR),
        ("my youngest is 5 and afraid of nothing", Tone.CALM),
        ("养了一只边牧，怕打雷怕得要命", Tone.CALM),
        ("我怕狗", Tone.FEAR),
        ("my phone died", Tone.CALM),
        ("老公走了，出差一周", Tone.CALM),
        ("男主最后死了", Tone.CALM),
        ("my ex got engaged", Tone.CALM),
        ("everyone around me is pregnant but me", Tone.SADNESS),
        ("同事升职了，我没有", Tone.SADNESS),
        ("if I won the lottery I'd quit", Tone.CALM),
        ("要是我考上了就好了", Tone.CALM),
        ("I passed out at work today", Tone.CALM),
        ("团子昨天去看医生了，说是毛球症", Tone.CALM),
        ("my awful boss got fired haha", Tone.CALM),
        ("Kevin居然被开了，哈哈哈哈", Tone.CALM),
        ("she cried but in a good way", Tone.JOY),
        ("感动哭了", Tone.JOY),
        ("my teacher is off sick so its thursday", Tone.CALM),
        ("i have no friends", Tone.SADNESS),
        ("我没有朋友", Tone.SADNESS),
        ("小雅拒绝了", Tone.SADNESS),
        ("戒咖啡第三天", Tone.JOY),
    ],
)
def test_a_line_is_heard_in_its_tone(line, tone):
    assert tones.find_tone(line) == tone


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("you just repeat what i say", "hostile"),
        ("you're not very helpful", "hostile"),
        ("you have a good memory!", "affection"),
        ("ask me something", "asks_to_be_asked"),
        ("do you get lonely when I'm gone?", "unlike_people"),
        ("I need to go now", "farewell"),
        ("this is pointless", "hostile"),
        ("you understand me?", "invited"),
        ("can you talk about something else for a bit", "hush"),
        ("i dont want to talk about ollie any more tonight ok", "hush"),
        ("u up?", "invited"),
        ("what do you reckon", "opinion"),
        ("can you not tell me to quit", "heeded"),
        ("and remind me to call the registrar on monday", "reminder"),
        ("ok im off to practice", "farewell"),
        ("brb", "farewell"),
        ("ok bed x", "good_night"),
        ("me again", "greet"),
        ("night marian x", "good_night"),
        ("am i wrong", "worth"),
        ("your replies are a bit repetitive", "hostile"),
        ("fine dont tell me", "heeded"),
        ("help", "invited"),
        ("is that awful", "worth"),
    ],
)
def test_a_wish_is_met(burst, kind):
    assert is_of(answer(burst, "i had a long day"), SAYINGS, kind) or "I'll remind you" in answer(burst)


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("你骗我", "hostile"),
        ("你问我点什么吧", "asks_to_be_asked"),
        ("烦死了别问了", "hostile"),
        ("你能不能别跟我讲大道理", "heeded"),
        ("会不会聊天把你聊烦了", "fond"),
        ("天凉了你也多穿点", "affection"),
        ("去洗澡啦", "farewell"),
        ("走了啊老板", "farewell"),
        ("交班了，回见", "farewell"),
        ("是不是不正常", "worth"),
        ("唉我是不是脾气太坏了", "worth"),
        ("咱不说这个了", "hush"),
        ("你倒是说句话啊", "hostile"),
        ("在忙吗", "how_i_am"),
        ("你会觉得我小题大做吗", "worth"),
    ],
)
def test_a_wish_in_chinese_is_met(burst, kind):
    assert is_of(answer(burst, "今天有点忙啊"), CHINESE_SAYINGS, kind)


def test_a_chat_that_begins_without_words_is_in_the_companions_language():
    assert is_of(answer("。。。", persona="你是小满，开一家小书店。"), CHINESE_SAYINGS, "small")


def test_a_dog_is_named_where_only_its_breed_was_told():
    before = ("my greyhound Biscuit hates it when im away", "also my boyfriend tom is allergic to dogs")

    assert "Biscuit" in answer("whats my dog called", *before, certainty=Certainty.KNOWN)


def test_the_name_of_somebody_else_is_no_answer():
    assert "糖糖" not in answer("我老婆叫什么", "女儿才两岁啊，叫糖糖。还没敢跟老婆说。")


def test_a_child_is_found_by_the_word_for_a_daughter():
    assert "糖糖" in answer("孩子叫什么名字来着", "女儿才两岁啊，叫糖糖")


def test_a_word_is_not_found_inside_another():
    reply_given = answer("what did i tell you about my car", "i play bass in a band called Wet Cardboard")

    assert "Cardboard" not in reply_given


def test_the_work_of_somebody_is_not_ones_own():
    before = ("also my boyfriend tom is fun", "i just moved to leeds last month for work")

    assert "leeds" not in answer("what does tom do for work", *before)


def test_somebody_named_by_a_surname_is_known():
    reply_given = answer("老李是谁", "我每天早上去公园打太极啊，认识了个老李，下棋老耍赖")

    assert "下棋老耍赖" in reply_given


def test_who_will_not_come_is_not_said_to_come():
    before = ("下个月儿子说要回来过年啊", "儿子来电话啊，说单位不放假，回不来了")

    assert "回不来了" in answer("儿子还回来过年吗", *before)


def test_what_follows_a_correction_is_told_without_it():
    reply_given = answer("我哪天生日", "我记错了啊", "我记错了，我生日是5月18号")

    assert "记错" not in reply_given
    assert "5月18号" in reply_given


def test_another_ones_wife_recalls_nothing_of_ones_own():
    memory = "My wife passed two years ago."

    assert "passed" not in answer("Frank's wife is called Joan", quotes=[said(memory, days=3)])


def test_a_pointing_word_is_not_cut_apart():
    assert not answer("那个家属来给我道歉了", "今天有点忙啊").startswith("个")


@pytest.mark.parametrize("asked", ["is priya married", "does tom like dogs", "when's the wedding"])
def test_a_question_needs_no_mark_and_no_capital(asked):
    said = rules.answer(inputs(asked, window=["i had a long day", "I see."]))
    assert not any(is_of(said, SAYINGS, kind) for kind in ("small", "calm", "echoed"))


def test_whether_somebody_is_there_is_no_greeting():
    assert not is_of(answer("我妈还在吗", "今天有点忙啊"), CHINESE_SAYINGS, "greet")


def test_a_girl_is_no_mother_and_her_mother_is_not_ones_own():
    assert "你娘" not in answer("下车的时候我说姑娘没啥过不去的", "今天有点忙啊")
    assert "你妈" not in answer("她妈跟我离了十年了", "今天有点忙啊")


def test_the_boyfriends_name_is_not_the_daughters():
    before = ("我闺女在北京上班啊，叫陈晓", "对了啊，我闺女处对象了，小伙子是学医的，叫李博")

    assert "陈晓" in answer("我女儿叫啥", *before)


def test_a_rabbit_is_named_and_not_the_husband_of_before():
    before = (
        "my ex is called Huw, he's a decent man and isla wants the rabbit",
        "the rabbit stays with me. its called Gravy",
    )

    assert "Gravy" in answer("what's the rabbit called", *before)


def test_who_answers_their_own_question_asked_nothing():
    said_back = answer("you know what i had for dinner? toast. over the sink", certainty=Certainty.UNKNOWN)

    assert not is_of(said_back, SAYINGS, "never_told")


def test_words_in_quotation_marks_are_not_cut_off():
    assert answer('he called me "the spare"', "i had a long day") != "So he called you."


def test_tears_behind_good_news_are_no_sorrow():
    assert is_of(answer("mum cried", "i got the job!!!"), SAYINGS, "joy")


def test_who_went_where_somebody_was_dying_is_mourned():
    ill = "My wife Eirlys has got pancreatic cancer."
    assert (
        MessageAnalysis(context.read(inputs("x", window=[ill, "Mm."])), "She went this morning.", is_chinese=False).tone
        == Tone.GRIEF
    )
    assert (
        MessageAnalysis(
            context.read(inputs("x", window=[ill, "Mm."])), "I went. She went to the shops.", is_chinese=False
        ).tone
        == Tone.CALM
    )
    assert MessageAnalysis(context.read(inputs("x")), "She went this morning.", is_chinese=False).tone == Tone.CALM


def test_joy_goes_before_a_name_that_stands_behind_it():
    said = answer("juries went so well omg. Prof Hendricks said it was the best he's heard")
    assert is_of(said, SAYINGS, "joy")


def test_tears_some_words_behind_good_news_are_no_sorrow():
    said = answer("I sat there and cried like a baby in a lay-by", "I got the job!!")
    assert is_of(said, SAYINGS, "joy")
    assert not is_of(answer("I sat there and cried all night", "I got the job!!"), SAYINGS, "joy")


def test_what_is_told_behind_a_loss_is_heard_as_of_it():
    assert is_of(answer("我没赶上", "外婆昨晚走了啊"), CHINESE_SAYINGS, "beside")


def test_of_a_very_long_sentence_the_part_that_was_asked_for_is_told():
    story = (
        "i keep looking for something he did and theres nothing, i just woke up one day and could not hear myself think, "
        "and now i can hear myself think and i dont like what i hear, and poppy asked me on sunday if i still love her dad, "
        "and i said of course in a way, and isla just wants to know who gets the rabbit"
    )

    reply_given = answer("what did poppy ask me", story, certainty=Certainty.KNOWN)

    assert "asked me on sunday if i still love her dad" in reply_given
    assert "nothing" not in reply_given


def test_who_asks_of_a_loss_gets_an_answer():
    before = "i cant talk to marcus about it, his dad died last year"

    assert "died last year" in answer("whose dad died", before, certainty=Certainty.KNOWN)


def test_a_number_is_heard_as_something_told():
    assert not is_of(answer("shes 84 and ruthless", "my nanna jean says good riddance"), SAYINGS, "small")


def test_who_is_glad_is_reminded_of_nothing_heavy():
    memory = "My dad has cancer and it's getting worse."

    assert "cancer" not in answer("dad's home and the scan is clear, thank god", quotes=[said(memory, days=3)])


def test_a_pet_is_named_behind_how_it_came():
    assert "Biscuit" in answer(
        "what's my dog called?", "we adopted a greyhound last month, Biscuit.", certainty=Certainty.TIP
    )


def test_a_name_is_learned_as_the_answer_to_its_question():
    told = ("what's nan's name again?", "I never told you, it's Dorothy. Dot to everyone")
    assert "Dorothy" in answer("what's my nan called", *told, certainty=Certainty.TIP)
    assert "Hamish" in answer("so what's he called", "what's my dad's name?", "it's Hamish", certainty=Certainty.TIP)
    assert "陈德厚" in answer("那我外公叫什么", "我外公叫什么来着", "没跟你说过，他叫陈德厚", certainty=Certainty.TIP)


def test_what_is_told_of_somebody_does_not_say_where_they_work():
    told = "I'm off meat since january, emeka isn't, it's a negotiation"
    assert "negotiation" not in answer("where does emeka work?", told)
    assert "bakery" in answer("where does emeka work?", "emeka works at the bakery")


def test_what_is_set_right_is_told_with_it():
    told = ("gig's on the 12th of december at the Railway", "sorry, the 13th, not the 12th")
    assert is_of(answer(told[1], told[0]), SAYINGS, "set_right")
    assert "the 13th" in answer("when's the gig?", *told)
    assert is_of(answer("说错了，豆包不是边牧，是柯基", "养了一只边牧，叫豆包"), CHINESE_SAYINGS, "set_right")


@pytest.mark.parametrize("burst", ["morning. they let nan out!!", "早！外公今天出院啦！！"])
def test_news_behind_a_greeting_is_heard(burst):
    kinds = CHINESE_SAYINGS if "早" in burst else SAYINGS
    assert not is_of(answer(burst, kinds["greet"][0]), kinds, "greet")


@pytest.mark.parametrize("asked", ["what should I have for breakfast", "有什么办法吗", "我晚饭吃什么呢"])
def test_who_seeks_advice_is_not_told_that_it_is_forgotten(asked):
    assert is_of(answer(asked), CHINESE_SAYINGS if "么" in asked else SAYINGS, "advice")


def test_the_companion_tells_of_its_own_things():
    persona = "你是小满，开一家小书店，安静、会听人说话。"
    assert "书店" in answer("给我讲讲你的书店", persona=persona)


def test_a_question_for_one_thing_gets_no_list():
    told = ("I'm allergic to penicillin", "my flatmate Jude made me pancakes")
    assert "penicillin" in answer("am I allergic to anything?", *told)
    assert "房租" in answer("你记得我什么时候交房租吗", "周五要交房租", "我妈让我考公务员")


def test_who_she_is_is_read_in_the_line_before():
    told = ("my mum keeps ringing to ask if I've eaten lol", "she lives in Leicester with my stepdad Raj and two pugs")
    assert "Leicester" in answer("where does my mum live?", *told)


def test_a_bare_sentence_is_told_with_what_it_is_of():
    assert "pharmacology" in answer("what was I dreading?", "I've got an exam on the 4th, pharmacology. dreading it")


def test_a_verb_is_known_in_its_irregular_past():
    told = ("my flatmate Jude made me pancakes", "Jude is moving out in january")
    assert "pancakes" in answer("what did Jude make me?", *told)


def test_a_day_set_right_without_the_old_one_is_told_with_it():
    assert "21" in answer("我弟弟哪天结婚？", "我弟弟下个月结婚，婚礼在12号", "记错了，是21号")
    assert "the 14th" in answer("when's the wedding?", "the wedding is on the 12th", "sorry, it's the 14th")


@pytest.mark.parametrize(
    ("asked", "right", "told"),
    [
        ("我面试几号", "8号", ("面试是下个月1号", "买了件西装", "不是1号 是8号")),
        ("我房贷多少来着", "6800", ("上周刚还完这个月房贷 8600", "抽了半包烟", "等等 不是8600 是6800 我打错了")),
        ("我什么时候结婚", "10月6号", ("明年5月20号结婚！对象叫徐航", "婚纱还没定", "日子改了 10月6号")),
        (
            "who's my best mate?",
            "Mold",
            ("My best mate is Carys, she lives in Chester", "No, Carys lives in Mold, not Chester"),
        ),
        ("when is the party?", "on friday", ("theres a party on saturday", "actually its not saturday its friday")),
        (
            "how long have I worked at the bakery?",
            "seven years",
            ("I've worked at the bakery for six years", "sorry, it's been seven years"),
        ),
        (
            "which race is it?",
            "Hamburg race",
            ("it is the Berlin race", "actually it's not Berlin, it's the Hamburg one"),
        ),
        (
            "where does Ellen live?",
            "Bath",
            ("Ellen lives in Bristol", "no news", "Actually Ellen lives in Bath, not Bristol"),
        ),
        ("when's the gig?", "the 14th", ("the gig is on the 12th", "new strings", "it's been moved to the 14th")),
        ("do i like olives?", "hate olives", ("i really like olives", "we had pizza", "i hate olives")),
        ("我喜欢榴莲吗", "讨厌榴莲", ("我喜欢吃榴莲", "今天好热", "我讨厌榴莲")),
    ],
)
def test_what_is_set_right_some_lines_later_is_told_with_it(asked, right, told):
    assert right in answer(asked, *told)


def test_one_day_is_not_denied_by_another_that_ends_like_it():
    assert "8号" not in answer("我哪天开学", "我21号开学", "面试是下个月1号", "不是1号 是8号")


def test_who_does_not_bear_something_may_not_have_it():
    assert "乳糖不耐受" in answer("我能喝牛奶吗？", "我自己其实乳糖不耐受")


def test_what_was_noted_in_this_talk_answers():
    noted = [NotedFact(op="saved", text="周五要交房租。")]
    told = "帮我记着，周五要交房租"
    assert "周五" in answer("你记得我什么时候交房租吗", told, noted=noted, certainty=Certainty.UNKNOWN)
    over = [*noted, NotedFact(op="ended", text="周五要交房租。")]
    assert "周五" not in answer("你记得我什么时候交水费吗", "嗯啊", noted=over, certainty=Certainty.UNKNOWN)


def test_a_shop_is_not_called_as_the_cousin_who_opens_it():
    told = ("I'm opening a bike repair shop with my cousin Dev", "it's called Second Wind, opens in march hopefully")
    asked = answer("what's the shop called?", *told)
    assert "Second Wind" in asked
    assert not asked.startswith("Dev")
    assert answer("what's my cousin called?", *told).startswith("Dev")
    assert "慢火" in answer("我们的店叫什么？", "我和老公开了家小店，叫慢火", "表弟阿强来帮忙")


def test_of_a_day_that_was_put_off_the_newest_is_told():
    told = ("我们打算明年五一办婚礼，在她老家衢州", "我们婚礼改到国庆了")
    assert "国庆" in answer("我们什么时候办婚礼？", *told)
    told = ("the wedding is in May in Quzhou", "the wedding got moved to October")
    assert "October" in answer("when's the wedding?", *told)


def test_an_instrument_is_found_by_its_kind():
    assert "吉他" in answer("我会什么乐器？", "我会弹吉他，大学组过乐队", "我爱人小唐会画画")
    assert "cello" in answer("what instrument do I play?", "I play the cello on Thursdays", "I run on Fridays")


@pytest.mark.parametrize("said", ["三天不出声，我知道怎么过。", "我当然知道谁来了"])
def test_who_knows_asks_nothing(said):
    assert not sentences.is_question(said)


def test_who_got_dumped_grieves():
    assert [feeling.impact for feeling in feelings.find_feelings("I got dumped. on a tuesday. by text")] == [-7]
    assert not feelings.find_feelings("the sand got dumped on the drive")


def test_the_newest_message_says_when_somebody_comes_and_not_what_was_before_it():
    told = (
        "My granddaughter Famke comes on Thursdays. She beats me at chess.",
        "Famke does not come on Thursdays any more, she has a new job. Saturdays now.",
    )

    said = answer("When does Famke come?", *told, certainty=Certainty.KNOWN)

    assert "Saturdays now" in said
    assert "chess" not in said


def test_what_is_told_on_another_day_is_not_joined_to_how_long():
    told = ("i don't drink anymore, 3 months on sunday", "they got me a watering can")

    assert "watering can" not in answer("how long have i been off the drink?", *told, certainty=Certainty.UNSURE)


def test_an_illness_named_behind_who_has_it_is_told_with_it():
    told = ("My wife Els does not remember much any more. It is Alzheimer's.", "Els slept through the night.")

    assert "Alzheimer" in answer("What is Els ill with?", *told, certainty=Certainty.UNSURE)


@pytest.mark.parametrize("asked", ["Is the visa through?", "When are the boys coming?"])
def test_what_was_refused_is_told_and_not_the_plan(asked):
    told = ("I can bring the boys in summer if the visa goes through", "The visa for the boys was refused.")

    assert "refused" in answer(asked, *told, certainty=Certainty.KNOWN)


def test_what_was_refused_of_another_thing_is_not_told():
    told = ("The wedding is on 4 May.", "our loan was refused by the bank")

    assert "4 May" in answer("When is the wedding?", *told, certainty=Certainty.KNOWN)


def test_who_said_yes_to_a_hard_thing_is_not_cheered():
    assert not is_of(answer("I have said yes. I have not slept since."), SAYINGS, "joy")


def test_who_sees_no_point_in_something_is_comforted_and_not_answered():
    assert is_of(answer("whats the point of even going in", "ate lunch in the loos again"), SAYINGS, "sadness")


def test_did_i_tell_you_tells():
    assert not is_of(answer("did i tell u i got moved up to set 2", certainty=Certainty.UNKNOWN), SAYINGS, "never_told")
    assert not sentences.is_question("did i tell you my brothers coming to visit")
    assert sentences.is_question("Did I tell you I got promoted?")
    assert sentences.is_question("did i tell you my sister's name")


def test_a_fragment_is_told_with_what_follows():
    told = ("We're going camping at Loch Lomond", "So the camping. It rained for two days and the tent came down on us")

    assert "It rained" in answer("how was the camping?", *told, certainty=Certainty.KNOWN)


def test_a_name_without_an_apostrophe_is_read():
    told = "the physio says clay is good for it. her names Oluchi"

    assert "Oluchi" in answer("who is my physio", told, certainty=Certainty.KNOWN)


def test_what_is_remembered_of_a_thing_is_told():
    assert "tipsy" in answer("tell me what you remember about the pots", "she calls my pots tipsy pots lol")


@pytest.mark.parametrize(
    ("line", "tone"),
    [
        ("his ex is pregnant and says it's his", Tone.CALM),
        ("Kay is pregnant!!", Tone.JOY),
        ("I'd miss my ladies", Tone.CALM),
        ("I miss my ladies", Tone.SADNESS),
        ("I'm thinking of changing to hospital shifts", Tone.CALM),
        ("I'm not fine", Tone.SADNESS),
        ("他前女友怀孕了，说是他的", Tone.CALM),
        ("我怀孕了！", Tone.JOY),
        ("我闺蜜小满说原谅他就是傻", Tone.CALM),
        ("她终于原谅我了", Tone.RELIEF),
    ],
)
def test_good_news_of_another_or_only_imagined_is_none(line, tone):
    assert tones.find_tone(line) == tone


def test_what_one_said_is_not_echoed():
    assert "you said" not in answer("i said so have i mate").lower()


def test_who_asked_not_to_hear_a_name_hears_it_in_no_list():
    wish = "别再跟用户提许诺了。"
    loaded = "\n".join(f"- {fact}" for fact in (wish, "用户的未婚夫叫许诺。", "用户的爸爸有心脏病。"))

    said = answer("你知道我什么事", "下雨了啊", loaded=loaded)

    assert "心脏病" in said
    assert "许诺" not in said


@pytest.mark.parametrize("asked", ["我们还结婚吗", "我婚礼什么时候？"])
def test_a_wedding_that_is_off_has_no_day(asked):
    told = ("婚礼定在五月二号，洲际酒店，二十八桌啊", "不结了啊")

    assert "不结了" in answer(asked, *told, certainty=Certainty.KNOWN)


def test_a_thought_that_may_be_over_is_asked_about_in_the_words_that_it_quotes():
    thought = "There is something warm in the way this was told: “My wife thinks I should sell the wonky ones.”"

    said = answer("morning", doubt=DoubtQuestion("stale", thought, ""))

    assert "sell the wonky ones" in said
    assert "“" not in said


def test_what_was_a_joke_was_not_told():
    assert "quit" not in answer("did i quit coffee?", "also i quit coffee", "haha no i didn't")
    assert "quit" in answer("did i quit coffee?", "also i quit coffee", "no i didn't sleep")


@pytest.mark.parametrize("said", ['我跟他解释,他说"关我什么事"', 'He just said "what do you want?"'])
def test_what_others_ask_in_quotation_marks_asks_nothing(said):
    assert not sentences.is_question(said)


MELBOURNE = (
    "My son Peter rings every Sunday but he's in Melbourne.",
    "I got the pendant after all. Peter insisted.",
    "Peter's wife Karen is expecting!",
)


def test_of_what_several_messages_tell_only_what_answers_is_told():
    assert answer("Where does Peter live?", *MELBOURNE).endswith("he's in Melbourne.")


def test_what_she_is_said_of_behind_no_one_answers_nothing():
    told = ("also im vegetarian now, since yesterday basically", "saw dr okafor. she was lovely", "she says its grief")

    assert "lovely" not in answer("am i vegetarian", *told)


def test_a_noted_fact_of_oneself_answers_before_the_memory_that_tells_it_too():
    told = "I'm 74 and my wife Jean passed in March. Jean always did the garden."

    assert "Jean" not in answer("how old am i", told, loaded="- The user is 74.")


def test_who_asks_to_be_reminded_of_what_was_told_is_told_it():
    assert "tuesday at 4pm" in answer("can you remind me of the time she's seeing me", "she's seeing me tuesday at 4pm")


def test_who_asks_for_something_of_their_life_is_told_what_is_known():
    assert "nurse" in answer("Tell me something about my life", "I'm a nurse in Leeds")


def test_what_was_said_of_somebody_is_not_all_that_is_known():
    told = ("carol told me. shes selling her half", "i had soup", "it rained all day")

    assert "soup" not in answer("what did i say about carol last time", *told)


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("got my driving test tmrw and im bricking it", "nerves"),
        ("passed!!!!!", "news"),
        ("i crashed mums car", "sadness"),
    ],
)
def test_how_a_teenager_tells_it_is_understood(burst, kind):
    assert is_of(answer(burst), SAYINGS, kind)


KAI = (
    "im kai 17 from croydon",
    "failed it twice already",
    "my gf zara says if i fail again shes leaving me lol",
    "me and zara r goin brighton saturday in mums car",
    "my mum dont know yet",
    "actually its not brighton its margate",
)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how old am i", "17"),
        ("where am i from", "croydon"),
        ("how many times did i fail", "twice"),
        ("whats my gfs name", "zara."),
        ("where are we going saturday", "margate"),
    ],
)
def test_what_was_told_without_commas_and_capitals_answers(asked, told):
    assert told in answer(asked, *KAI).lower()


@pytest.mark.parametrize(
    ("told", "asked", "told_then"),
    [
        (
            "When is my first sailing lesson? It's on 12 June, I just booked it.",
            "when is my sailing lesson?",
            "12 June",
        ),
        ("whats the shop called? its called the Magpie", "so whats my shop called", "Magpie"),
    ],
)
def test_what_one_asks_and_answers_is_told(told, asked, told_then):
    assert not is_of(answer(told), SAYINGS, "forgot")
    assert not is_of(answer(told), SAYINGS, "unknown")
    assert told_then in answer(asked, told)


@pytest.mark.parametrize(
    ("burst", "told", "part", "other"),
    [
        ("Where is my mother now?", ("I had to take a baby from its mother", "Mum came home today."), "Mum", "baby"),
        ("who's Dawn", ("dad's moved out btw. he lives in a flat with someone called Dawn",), "dad", "I remember"),
        ("who's a bridesmaid?", ("she'll be there, priya. shes a bridesmaid",), "priya", "that she's"),
    ],
)
def test_an_answer_is_of_whom_the_question_means(burst, told, part, other):
    said = answer(burst, *told)

    assert part in said
    assert other not in said


def test_who_asks_what_upset_them_is_not_comforted():
    said = answer("What upset me at work the other week?", "I had to remove a baby", certainty=Certainty.UNKNOWN)

    assert not is_of(said, SAYINGS, "sadness")


@pytest.mark.parametrize(
    ("burst", "kind"),
    [
        ("anyway I must put the kettle on. speak later", "farewell"),
        ("ok he's crying got to go", "farewell"),
        ("ok bed", "good_night"),
        ("回头聊", "farewell"),
        ("我先去睡了", "good_night"),
    ],
)
def test_a_good_night_is_for_who_goes_to_bed(burst, kind):
    sayings = CHINESE_SAYINGS if burst[0] > "z" else SAYINGS

    assert is_of(answer(burst, "嗯啊" if burst[0] > "z" else "my hip hurts"), sayings, kind)


BESS = (
    "my old dog Bess died at Easter, 14 she was",
    "He said he'd argued against it for a year and lost. I didn't know that",
    "I told him I was sorry",
    "and I'm not having another dog before you ask",
)


def test_a_quote_goes_on_with_whom_it_speaks_of():
    said = answer("did I say I wouldn't get another dog?", *BESS, certainty=Certainty.KNOWN)

    assert "another dog before you ask" in said
    assert "argued" not in said


def test_a_quote_of_several_messages_ends_with_one_of_them():
    told = " ".join(f"I walked the dog to bridge number {at}, he loved it." for at in range(9))
    memory = Memory(None, told, is_joined=True)

    quote = memory_sentences.mark_gaps(memory)

    assert quote.endswith("he loved it.")
    assert len(quote) <= memory_sentences.QUOTE_MOST


def test_a_long_quote_is_cut_behind_a_word():
    assert memory_sentences.shorten("beetroot " * 40).endswith("beetroot…")
    assert memory_sentences.shorten("a" * 200) == "a" * 160 + "…"


@pytest.mark.parametrize(
    ("line", "tone"),
    [
        ("he said it's too hard and we should have a break", Tone.SADNESS),
        ("we should take a break from work", Tone.CALM),
        ("He said he'd argued against it for a year", Tone.CALM),
        ("I argued with him all night", Tone.ANGER),
        ("I rang the bell 7-5-5, that's box closing. then I locked up", Tone.CALM),
        ("she rang the bell today", Tone.RELIEF),
        ("Sam let me do it without crying today!!", Tone.CALM),
        ("it was a cyst. just a cyst", Tone.RELIEF),
        ("I'm not eating properly", Tone.FEAR),
        ("we're not eating out tonight", Tone.CALM),
        ("I fainted in PE", Tone.FEAR),
        ("we've been approved to adopt!!! after 3 years of forms", Tone.JOY),
        ("she has a cyst on her brain", Tone.CALM),
    ],
)
def test_the_same_word_has_the_tone_of_what_it_stands_with(line, tone):
    assert tones.find_tone(line) == tone


def test_who_asks_for_all_is_told_it_without_a_question_mark():
    said = answer("tell me everything you know about me", "I keep bees", certainty=Certainty.KNOWN)

    assert "bees" in said


def test_the_job_of_another_is_not_ones_own():
    told = ("I work nights at a warehouse in Barking", "my mate's girlfriend Lou makes me soup")

    assert "Barking" not in answer("did i ever say what lou does for a job", *told, certainty=Certainty.KNOWN)


def test_an_illness_that_is_called_something_is_nobody():
    said = answer("they said it's called anorexia, which I kind of knew", "went to the doctor. mum cried in the car")

    assert is_of(said, SAYINGS, "worry")
    assert "norexia" not in said


def test_who_cried_too_cried_for_joy():
    adopted = "we've been approved to adopt!!! after 3 years of forms"

    assert not is_of(answer("social worker is called Fiona, she cried too", adopted), SAYINGS, "sadness")


def test_who_asks_whether_one_is_proud_of_them_hears_something_warm():
    assert is_of(answer("are you proud of me"), SAYINGS, "fond")


@pytest.mark.parametrize(
    ("burst", "window", "kind"),
    [
        ("good night", (), "good_night"),
        ("晚安", (), "good_night"),
        ("no, it's on Tuesday", ("The scan is on Monday.", "I see."), "set_right"),
    ],
)
@pytest.mark.parametrize("felt", ["grief", "glad"])
def test_a_vector_tells_nothing_of_small_talk_and_what_is_set_right(burst, window, kind, felt):
    sayings = CHINESE_SAYINGS if burst > "z" else SAYINGS

    assert is_of(reply.compose(inputs(burst, window=window, felt=felt)), sayings, kind)


@pytest.mark.parametrize(
    "burst", ["jk", "just kidding", "only joking, sorry", "that was a joke, not true", "骗你的", "开玩笑的"]
)
def test_a_joke_that_is_taken_back_is_no_news(burst):
    window = ["I won the lottery", "Congratulations!"] if burst.isascii() else ["我中奖了", "恭喜！"]

    assert reply.compose(inputs(burst, window=window, certainty=None)) in {*SAYINGS["joked"], *CHINESE_SAYINGS["joked"]}


@pytest.mark.parametrize(
    ("asked", "told", "words"),
    [
        ("What food do I like?", ["I love pizza but I hate pineapple on it"], "pizza"),
        ("Where did we eat?", ["I had dinner with Tom yesterday at an Italian restaurant"], "Italian"),
        ("How did my exam go?", ["It's a maths exam", "I passed!"], "I passed!"),
        ("What was my score?", ["I got 95%"], "95%"),
        ("Am I single?", ["I broke up with my girlfriend Emma last night"], "broke up"),
        ("What did I tell you first?", ["I moved to Munich", "I have a dog"], "moved to Munich"),
        ("What was the last thing I told you?", ["I moved to Munich", "I have a dog"], "have a dog"),
        (
            "what was my old job?",
            ["I was flying over a lake", "I got a new job at a bakery", "I used to be a teacher"],
            "teacher",
        ),
        ("when is the baby due?", ["my wife is pregnant", "when is the baby due?", "it's due in July"], "July"),
        ("我不能吃什么？", ["我吃素，对芒果过敏"], "芒果"),
        ("我考试怎么样？", ["明天考试，好紧张", "是数学考试", "我过了！"], "我过了！"),
        ("我多高？", ["我体重80公斤，身高180"], "身高180"),
        ("我的梦想是什么？", ["我想当作家"], "当作家"),
        ("我的车是什么颜色？", ["我开一辆红色的丰田"], "红色"),
        ("我有什么计划？", ["我打算明年春天去日本旅行"], "去日本"),
        ("我今天最先跟你说了什么？", ["我搬到上海了", "我有一只狗"], "搬到上海"),
        ("我刚才最后跟你说了什么？", ["我搬到上海了", "我有一只狗"], "一只狗"),
    ],
)
def test_what_one_asks_most_of_a_new_companion_is_found(asked, told, words):
    window = [said for line in told for said in (line, "嗯。" if "我" in asked else "I see.")]

    assert words in rules.answer(inputs(asked, window=window))
