import json

import pytest

from echovessel.llm.inputs import ReflectedEvent, ReflectionInputs
from echovessel.llm.protocol import Origin
from memory.answers.schemas import ExtractionAnswer
from memory.evaluation.stories.scripted import ScriptedLLM
from tests.memory.evaluation.stories import raw, small
from tests.support.extracting import inputs_of

LINES = ("P: How were the first days?", "Fine.\nI start at Contoso on the 16th.")
PAIR = ("Scott", "Yiyang")


def offered(*remembered):
    return inputs_of(*LINES, first=3, remembered=remembered, pair=PAIR)


INPUTS = offered("The user works at Northwind.")


def answered(inputs=INPUTS, *, talk=1, prompt="", **changes):
    told = raw()
    told["talks"][talk] |= changes
    story = small(**told)
    llm = ScriptedLLM(story)
    llm.talk = story.talks[talk]
    asked = [{"role": "user", "content": prompt}]
    text = llm.answer(asked, feature="any", schema=ExtractionAnswer, origin=Origin(), inputs=inputs).text
    return json.loads(text), llm.unoffered


def test_only_what_rests_on_messages_of_the_prompt_is_extracted():
    answer, unoffered = answered()

    assert answer["events"] == [
        {
            "description": "The user left Northwind and starts at Contoso on 16 March.",
            "emotional_impact": 4,
            "emotion_tags": [],
            "relational_tags": [],
            "subject": "user",
            "event_time": {"start": "2026-03-16", "end": "2026-03-16"},
            "source_lines": [4],
            "supersedes": [1],
        }
    ]
    assert unoffered == []


def test_what_the_prompt_does_not_offer_is_not_cited_and_told():
    answer, unoffered = answered(offered("Something else."))

    assert answer["events"][0]["supersedes"] == []
    assert unoffered == ["northwind, for contoso"]


@pytest.mark.parametrize(
    ("b", "answer", "unoffered"),
    [
        ("Yiyang", {"canonical_a": "Scott", "canonical_b": "Yiyang", "same": True}, []),
        ("Contoso", None, ["day 3: the pair Scott / Contoso, but ('Scott', 'Yiyang')"]),
    ],
)
def test_only_the_pair_that_was_told_is_cleared(b, answer, unoffered):
    said, missed = answered(cleared={"a": "Scott", "b": b, "same": True})

    assert (said["entity_clarification"], missed) == (answer, unoffered)


def test_thoughts_rest_on_what_is_offered():
    event = ReflectedEvent(17, 3, "The user's sister Yiyang starts work at the ferry office on 3 March.")

    answer, unoffered = answered(ReflectionInputs((event,)), talk=0)

    assert answer["thoughts"] == [
        {"description": "Mara lights up when her sister comes up.", "filling": [17], "emotional_impact": 2}
    ]
    assert unoffered == []


def test_between_sessions_what_was_awaited_comes_to_its_end():
    material = """[8] (by 2026-03-04) Marian promised to ask on Wednesday how the first days went.
[17] (2026-03-04) impact +4: The user left Northwind and starts at Contoso on 16 March."""
    between = {
        "resolved": {"ask-wednesday": "kept", "gran": "missed"},
        "expects": [{"id": "likes", "about": "Contoso", "text": "It will do.", "rests_on": ["contoso"]}],
        "intends": [{"id": "asks", "text": "Ask about Contoso.", "due": "2026-03-16", "rests_on": ["gran"]}],
        "describes": [{"name": "Yiyang", "text": "The sister."}],
        "thoughts": [{"id": "me", "text": "I asked.", "subject": "persona", "rests_on": ["contoso"]}],
        "questions": ["And gran?"],
    }

    answer, unoffered = answered(None, prompt=material, between=between)

    assert answer == {
        "salient_questions": ["And gran?"],
        "thoughts": [{"description": "I asked.", "filling": [17], "subject": "persona"}],
        "expectations": [{"about": "Contoso", "prediction": "It will do.", "due_at": None, "filling": [17]}],
        "intentions": [{"description": "Ask about Contoso.", "due_at": "2026-03-16", "filling": []}],
        "entity_descriptions": [{"entity": "Yiyang", "description": "The sister."}],
        "resolved": [{"node": 8, "outcome": "kept"}],
    }
    assert unoffered == ["any evidence for asks", "gran, for resolved"]
