"""What was stored in other terms is found by those of today after the migrations."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.db.models import F, Value
from django.db.models.functions import Cast

from memory.models import ConceptNode, EntityAlias, Message
from tests.support.factories import BondFactory, ConceptNodeFactory, EntityFactory, FactFactory, MessageFactory

pytestmark = pytest.mark.django_db


def migrate():
    with connection.schema_editor() as editor:
        import_module("memory.migrations.0045_simplified_terms").simplify(apps, editor)


def test_messages_and_memories_get_simplified_terms():
    line = MessageFactory(content="我養了一隻貓")
    node = ConceptNodeFactory(bond=line.session.bond, description="用户養了一隻貓")
    before = f"'{line.session.bond_id}:貓' '{line.session.bond_id}:養' '{line.session.bond_id}:cat'"
    Message.objects.update(search=Cast(Value(before), Message._meta.get_field("search")))
    ConceptNode.objects.update(terms=["用户", "貓", "猫", "養"])

    migrate()

    found = Message.objects.values_list("search", flat=True).get(pk=line.pk)
    assert [term in found for term in (":猫'", ":养'", ":cat'", "貓")] == [True, True, True, False]
    assert ConceptNode.objects.get(pk=node.pk).terms == sorted(["用户", "猫", "养"])
    assert ":猫'" in ConceptNode.objects.values_list("search", flat=True).get(pk=node.pk)


def test_names_get_simplified_unless_the_bond_has_both():
    bond = BondFactory()
    entity = EntityFactory(bond=bond)
    for folded in ("小龍", "湯圓", "汤圆", "rex"):
        EntityAlias.objects.create(bond=bond, entity=entity, name=folded, folded=folded)

    migrate()

    names = (
        EntityAlias.objects.filter(bond=bond).exclude(folded=F("entity__canonical_name")).values_list("name", "folded")
    )
    assert {("小龍", "小龙"), ("湯圓", "湯圓"), ("汤圆", "汤圆"), ("rex", "rex")} <= set(names)


def test_messages_and_memories_get_terms_without_accents():
    line, hidden = (MessageFactory(content="Vivo en Querétaro", session__off_record=off) for off in (False, True))
    node = ConceptNodeFactory(
        bond=line.session.bond, description="Vive en Querétaro", terms=["en", "querétaro", "vive"]
    )
    Message.objects.update(search=Cast(Value(""), Message._meta.get_field("search")))

    with connection.schema_editor() as editor:
        import_module("memory.migrations.0047_terms_without_accents").extract_anew(apps, editor)

    search = dict(Message.objects.values_list("pk", "search"))
    assert ":queretaro'" in search[line.pk]
    assert search[hidden.pk] == ""
    assert "queretaro" in ConceptNode.objects.get(pk=node.pk).terms


def test_vectors_of_other_languages_are_made_anew():
    migration = import_module("memory.migrations.0047_terms_without_accents")
    said = ("Ich wohne in einem kleinen Haus", "I live in a small house", "我住在一个小房子里")
    lines = [MessageFactory(content=one, embedding_model=migration.BOTH_MODELS) for one in said]

    with connection.schema_editor() as editor:
        migration.drop_vectors(apps, editor)

    kept = dict(Message.objects.values_list("pk", "embedding_model"))
    assert [kept[line.pk] for line in lines] == ["", migration.BOTH_MODELS, migration.BOTH_MODELS]


def test_what_may_harm_is_marked_in_other_languages():
    told = ("La usuaria es alérgica a los cacahuetes.", "La usuaria vive en Puebla.", "The user likes tea.")
    facts = [FactFactory(description=one) for one in told]

    with connection.schema_editor() as editor:
        import_module("memory.migrations.0049_grave_in_other_languages").mark(apps, editor)

    assert [ConceptNode.objects.get(pk=fact.pk).grave for fact in facts] == [True, False, False]
