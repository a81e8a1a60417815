import pytest

from echovessel.llm.inputs import ReflectedEvent, ReflectionInputs
from echovessel.llm.offline import reflection


def _thoughts(*events):
    told = (ReflectedEvent(at, impact, text) for at, (impact, text) in enumerate(events, 7))
    return reflection.reflect(ReflectionInputs(tuple(told)))["thoughts"]


@pytest.mark.parametrize(
    ("events", "thoughts"),
    [
        ([], []),
        (
            [(2, "We have a white cat. He is called 小黑.")],
            [("There is something warm in the way this was told: “We have a white cat.”", 2, [7])],
        ),
        ([(-8, "我奶奶去世了。")], [("话说得很轻，背后却很重：“我奶奶去世了。”", -8, [7])]),
        (
            [(2, "We have a cat called 小黑. He jumps at night"), (3, "I love 小黑"), (-4, "I cried at night")],
            [
                ("小黑 keeps coming up, and each time there is some warmth in it.", 2, [7, 8]),
                ("It is the nights that return in what I hear.", -1, [7, 9]),
            ],
        ),
        (
            [(2, "我家有只猫叫小黑"), (4, "小黑病好了，我很开心")],
            [("小黑一再被提起，每一次都带着一点暖意。", 3, [7, 8])],
        ),
        (
            [(4, "I won a prize"), (5, "Anna was promoted and I am so glad")],
            [("There is a brightness in these days that I like to keep.", 4, [7, 8])],
        ),
        (
            [(-4, "My mother is ill"), (-3, "I argued with my mother")],
            [("Mother keeps coming up, and it is never a light word.", -4, [7, 8])],
        ),
        # Who tells it is nobody who keeps coming up.
        (
            [(-4, "我叫岚岚，今天很难过"), (-3, "他们又笑话岚岚")],
            [("这些日子里有些沉的东西，多半是轻轻带过的。", -4, [7, 8])],
        ),
        (
            [(0, "The user is called Jo."), (5, "I told Jo's joke"), (7, "I got the job!!")],
            [("There is a brightness in these days that I like to keep.", 6, [8, 9])],
        ),
        ([(0, "用户叫小周。"), (4, "小周考上了")], [("说起这件事的时候，话里是暖的：“小周考上了”", 4, [8])]),
        (
            [(3, "Jo came"), (7, "I got the job")],
            [("There is a brightness in these days that I like to keep.", 5, [7, 8])],
        ),
        (
            [(0, "The user has a cat called Nimbus."), (3, "Nimbus jumps on my face")],
            [("There is something warm in the way this was told: “Nimbus jumps on my face”", 3, [8])],
        ),
        (
            [(2, "我養了一隻狗，叫布丁"), (2, "布丁最近都不太吃東西")],
            [("说起这件事的时候，话里是暖的：“我養了一隻狗，叫布丁”", 2, [7])],
        ),
        ([(1, "今天数学又没考好，我妈看到卷子脸都绿了"), (1, "我妈说我天天玩手机")], []),
        (
            [(-6, "I argued with Scott"), (1, "Scott was kind")],
            [("A few plain words, and much behind them: “I argued with Scott”", -6, [7])],
        ),
        (
            [(-9, "I'm Harold, 71, retired signalman. My wife Jean died.")],
            [("A few plain words, and much behind them: “My wife Jean died.”", -8, [7])],
        ),
        ([(-9, "我妈妈去世了"), (-6, "我失业了")], [("这些日子里有些沉的东西，多半是轻轻带过的。", -8, [7, 8])]),
    ],
    ids=[
        "none",
        "one warm",
        "one heavy",
        "a name and the nights",
        "a name in Chinese",
        "bright days",
        "a heavy name",
        "the own name",
        "the own name as a fact",
        "the own name as a fact in Chinese",
        "a name that is a part of a word",
        "a name in a fact and an event",
        "a name that nothing stands out of",
        "calm events",
        "a name with joy and grief",
        "the heaviest sentence",
        "heavy days",
    ],
)
def test_what_repeats_is_a_thought_with_its_evidence(events, thoughts):
    found = _thoughts(*events)

    assert [(thought["description"], thought["emotional_impact"], thought["filling"]) for thought in found] == thoughts
