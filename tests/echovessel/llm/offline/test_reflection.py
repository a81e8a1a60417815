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
        ([(-8, "我奶奶去世了。")], []),
        ([(3, "Bought the milk."), (2, "Dad came to dinner."), (2, "Dad came to lunch.")], []),
        (
            [(-4, "My mother is ill"), (-3, "I argued with my mother")],
            [("Mother comes up again and again, and it is hard each time.", -4, [7, 8])],
        ),
        (
            [(-4, "My mother is ill"), (-3, "I argued with my mother"), (5, "My mother and I made up")],
            [("Things with mother were hard for a while, and are better now.", 5, [7, 8, 9])],
        ),
        ([(-4, "奶奶住院了"), (4, "奶奶好多了，周三出院")], [("奶奶的事难过一阵，现在好些了。", 4, [7, 8])]),
        (
            [(3, "Anna made me so happy"), (-4, "Anna shouted at me")],
            [("Things with Anna went well for a while, and are hard now.", -4, [7, 8])],
        ),
        (
            [
                (-9, "My wife died"),
                (-7, "My wife's funeral was on Monday"),
                (3, "I found a letter by my wife, it made me happy"),
            ],
            [("Several hard things have come close together.", -8, [7, 8])],
        ),
        (
            [(-3, "My boss shouted at me"), (-4, "I argued with a man from work"), (-3, "I can't sleep")],
            [("Work comes up again and again, and it is hard each time.", -4, [7, 8])],
        ),
        (
            [(5, "I got the job!!"), (6, "Anna had her baby girl and I am so glad")],
            [("More than one good thing has come lately.", 6, [7, 8])],
        ),
        ([(5, "I got the job!!"), (6, "Anna had her baby girl"), (-7, "Our dog died")], []),
        (
            [(-5, "I argued with Scott"), (4, "Scott made me so happy"), (-4, "Scott shouted at me")],
            [],
        ),
        # Who tells it is nobody who keeps coming up.
        ([(-4, "我叫岚岚，今天很难过"), (-3, "他们又骂岚岚")], []),
        ([(0, "The user is called Jo."), (-5, "Jo argued with me"), (-3, "Jo shouted at me")], []),
        ([(-5, "I argued with Jo"), (-4, "I lost my job, I'm sad")], []),
        ([(0, "The user has a cat called Nimbus."), (3, "Nimbus jumps on my face")], []),
        ([(1, "今天数学又没考好，我妈看到卷子脸都绿了"), (1, "我妈说我天天玩手机")], []),
    ],
    ids=[
        "none",
        "one alone",
        "trifles",
        "hard",
        "better",
        "better in Chinese",
        "worse",
        "a loss is never better",
        "a subject",
        "good days",
        "good days with a death",
        "now so and now so",
        "the own name",
        "the own name as a fact",
        "a name that is a part of a word",
        "a name in a fact and an event",
        "calm events",
    ],
)
def test_what_events_have_in_common_is_a_thought_with_its_evidence(events, thoughts):
    found = _thoughts(*events)

    assert [(thought["description"], thought["emotional_impact"], thought["filling"]) for thought in found] == thoughts
