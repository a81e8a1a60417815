"""The offline voice answers by what a prompt is about, not by its words: every prompt is reworded here, and no answer changes."""

from string import Template

import pytest

from chat.turns.prompting import prompt
from echovessel.llm import provider
from memory.consolidation import extraction, reflection
from memory.importing import chunk_extraction
from memory.models import ConceptNode, Entity, Session
from personas import drafts
from personas.drafts import making
from tests.memory.importing.files import read_on, started
from tests.support import talking
from tests.support.factories import NOW, BondFactory, UserFactory
from tests.support.talks import closed_talk, consolidate

pytestmark = pytest.mark.django_db
SAD = (
    "My boss shouted at me in front of everyone and I cried all night.",
    "persona: I will ask you on Friday how you are.",
    "My girlfriend left me.",
    "I got fired today, I am devastated.",
)
SAD_CHINESE = (
    "今天领导当众骂了我，我哭了一晚上。",
    "persona: 我周五会问你怎么样。",
    "女朋友跟我分手了。",
    "公司把我裁了，我崩溃了。",
)


@pytest.fixture
def reword(monkeypatch, tmp_path):
    """Gives a module a prompt that has the same values and not one of the words."""

    def reworded(module, name="PROMPT"):
        values = Template(getattr(module, name).read_text(encoding="utf-8")).get_identifiers()
        path = tmp_path / "reworded.md"
        path.write_text("\n".join(f"~ ${value} ~" for value in values), encoding="utf-8")
        monkeypatch.setattr(module, name, path)

    return reworded


def remembered(*lines):
    session = consolidate(closed_talk(*lines, bond=BondFactory()), provider.get_fallback_llm())
    nodes = ConceptNode.objects.filter(bond=session.bond).order_by("id")
    names = Entity.objects.filter(bond=session.bond).order_by("id").values_list("canonical_name", "kind")
    return session.summary, list(nodes.values_list("type", "description", "event_time_end")), list(names)


@pytest.mark.parametrize("lines", [SAD, SAD_CHINESE], ids=["en", "zh"])
@pytest.mark.parametrize("module", [extraction, reflection])
def test_what_is_remembered_of_a_session(reword, module, lines):
    before = remembered(*lines)

    reword(module)

    assert remembered(*lines) == before
    assert {"event", "thought"} <= {type for type, *_ in before[1]}


def test_what_is_read_in_a_file(reword):
    def read():
        imported = read_on(started(bond=BondFactory()), provider.get_fallback_llm())
        return list(ConceptNode.objects.filter(bond=imported.bond).order_by("id").values_list("type", "description"))

    before = read()

    reword(chunk_extraction)

    assert read() == before != []


def test_a_draft(reword):
    mara = UserFactory(username="mara")
    text = "# Ilse\nHome: Graz\nShe keeps bees.\n\n## Style\nSlow, exact."
    before = drafts.make_from_text(text, user=mara, llm=provider.get_fallback_llm())

    reword(making)

    assert drafts.make_from_text(text, user=mara, llm=provider.get_fallback_llm()) == before
    assert (before.name, before.facts, before.style) == ("Ilse", {"location": "Graz"}, "Slow, exact.")


def test_replies(reword, monkeypatch, settings):
    settings.OFFLINE_TOKEN_SECONDS = 0

    def replies():
        bond = BondFactory(persona__name="Marian", user__username=f"mara_{Session.objects.count()}")
        session = talking.say(bond, "I have a cat called Nimbus.", now=NOW).session
        consolidate(talking.close(bond, now=NOW), provider.get_fallback_llm())
        said = ("Do you remember my cat?", "What is my cat called?", "Who are you?", "我的猫叫什么？")
        return session.bond_id, [talking.reply(talking.say(bond, line, now=NOW)) for line in said]

    first, before = replies()

    reword(prompt, "RULES")
    monkeypatch.setattr(prompt, "render_section", lambda title, content: [f"~{title[::-1]}~ {content[::-1]}"])

    second, after = replies()
    assert (first != second, after) == (True, before)
    assert "Nimbus" in before[1]
