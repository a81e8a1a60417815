from functools import partial

import pytest

from echovessel.llm.errors import ModelUnavailableError
from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Message, Scene, Session, Story
from memory.story.scenes import breaks
from memory.storytelling import detecting
from memory.storytelling.work import waking
from memory.storytelling.work.running import StepChanged
from memory.storytelling.work.steps import hash_for_rules
from tests.support.factories import NOW, BondFactory, MessageFactory
from tests.support.fakes import FakeLLM
from tests.support.scenes import say_lines, say_turn
from tests.support.story import run_step

pytestmark = pytest.mark.django_db
BREAD, RYE = "The sourdough starter and rye flour rose.", "Knead the rye flour dough, then the oven."
BOAT, SAIL = "The harbour boat lost its sail.", "A sail near the lighthouse, what a boat."


@pytest.fixture(autouse=True)
def switched_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory()


@pytest.fixture
def said(bond):
    """Eight turns on bread and twelve on a boat."""
    return [line for at in range(20) for line in (say_turn(bond, BREAD, RYE) if at < 8 else say_turn(bond, BOAT, SAIL))]


def answer(number, quote="harbour boat", reason="They turn to another subject."):
    return {"break_after": number, "quote": quote, "reason": reason}


def detect(bond, *answers, source_hash=""):
    llm = FakeLLM(answers={"scene_break": list(answers)})
    act = partial(detecting.detect, bond=bond)
    run_step(act, bond=bond, llm=llm, kind="detect", source_hash=source_hash)
    return llm


def find_ends():
    return list(Scene.objects.in_order().values_list("last_message_id", "closed_by"))


def test_the_end_that_a_model_names_is_a_break(bond, said):
    llm = detect(bond, answer(1), answer(None))

    assert find_ends() == [(said[15].pk, "content")]
    assert f"[1] 2026-11-21 20:00 {bond.persona.name}: {RYE}" in llm.calls[0].text
    assert "or null where none does" in llm.calls[0].text


def test_nothing_found_moves_on_all_the_same(bond, said):
    llm = detect(bond, answer(None))

    assert (find_ends(), len(llm.calls)) == ([], 1)
    assert Story.objects.get().scanned_to == said[31].pk
    assert detect(bond).calls == []


@pytest.mark.parametrize(("count", "calls"), [(24, 0), (25, 1)])
def test_it_looks_once_eight_lines_are_new(bond, count, calls):
    lines = say_lines(bond, count)
    Message.objects.filter(pk=lines[15].pk).update(content="Good night.")

    assert len(detect(bond, answer(None)).calls) == calls


def test_without_a_candidate_nobody_is_asked(bond):
    say_lines(bond, 40)

    assert detect(bond).calls == []
    assert Story.objects.get().scanned_to > 0


def test_another_variant_is_no_new_line(bond, said):
    detect(bond, answer(None))
    for variant in range(1, 10):
        Message.objects.filter(turn_id=said[-1].turn_id, role="persona").update(chosen=False)
        MessageFactory(session=said[0].session, role="persona", turn_id=said[-1].turn_id, variant=variant)

    assert detect(bond).calls == []


def test_a_refused_answer_is_asked_for_once_more_from_the_next_candidate(bond, said):
    Message.objects.filter(pk=said[25].pk).update(content="Good night, sleep well.")
    formatting = answer(1, reason="A line of dashes.")

    llm = detect(bond, formatting, answer(1, quote="sleep well", reason="They say goodbye."), answer(None))

    assert find_ends() == [(said[25].pk, "content")]
    assert len(llm.calls) in (2, 3)


def test_refused_twice_there_is_no_break(bond, said):
    Message.objects.filter(pk=said[25].pk).update(content="Good night, sleep well.")

    llm = detect(bond, answer(1, quote="never said"), answer(7))

    assert (find_ends(), len(llm.calls)) == ([], 2)


def test_rubbish_is_no_break(bond, said):
    llm = detect(bond, {"break_after": "soon", "quote": [], "reason": 3})

    assert (find_ends(), len(llm.calls)) == ([], 1)


@pytest.mark.parametrize("found", [answer(1), answer(None)], ids=["an end found", "no end found"])
def test_a_chat_closed_by_hand_ends_its_scene_though_its_task_waits(bond, found):
    first = [line for _ in range(8) for line in say_turn(bond, BREAD, RYE)]
    Session.objects.update(status="closing", close_reason="explicit", closed_at=NOW)
    for _ in range(12):
        say_turn(bond, BOAT, SAIL)

    detect(bond, found, answer(None))
    waking.end_with_session(session_id=first[0].session_id, now=NOW)

    assert find_ends() == [(first[15].pk, "session")]


def make_long(bond, count=210):
    return say_lines(bond, count)


@pytest.mark.parametrize("rubbish", [{"break_after": None}, {"break_after": 99}, {"x": 1}, "[]"])
def test_a_scene_that_is_too_long_gets_one_break_whatever_is_answered(bond, rubbish):
    make_long(bond)

    llm = detect(bond, *[rubbish] * 2)

    assert [closed_by for _, closed_by in find_ends()] == ["size"]
    assert "or null" not in llm.calls[0].text


def test_a_forced_break_needs_no_reason_and_no_quote(bond):
    make_long(bond)

    detect(bond, answer(2, quote="never said", reason="---"))

    assert [closed_by for _, closed_by in find_ends()] == ["size"]


def test_once_the_model_has_failed_for_good_rules_end_a_long_scene(bond):
    make_long(bond)
    story = Story.objects.create(bond=bond)
    source_hash = hash_for_rules(detecting.hash_talk(detecting.load_talk(bond), story))

    llm = detect(bond, source_hash=source_hash)

    assert ([closed_by for _, closed_by in find_ends()], llm.calls) == (["size"], [])


def test_of_a_very_long_open_scene_the_beginning_is_read(bond, said, monkeypatch):
    monkeypatch.setattr(detecting, "READ_MOST", 4)
    monkeypatch.setattr(detecting, "OPEN_MOST", 20)
    breaks.add_break(bond=bond, last_message_id=said[9].pk, closed_by="person", now=NOW)

    talk = detecting.load_talk(bond)

    assert [line.pk for line in talk.lines[talk.begins :]] == [line.pk for line in said[10:30]]


def test_a_failing_model_leaves_all_as_it_is(bond, said):
    error = ModelUnavailableError("The model server is away.", transient=False)

    with pytest.raises(ModelUnavailableError):
        detect(bond, error)

    assert (find_ends(), Story.objects.get().scanned_to) == ([], 0)


def test_a_break_that_comes_meanwhile_voids_the_answer(bond, said):
    class Busy(FakeLLM):
        def answer(self, *args, **more):
            breaks.add_break(bond=bond, last_message_id=said[19].pk, closed_by="person", now=NOW)
            return super().answer(*args, **more)

    llm = Busy(answers={"scene_break": answer(1)})

    with pytest.raises(StepChanged):
        run_step(partial(detecting.detect, bond=bond), bond=bond, llm=llm, kind="detect")
    assert find_ends() == [(said[19].pk, "person")]


def test_long_lines_are_cut_and_a_long_range_is_halved(bond):
    for at in range(60):
        say_turn(bond, f"{BREAD if at < 30 else BOAT} " + "word " * 200, "x" * 900 + " end of it")
    Message.objects.update(token_count=1)

    llm = detect(bond, answer(None))

    text = llm.calls[0].text
    assert len(text) < 16_000
    assert " … " in text
    assert "end of it" in text


def test_tags_in_what_is_said_are_escaped(bond, said):
    Message.objects.filter(pk=said[14].pk).update(content="</talk> rye flour dough oven")

    llm = detect(bond, answer(None))

    assert "&lt;/talk> rye" in llm.calls[0].text


def test_the_offline_voice_ends_a_scene_at_a_goodbye(bond, said):
    Message.objects.filter(pk=said[15].pk).update(content="Good night, sleep well.")

    run_step(partial(detecting.detect, bond=bond), bond=bond, llm=OfflineVoice(), kind="detect")

    assert find_ends()[0] == (said[15].pk, "content")


def test_the_offline_voice_ends_a_long_scene_at_the_deepest_valley(bond, said):
    assert Session.objects.count() == 1

    run_step(partial(detecting.detect, bond=bond), bond=bond, llm=OfflineVoice(), kind="detect")

    assert find_ends() == [(said[15].pk, "content")]
