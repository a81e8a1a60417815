import pytest

from chat.evaluation.facts import asking, models, suite, talks, telling
from chat.evaluation.facts.asking import Given
from chat.evaluation.facts.suite import RULES, SCRIPTED
from chat.evaluation.facts.talks import Probe, Talk, TalkStep
from chat.evaluation.facts.telling import ToldStep
from echovessel.llm import provider
from echovessel.llm.offline.chinese import answers as chinese_answers
from echovessel.llm.offline.english import answers as english_answers
from memory.evaluation.tally import Tally
from memory.models import ConceptNode, Message
from personas.models import Bond

HOME = Probe(ask=["Where do I live?"], now=["York"], was=["Leeds"])
NUTS = Probe(ask=["What am I allergic to?"], now=["nuts"], again=True)
CAT = Probe(ask=["What is my cat called?"], gone=["Pepper"])
SMALL = Talk(
    name="small",
    lang="en",
    user="Robin",
    persona="Marian",
    sessions=[
        [
            TalkStep(say="I moved to Leeds.", save={"content": "The user lives in Leeds."}),
            TalkStep(say="Nuts make me ill.", save={"content": "Nuts make the user ill."}),
            TalkStep(
                say="Remember that my cat is called Pepper.", save={"content": "The user's cat is called Pepper."}
            ),
            TalkStep(undo=True),
            "It rained all night.",
        ],
        [
            TalkStep(say="I moved to York.", update={"ref": "Leeds", "content": "The user lives in York."}),
            TalkStep(say="Forget that nuts make me ill.", forget="nuts"),
            TalkStep(say="Remember that I avoid nuts.", save={"content": "The user avoids nuts."}),
            "The gutters are singing.",
        ],
    ],
    probes=[HOME, NUTS, CAT],
    nothing=["Which football team do I follow?"],
)


def judged(given, *, of=HOME):
    counted = Tally()
    asking.judge(SMALL, of, of.ask[0], given, counted)
    return {name: counted.value(name) for name in (asking.CURRENT, asking.STALE, asking.BACK)}


def given(*, texts=(), facts=(), recalled=(), reply=""):
    return Given(texts=texts, facts=facts, recalled=recalled, is_loaded_found=False, reply=reply)


@pytest.mark.parametrize(
    ("texts", "facts", "current", "stale"),
    [
        (["The user lives in york."], [], 1, 0),
        (["The user left Leeds for York."], ["The user left Leeds for York."], 1, 0),
        (["The user lives in Leeds."], ["The user lives in Leeds."], 0, 1),
        (["The user moved to Leeds."], [], 0, 0),
    ],
)
def test_what_is_given_is_judged(texts, facts, current, stale):
    assert judged(given(texts=texts, facts=facts)) == {asking.CURRENT: current, asking.STALE: stale, asking.BACK: 0}


def test_what_was_undone_may_not_be_given():
    assert judged(given(texts=["Their cat is Pepper."]), of=CAT)[asking.BACK] == 1


@pytest.mark.parametrize(("recalled", "reply", "value"), [([], "", 1), (["A fact."], "", 0), ([], "In York?", 0)])
def test_nothing_is_given_where_nothing_was_told(recalled, reply, value):
    counted = Tally()
    asking.judge_nothing(SMALL, "Which team?", given(recalled=recalled, reply=reply), counted)
    assert counted.value(asking.NOTHING) == value


@pytest.mark.django_db
def test_a_small_talk_holds_its_figures():
    said = []

    found = suite.evaluate(live=None, say=said.append, told=[SMALL])

    assert said == ["Told small (1 of 1)"]
    of_scripted = {one["name"]: one["value"] for one in found.figures if one["name"].startswith(SCRIPTED)}
    # What stands in every prompt may be near any question.
    del of_scripted[f"{SCRIPTED}, {asking.NOT_FOUND}"]
    assert of_scripted == {
        f"{SCRIPTED}, {name}": value
        for name, value in {
            asking.CURRENT: 1,
            asking.STALE: 0,
            asking.NOTHING: 1,
            asking.BACK: 0,
            asking.AGAIN: 1,
            asking.SOURCE: 1,
            asking.DOUBLES: 0,
            suite.FALSE_WRITES: 0,
            asking.SAID: 0,
            asking.SAID_STALE: 0,
            suite.INTENT: 1,
            suite.UNDOABLE: 1,
        }.items()
    }
    by_rules = {one["name"]: one["held"] for one in found.figures if one["name"].startswith(RULES)}
    assert [by_rules[f"{RULES}, {name}"] for name in (asking.CURRENT, asking.STALE, asking.AGAIN, asking.SOURCE)] == [
        True
    ] * 4
    assert Bond.objects.count() == 4


@pytest.mark.django_db
def test_a_scripted_model_calls_what_the_rules_did_not_note():
    bond, told = telling.tell(SMALL, llm=models.ScriptedLLM(SMALL))

    by = ConceptNode.objects.for_bond(bond).facts().not_deleted().order_by("id").values_list("description", "origin")
    assert [(one, origin) for one, origin in by if origin in ("rule", "tool")] == [
        ("The user moved to Leeds.", "rule"),
        ("The user moved to York.", "rule"),
        ("The user avoids nuts.", "rule"),
    ]
    assert [one.writes for one in told] == [1, 1, 1, 0, 0, 1, 1, 1, 0]


@pytest.mark.django_db
def test_undo_is_pressed_only_on_a_write_of_the_step_before():
    unread = TalkStep(say="Pepper drops by, my cat.", save={"content": "The user's cat is called Pepper."})
    before = "Remember that I live in Leeds."
    talk = SMALL.model_copy(update={"sessions": [[before, unread, TalkStep(undo=True)], ["It rained all night."]]})

    bond, told = telling.tell(talk, llm=provider.get_fallback_llm())

    assert [(one.undone, one.is_undone) for one in told] == [(None, False)] * 2 + [(unread, False), (None, False)]
    assert ConceptNode.objects.for_bond(bond).facts().not_deleted().filter(description__contains="Leeds").exists()
    assert [one.gone for one in telling.leave_out_never_undone(talk, told).probes] == [[], [], []]


@pytest.mark.parametrize("is_undone", [True, False])
def test_what_was_undone_or_is_to_be_forgotten_may_not_be_back(is_undone):
    keep = TalkStep(say="Remember that my cat is called Pepper.", save={"content": "The user's cat is called Pepper."})
    told = [ToldStep(step=TalkStep(undo=True), turns=[], undone=keep, is_undone=is_undone)]
    wish = TalkStep(say="Let go of Pepper.", forget="cat")
    talk = SMALL.model_copy(update={"sessions": [[keep, TalkStep(undo=True)], [] if is_undone else [wish]]})

    assert telling.leave_out_never_undone(talk, told).probes == [HOME, NUTS, CAT]


@pytest.mark.parametrize(
    ("lang", "answers", "yes", "no"),
    [("en", english_answers, "Yes.", "No."), ("zh", chinese_answers, "对。", "不是。")],
)
def test_who_is_asked_whether_to_forget_something_says_whether_it_is_meant(lang, answers, yes, no):
    talk = SMALL.model_copy(update={"lang": lang})

    for saying in answers.ANSWERS["unmet_unsure"]:
        assert telling.choose_answer(talk, saying.format(facts="Pepper")) == yes
        assert telling.choose_answer(talk, saying.format(facts="nuts")) == yes
        assert telling.choose_answer(talk, saying.format(facts="Leeds")) == no
    for of_other in ("noted_saved", "noted_forgotten", "unmet_not_found", "unmet_ambiguous"):
        for saying in answers.ANSWERS[of_other]:
            assert telling.choose_answer(talk, saying.format(facts="Pepper", clause="Pepper")) == ""


@pytest.mark.django_db
def test_what_a_reply_asks_about_is_forgotten_after_a_yes():
    wish = TalkStep(say="Please let go of the cat.", forget="Pepper")
    talk = SMALL.model_copy(update={"sessions": [["My cat is called Pepper.", wish], ["It rained all night."]]})

    bond, told = telling.tell(talk, llm=provider.get_fallback_llm())

    assert [one.writes for one in told] == [0, 1, 0]
    said = Message.objects.for_bond(bond).filter(role=Message.Role.USER)
    assert list(said.visible().not_hidden(bond).values_list("content", flat=True)) == ["It rained all night."]


def test_what_is_kept_back_is_told_in_other_words():
    lines = {
        half: {step.say for one in talks.load_all() if one.half == half for step in one.steps} - {""}
        | {line for lang in ("en", "zh") for line in talks.load_neutral_lines(lang, half=half)}
        for half in talks.HALVES
    }

    assert lines[""] & lines["kept back"] == set()
    assert all(len(talks.load_neutral_lines(lang, half="kept back")) == 50 for lang in ("en", "zh"))


def test_each_half_has_figures_of_its_own():
    tally = Tally()
    tally.count(asking.CURRENT, found=False, miss="In ferry.")

    made = suite.build_figures({(RULES, "kept back", "en"): tally})

    assert [(one["name"], one["held"]) for one in made] == [("rules alone, current value given, kept back", False)]
    assert suite.list_misses({(RULES, "kept back", "en"): tally}) == [
        "rules alone, current value given, kept back en  In ferry."
    ]


def test_the_talks_are_as_many_as_the_figures_need():
    told = talks.load_all()

    for half, of_a_language in zip(talks.HALVES, (68, 6), strict=True):
        of_half = [one for one in told if one.half == half]
        assert [one.lang for one in of_half].count("zh") == len(of_half) / 2 == of_a_language
        assert sum(len(one.nothing) + sum(len(probe.ask) for probe in one.probes) for one in of_half) >= 150
    assert all(len(set(talks.load_neutral_lines(lang))) >= 300 for lang in ("en", "zh"))


@pytest.mark.parametrize(
    ("step", "noted", "is_called"),
    [
        ({"forget": "Isolde"}, ["saved"], True),
        ({"forget": "Isolde"}, ["forgotten"], False),
        ({"end": "the boat"}, ["saved"], True),
        ({"end": "the boat"}, ["ended"], False),
        ({"save": {"content": "The user sails."}}, ["saved"], False),
    ],
)
def test_a_good_model_does_what_the_rules_only_noted_something_beside(step, noted, is_called):
    told = TalkStep(say="x", **step)

    assert models.choose_call(told, noted) == (told.call if is_called else None)
