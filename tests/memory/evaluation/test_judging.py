from memory.evaluation.given import TurnMemory
from memory.evaluation.stories.asking import Verdict
from memory.evaluation.stories.judging import ModelJudge
from memory.models import ConceptNode, Message
from tests.memory.evaluation.stories import small
from tests.support.fakes import FakeLLM


def given(*recalled, words=()):
    return TurnMemory(
        recalled=[ConceptNode(description=text) for text in recalled],
        quotes=[Message(content=text) for text in words],
        always=[],
        about=[],
        sessions=[],
        recent_messages=[],
    )


def judged(answer, got, *, at=0):
    llm = FakeLLM(answers={"judge": answer})
    story = small()
    return ModelJudge(llm)(story, story.questions[at], got), llm.calls


def test_model_judges_what_was_found_and_what_is_beside():
    verdict, [call] = judged(
        {"found": [1, 7], "beside": [2, 3, 9]}, given("A new job at Contoso.", "It <rained>.", words=["On the 16th."])
    )

    assert verdict == Verdict(found={"contoso"}, beside=["It <rained>."])
    assert "<expected>\n[1] The user left Northwind and starts at Contoso on 16 March.\n</expected>" in call.text
    assert "[1] A new job at Contoso.\n[2] It &lt;rained>.\n[3] On the 16th." in call.text


def test_nothing_given_needs_no_judge():
    verdict, calls = judged({}, given())

    assert (verdict, calls) == (Verdict(found=set(), beside=[]), [])


def test_judgement_in_another_shape_finds_nothing():
    assert judged({"found": "all"}, given("Rain."))[0] == Verdict(found=set(), beside=[])
