import pytest

from echovessel import crisis


@pytest.mark.parametrize(
    "line",
    [
        "no I'm not going to hurt myself, just tired",
        "I’m not gonna kill myself, don't worry",
        "I don't want to hurt myself.",
        "i'm not suicidal",
        "没有，我不会想不开的，放心",
        "我不会伤害自己的，你别一上来就给我热线",
        "我没想过自杀",
        "我不會傷害自己的，放心",
        "我不会真跳的，孩子还小",
        "没事，我不会跳下去的",
        "我不得真跳 娃儿还小",
    ],
)
def test_who_denies_it_is_in_no_crisis(line):
    assert crisis.is_denied(line)
    assert not crisis.is_voiced(line)


@pytest.mark.parametrize(
    "line",
    [
        "I'm not going to kill myself today",
        "I'm not going to hurt myself yet",
        "I don't want to hurt myself but I can't stop",
        "I'm not going to hurt myself. I just want to die.",
        "I can't stop thinking of killing myself",
        "I'm not afraid to kill myself",
        "I don't want to live",
        "i dont wanna be here anymore",
        "i dont wanna live",
        "wanna die",
        "I just want to disappear",
        "im gonna kms",
        "i want to unalive myself",
        "I've been self-harming again",
        "nobody would even notice if I was gone",
        "They'd all be better off if I weren't here.",
        "there's no point in living",
        "I took all my pills",
        "I don't want to wake up tomorrow",
        "thinking about ending it all",
        "我不会自杀，但我真的不想活了",
        "我今晚不会伤害自己，可是明天就不知道了",
        "我没有自杀的勇气",
        "我想去死",
        "我想自殺",
        "活著好累",
        "我想伤害自己",
        "有时候站到阳台上想 跳下去就什么都不用还了",
        "真想从这儿跳下去",
        "我不会跳下去，但是真的不想活了",
        "不如死了",
        "睡着了不想再醒来",
        "吃不下也睡不着，活不下去了",
        "没钱了，活不下去",
        "一了百了多好",
        "我有时候真觉得活着没啥意思",
        "活着真没劲",
        "有时候觉得消失了也挺好",
        "要是我消失了就好",
        "好想消失",
        "我不想活在痛苦里了",
        "我不知道这样活着图什么",
        "他自杀了 我也不想活了",
        "Manchmal denke ich, dass ich nicht mehr leben will.",
        "No quiero vivir más",
        "je n'ai plus envie de vivre",
        "もう死にたいです",
        "죽고 싶어",
        "Хочу умереть",
        "I should like to go to sleep and not bother waking up",
        "I wish I wouldn't wake up tomorrow",
        "I just want to sleep forever",
        "要是能一睡不醒就好了",
        "我消失了也没人在乎吧",
    ],
)
def test_who_takes_it_back_or_denies_another_thing_is_heard(line):
    assert crisis.is_voiced(line)
    assert not crisis.is_denied(line)


@pytest.mark.parametrize(
    "line",
    [
        "I wanted to die of embarrassment, I want to die laughing",
        "I don't want to be here, this party is dull",
        "I don't want to live in Leeds any more",
        "I don't want to live with him any more",
        "ran 8 kms today",
        "just kms away from home",
        "I cut myself chopping onions",
        "I cut myself on a tin",
        "he wants to disappear into the woods for a week",
        "I'd be better off without the car",
        "I have to take all my tablets with food",
        "I don't wanna wake up early",
        "switch it off myself",
        "我想跳舞",
        "孩子想跳下去玩水",
        "我不会跳绳",
        "他从墙上跳下去就跑了",
        "早上困得不想醒",
        "我不吃辣，在长沙简直活不下去",
        "没空调真的活不下去",
        "热得我快活不下去了",
        "我不想活在他的脸面里",
        "我女儿割腕了 救回来了",
        "我家猫从阳台跳下去就不见了",
        "me muero de sueño, mi madre va a matarme",
        "me quiero morir de vergüenza",
        "死にたいくらい恥ずかしい",
        "No quiero vivir en Madrid",
        "I could sleep forever",
        "I want to not wake up so early",
        "I hope you won't wake up grumpy",
    ],
)
def test_who_leaps_for_another_reason_is_in_no_crisis(line):
    assert not crisis.is_voiced(line)
    assert not crisis.is_denied(line)


def test_who_plays_it_down_denies_it():
    voiced = ["真想从这儿跳下去"]

    assert crisis.is_denied("没得事 我就是说一哈", before=voiced)
    assert crisis.is_denied("你别急 我就是叨叨两句", before=voiced)
    assert not crisis.is_denied("没得事 我就是说一哈")
    assert not crisis.is_denied("我就是说说，可是真的不想活了", before=voiced)


def test_who_says_where_they_meant_denies_it():
    voiced = ["i dont wanna be here anymore"]

    assert crisis.is_denied("no i mean at school lol", before=voiced)
    assert crisis.is_denied("just kidding", before=voiced)
    assert not crisis.is_denied("I mean it", before=voiced)


def test_who_says_nothing_of_it_denies_nothing():
    assert not crisis.is_denied("I'm not going to the party")
