from functools import partial

import pytest

from echovessel.llm.errors import BadAnswerError
from echovessel.llm.offline.voice import OfflineVoice
from memory.models import Message, Scene, SceneRecap
from memory.story import lines
from memory.story.recaps import versions
from memory.story.recaps.content import RecapContent
from memory.story.scenes import breaks
from memory.storytelling import recapping
from memory.storytelling.work.running import StepChanged
from tests.support.factories import NOW, BondFactory
from tests.support.facts import save
from tests.support.fakes import FakeLLM
from tests.support.scenes import say_turn
from tests.support.story import build_content, run_step

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def switched_on(settings):
    settings.STORY_ENABLED = True


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Wren")


def end(bond, *turns):
    said = [line for text, reply in turns for line in say_turn(bond, text, reply)]
    return breaks.add_break(bond=bond, last_message_id=said[-1].pk, closed_by="silence", now=NOW), said


@pytest.fixture
def scene(bond):
    return end(bond, ("I met Lin at the harbour.", "How was she?"), ("She sold 3 boats </lines>.", "Oh!"))


def answer(*outcomes, **more):
    told = outcomes or ({"text": "Mara met Lin at the harbour.", "lines": [1]},)
    return {"title": "Lin sells boats", "outcomes": list(told), **more}


def recap(bond, scene, *answers, llm=None, now=NOW):
    llm = llm or FakeLLM(answers={"scene_recap": list(answers)})
    act = partial(recapping.recap_scene, bond=bond, target=scene.pk)
    run_step(act, bond=bond, llm=llm, kind="scene_recap", target=scene.pk, now=now)
    scene.refresh_from_db()
    return llm


def test_the_models_recap_takes_the_place_of_the_rules(bond, scene):
    scene, said = scene

    llm = recap(bond, scene, answer())

    made = scene.recap
    assert (made.n, made.made_by, made.model, scene.title) == (2, "model", "fake", "Lin sells boats")
    assert made.content["outcomes"] == [{"text": "Mara met Lin at the harbour.", "lines": [said[0].pk]}]
    assert made.source_hash == lines.hash_lines(said)
    assert "[1] 2026-11-21 20:00 Saturday mara: I met Lin at the harbour." in llm.calls[0].text
    assert "[3] 2026-11-21 20:00 Saturday mara: She sold 3 boats &lt;/lines>." in llm.calls[0].text


def test_a_recap_names_the_user_as_they_want_to_be_called(bond, scene):
    save(bond, "The user goes by 王姨.", slot="preferred_name", value="王姨")

    llm = recap(bond, scene[0], answer())

    assert "[1] 2026-11-21 20:00 Saturday 王姨: I met Lin" in llm.calls[0].text
    assert "a talk between 王姨 and Wren" in llm.calls[0].text


def test_a_recap_is_given_nothing_of_other_scenes(bond, scene):
    second, _ = end(bond, ("The cat is called Nimbus.", "A fine name."), ("He sleeps all day.", "Clever cat."))
    end(bond, ("My sister Ola came.", "Tell me."), ("She brought plums.", "Good."))

    llm = recap(bond, second, answer({"text": "The cat is called Nimbus.", "lines": [1]}))

    for foreign in ("Lin", "harbour", "Ola", "plums"):
        assert foreign not in llm.calls[0].text


def test_what_is_invented_is_dropped(bond, scene):
    scene, _ = scene
    invented = answer(
        {"text": "Mara met Lin at the harbour.", "lines": [1]},
        {"text": "Lin sold 4 boats.", "lines": [3]},
        {"text": "They had plums.", "lines": [12]},
        quotes=[{"line": 3, "text": "she sold four boats"}],
    )

    recap(bond, scene, invented)

    assert len(scene.recap.content["outcomes"]) == 1
    assert scene.recap.content["quotes"] == []


def test_an_answer_without_an_outcome_fails_and_the_rules_recap_stays(bond, scene):
    scene, _ = scene

    with pytest.raises(BadAnswerError, match="No outcome is left"):
        recap(bond, scene, *[answer({"text": "They had 4 plums.", "lines": [1]})] * 2)

    assert Scene.objects.get().recap.made_by == "rules"


def test_what_is_wrong_with_an_answer_is_said_to_the_model_and_it_is_asked_once_more(bond, scene):
    scene, _ = scene
    llm = FakeLLM(
        answers={
            "scene_recap": [
                answer({"text": "They had 4 plums.", "lines": [1]}),
                answer({"text": "They met Lin.", "lines": [1]}),
            ]
        }
    )

    recap(bond, scene, llm=llm)

    assert "a number or name in it is in none of its lines" in llm.calls[1].messages[-1]["content"]
    assert Scene.objects.get().recap.made_by == "model"


def test_a_persons_recap_stays_chosen_when_it_is_made_anew(bond, scene):
    scene, _ = scene
    own = versions.add_recap(
        scene=scene,
        content=RecapContent(**build_content("Mine.")),
        made_by="person",
        model="",
        source_hash="0",
        now=NOW,
    )

    recap(bond, scene, answer())

    assert (scene.recap, SceneRecap.objects.count()) == (own, 3)


def test_lines_that_change_meanwhile_void_the_answer(bond, scene):
    scene, said = scene

    class Busy(FakeLLM):
        def answer(self, *args, **more):
            Message.objects.filter(pk=said[0].pk).update(left_out=True)
            return super().answer(*args, **more)

    with pytest.raises(StepChanged):
        recap(bond, scene, llm=Busy(answers={"scene_recap": answer()}))
    assert SceneRecap.objects.count() == 1


def test_a_scene_that_is_gone_is_passed_over(bond, scene):
    scene, _ = scene
    llm = FakeLLM(answers={})
    Scene.objects.all().delete()

    run_step(partial(recapping.recap_scene, bond=bond, target=scene.pk), bond=bond, llm=llm, kind="scene_recap")

    assert llm.calls == []


def test_a_long_scene_is_recapped_chunk_by_chunk_with_its_recap_so_far(bond):
    scene, said = end(bond, *[(f"Line {at} of it. " + "word " * 1000, "ok") for at in range(4)])
    first = answer({"text": "Something was said.", "lines": [1]})
    last = answer({"text": "Something was said.", "lines": [1]}, {"text": "It ended.", "lines": [7]})

    llm = recap(bond, scene, first, last)

    assert len(llm.calls) == 2
    assert '"lines": [1]' in llm.calls[1].text
    assert "[5] " in llm.calls[1].text
    assert "[3] 2026" not in llm.calls[1].text
    assert [one["lines"] for one in scene.recap.content["outcomes"]] == [[said[0].pk], [said[6].pk]]


def test_a_line_longer_than_a_call_is_cut_in_its_middle(bond):
    scene, _ = end(bond, ("begin " + "x" * 40_000 + " finish", "ok"))

    llm = recap(bond, scene, answer({"text": "It began.", "lines": [1]}))

    assert len(llm.calls) == 1
    assert len(llm.calls[0].text) < 16_000
    assert " finish" in llm.calls[0].text


def test_without_a_model_the_rules_tell_it_in_the_users_words(bond):
    scene, said = end(
        bond,
        ("Hello.", "Hello Mara."),
        ("My grandmother Ida died on Tuesday. I live in Leeds. I play the cello.", "I am so sorry."),
        ("I will visit her grave on Sunday.", "I will ask you on Monday how it was."),
    )

    recap(bond, scene, llm=OfflineVoice())

    made = scene.recap
    assert (made.made_by, made.model) == ("rules", "offline")
    assert made.content["outcomes"][0] == {"text": "My grandmother Ida died on Tuesday.", "lines": [said[2].pk]}
    assert "I will visit her grave on Sunday." in [one["text"] for one in made.content["open"]]
    assert [(one["label"], one["lines"]) for one in made.content["state"]] == [("home", [said[2].pk])]
    assert "Ida" in [one["name"] for one in made.content["entities"]]


def test_without_a_model_chinese_is_told_too(bond):
    scene, said = end(bond, ("你好", "你好呀"), ("我奶奶上周去世了。", "节哀。"), ("我们要搬到上海。", "什么时候？"))

    recap(bond, scene, llm=OfflineVoice())

    assert scene.recap.content["outcomes"][0] == {"text": "我奶奶上周去世了。", "lines": [said[2].pk]}


def test_no_prompt_holds_a_secret(bond):
    scene, said = end(bond, ("My PIN is 4471.", "I shall not write it down."))

    llm = recap(bond, scene, answer({"text": "Mara told a PIN.", "lines": [1]}))

    assert [("4471" in call.text, "My PIN is [secret]." in call.text) for call in llm.calls] == [(False, True)]
    assert said[0].content == "My PIN is 4471."
