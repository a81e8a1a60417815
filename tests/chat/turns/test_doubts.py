from datetime import timedelta

import pytest

from memory.models import Doubt
from tests.chat.turns.prompting.test_fact_context import prompts, section
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory
from tests.support.talking import reply, say

pytestmark = pytest.mark.django_db
TITLE = "Something to clear up"
PAIRS = {
    "en": ("The user lives in Leeds.", "The user lives in York.", "I live in Leeds, where it rains.", "Good evening."),
    "zh": ("用户住在上海。", "用户住在苏州。", "我住在上海。", "晚上好。"),
}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara")


def doubted(bond, that, this):
    before = NOW - timedelta(days=3)
    old = FactFactory(bond=bond, description=that, created_at=before)
    new = FactFactory(bond=bond, description=this, state="uncertain", tier="extracted", created_at=before)
    return Doubt.objects.open_about_nodes(kind="contradiction", this=new, that=old, by="close", now=before)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_contradiction_is_asked_when_a_side_comes_up_and_once_a_session(bond, language):
    that, this, touching, other = PAIRS[language]
    doubt = doubted(bond, that, this)

    first, second, third = prompts(bond, other, touching, touching)

    assert [section(prompt, TITLE) for prompt in (first, third)] == ["", ""]
    assert section(second, TITLE) == (
        f"They told you <fact>{that}</fact> and it also seemed that <fact>{this}</fact> Perhaps only one holds. If it fits, ask "
        "once, naturally, which. Until they answer, go on as if the first does."
    )
    assert this not in second.replace(section(second, TITLE), "")
    doubt.refresh_from_db()
    assert len(doubt.asked_in) == 1


def test_nobody_is_asked_whether_a_thought_holds(bond):
    thought = ConceptNodeFactory(bond=bond, type="thought", description="Mara likes to talk of Lin.", created_at=NOW)
    Doubt.objects.open_about_nodes(kind="stale", this=thought, that=None, by="tick", now=NOW)

    [prompt] = prompts(bond, "Lin came by.")

    assert section(prompt, TITLE) == ""


@pytest.mark.parametrize(("kind", "mark"), [("unverified", " (in doubt)"), ("stale", "")])
def test_what_was_long_left_open_was_told_all_the_same(bond, kind, mark):
    quarrel = ConceptNodeFactory(bond=bond, description="Mara fell out with Lin of the choir.", created_at=NOW)
    Doubt.objects.open_about_nodes(kind=kind, this=quarrel, that=None, by="tick", now=NOW)

    [prompt] = prompts(bond, "How did I fall out with Lin of the choir?")

    assert section(prompt, "What you remember").splitlines()[1].endswith(f"Mara fell out with Lin of the choir.{mark}")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_not_asked_beside_what_needs_all_attention_nor_a_fourth_time(bond, language):
    that, this, touching, _ = PAIRS[language]
    doubt = doubted(bond, that, this)
    heavy = touching + (" My father died." if language == "en" else "我爸去世了。")

    [beside] = prompts(bond, heavy)
    Doubt.objects.filter(pk=doubt.pk).update(asked_in=[901, 902, 903])
    [fourth] = prompts(bond, touching)

    assert [section(prompt, TITLE) for prompt in (beside, fourth)] == ["", ""]


@pytest.mark.parametrize(
    ("language", "line", "is_asked"),
    [
        ("en", "I live in Leeds, where it rains.", True),
        ("en", "I live in Leeds. What time is it?", False),
        ("zh", "我住在上海。", True),
        ("zh", "我住在上海。现在几点了？", False),
    ],
)
def test_rules_asked_only_where_their_reply_did(bond, language, line, is_asked):
    doubt = doubted(bond, *PAIRS[language][:2])

    said = reply(say(bond, line, now=NOW))

    doubt.refresh_from_db()
    assert ("York" in said or "苏州" in said, len(doubt.asked_in)) == (is_asked, is_asked)
