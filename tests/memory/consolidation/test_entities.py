import pytest

from echovessel.models import BondEvent
from memory.entities import merging
from memory.forgetting import removal, trash
from memory.models import ConceptNode, Entity, EntityAlias, Forgotten, Mention
from personas import blocks
from tests.support.factories import NOW, BondFactory, EntityFactory, FactFactory
from tests.support.facts import lives_in, save, told
from tests.support.talks import CAT, event, extraction, remember, step

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__display_name="Mara Lind", persona__name="Marian")


def names(bond):
    return {
        entity.canonical_name: list(entity.aliases.order_by("id").values_list("name", flat=True))
        for entity in Entity.objects.filter(bond=bond)
    }


def met(bond, *entities, answer=None, lines=CAT, **more):
    return remember(*lines, bond=bond, answer=extraction(answer or event(), mentioned_entities=list(entities)), **more)


@pytest.mark.parametrize("key", ["canonical_name", "name"])
def test_a_new_name_becomes_an_entity_linked_to_its_events(bond, key):
    session = met(bond, {key: "Nimbus", "kind": "pet", "aliases": ["the white cat", "nimbus"]})

    entity = Entity.objects.get()
    assert (entity.canonical_name, entity.kind, entity.merge_status) == ("Nimbus", "pet", "confirmed")
    assert (entity.created_at, entity.last_mentioned_at, entity.confirmed_at) == (NOW, NOW, NOW)
    assert entity.embedding_model == "hash"
    assert names(bond) == {"Nimbus": ["Nimbus", "the white cat"]}
    assert list(entity.nodes.all()) == list(ConceptNode.objects.all())
    assert step(session, "entities").outcome == "done"
    assert [entry.refs for entry in BondEvent.objects.filter(type="memory.entity.confirmed")] == [{"entity": entity.pk}]


def test_a_known_name_is_the_same_entity_and_new_names_are_added(bond):
    known = EntityFactory(bond=bond, canonical_name="Nimbus")

    met(bond, {"canonical_name": "小黑", "aliases": ["NIMBUS", "The Cat"]})

    assert names(bond) == {"Nimbus": ["Nimbus", "小黑", "The Cat"]}
    known.refresh_from_db()
    assert known.last_mentioned_at == NOW
    assert not BondEvent.objects.filter(type="memory.entity.confirmed").exists()


@pytest.mark.parametrize(
    ("old", "line", "right"),
    [
        ("许知远", "对了他不叫许知远 是徐知远 双人徐 我打错了", "徐知远"),
        ("Jon", "He's not Jon, he is John.", "John"),
        ("Jon", "Jon and John are brothers.", "Jon"),
        ("husband", "My husband John lost his job.", "John"),
    ],
)
def test_a_name_that_was_set_right_is_the_one_to_go_by(bond, old, line, right):
    EntityFactory(bond=bond, canonical_name=old, kind="person")

    new = "徐知远" if old == "许知远" else "John"
    met(bond, {"canonical_name": new, "kind": "person", "aliases": [old]}, lines=(line, "persona: Ah.", "Yes."))

    assert names(bond) == {right: [old, new]}


@pytest.mark.parametrize(
    ("told", "is_own"),
    [
        ("The user's dad died.", True),
        ("The user's friend's dad died.", False),
        ("Her dad died.", False),
        ("The user's dad-in-law died.", False),
    ],
)
def test_a_relative_of_somebody_else_is_no_mention_of_the_users_own(bond, told, is_own):
    met(bond, {"canonical_name": "dad", "kind": "person"}, answer=event(told), lines=(told, "persona: Ah.", "Yes."))

    assert Mention.objects.exists() == is_own


@pytest.mark.parametrize(
    ("lines", "name", "alias", "known"),
    [
        (("Kate left me.", "persona: Oh.", "I had a date with Siobhan."), "Kate", "Siobhan", ["Kate"]),
        (("大黄九岁了", "persona: 嗯。", "儿子叫孟军"), "大黄", "孟军", ["大黄"]),
        (("I live with Theodore.", "persona: Oh.", "Theo snores."), "Theodore", "Theo", ["Theodore", "Theo"]),
        (("想考北大", "persona: 嗯。", "北京大学太难了"), "北大", "北京大学", ["北大", "北京大学"]),
        (("My cat Nimbus is ill.", "persona: Oh.", "The cat eats."), "Nimbus", "cat", ["Nimbus", "cat"]),
        (("黄逸扬要结婚了", "persona: 嗯。", "就是Yiyang的中文名字"), "黄逸扬", "Yiyang", ["黄逸扬", "Yiyang"]),
        (("Lady came.", "persona: Oh.", "Duke is Lady's nickname."), "Lady", "Duke", ["Lady", "Duke"]),
        (("Peg was my wife.", "persona: And to you?", "Magpie. She took things."), "Peg", "Magpie", ["Peg", "Magpie"]),
    ],
)
def test_who_is_only_spoken_of_apart_is_not_the_same(bond, lines, name, alias, known):
    met(bond, {"canonical_name": name, "aliases": [alias]}, lines=lines)

    assert names(bond) == {name: known}


def test_a_name_is_written_as_the_user_does(bond):
    met(bond, {"canonical_name": "Doudou", "aliases": ["豆豆"]}, lines=("豆豆发烧了", "persona: 嗯。", "39度"))

    assert names(bond) == {"豆豆": ["豆豆", "Doudou"]}


def test_names_of_the_two_themselves_are_no_entities(bond):
    FactFactory(bond=bond, description="Mara likes to be called Mars.", slot="preferred_name", value="Mars")
    FactFactory(bond=bond, description="Mara is Tamara Lind.", slot="full_name", value="Tamara Lind")
    blocks.save(holder=bond, label="user", content="My name is Dee. I bake.", user=bond.user, now=NOW)
    met(
        bond,
        {"canonical_name": "MARA"},
        {"canonical_name": "Tamara"},
        {"canonical_name": "Dee", "aliases": ["Tamara Lind"]},
        {"canonical_name": "Mars"},
        {"canonical_name": "marian", "aliases": ["user"]},
        {"canonical_name": "Mara Lind", "aliases": ["用户", "Anna"]},
    )

    assert names(bond) == {"Anna": ["Anna"]}


def test_names_that_cannot_be_kept_are_left_out(bond):
    session = met(bond, {"canonical_name": "ﷺ" * 120}, {"canonical_name": "x" * 121}, {"canonical_name": "\x00"})

    assert names(bond) == {}
    assert len(step(session, "entities").notes.splitlines()) == 2


def test_a_name_is_one_entitys_alone(bond):
    EntityFactory(bond=bond, canonical_name="Anna", kind="person")
    EntityFactory(canonical_name="Nimbus")

    met(bond, {"canonical_name": "Nimbus", "aliases": ["Nim"]}, {"canonical_name": "Anna", "aliases": ["Nim"]})

    assert names(bond) == {"Anna": ["Anna"], "Nimbus": ["Nimbus", "Nim"]}


@pytest.mark.parametrize(
    ("name", "description", "is_linked"),
    [
        ("Nimbus", "The user has a cat.", True),
        ("Anna", "The user's sister Anna called.", True),
        ("Ann", "The user's sister Anna called.", False),
        ("Bo", "The user has a cat.", False),
    ],
)
def test_a_node_is_linked_only_where_a_name_occurs_in_its_text_or_messages(bond, name, description, is_linked):
    met(bond, {"canonical_name": name, "in_events": [0]}, answer=event(description, lines=[2]))

    assert Mention.objects.exists() is is_linked


def test_chinese_names_are_found_inside_text(bond):
    met(
        bond,
        {"canonical_name": "小黑", "kind": "pet"},
        answer=event("用户的猫叫小黑，半夜跳到脸上。"),
        lines=("我养了一只白猫。", "它叫小黑。", "它老在半夜跳到我脸上。"),
    )

    assert Mention.objects.get().entity.canonical_name == "小黑"


def test_a_forgotten_entity_is_not_met_again(bond):
    gone = EntityFactory(bond=bond, canonical_name="Nimbus", deleted_at=NOW)
    EntityAlias.objects.update(deleted_at=NOW)

    met(bond, {"canonical_name": "Nimbus"})

    assert Entity.objects.exclude(pk=gone.pk).get().canonical_name == "Nimbus"


HOSPITAL = "Saint Mary Childrens Hospital Oslo"
MAYBE = "Saint Mary Childrens Hospital Bergen"


def test_a_name_that_is_nearly_the_same_is_another_name_of_the_same(bond):
    met(bond, {"canonical_name": "Dr. Rosa Smith", "kind": "person"})
    met(bond, {"canonical_name": "Rosa Smith, Dr", "kind": "person", "aliases": ["Rosie"]})

    assert names(bond) == {"Dr. Rosa Smith": ["Dr. Rosa Smith", "Rosa Smith, Dr", "Rosie"]}


def test_a_name_that_may_be_the_same_is_an_uncertain_entity_that_is_not_told(bond):
    met(bond, {"canonical_name": HOSPITAL, "kind": "place"})
    met(bond, {"canonical_name": MAYBE, "kind": "place"})

    sure, unsure = Entity.objects.order_by("id")
    assert (unsure.canonical_name, unsure.merge_status, unsure.merge_target) == (MAYBE, "uncertain", sure)
    assert unsure.confirmed_at is None
    told = BondEvent.objects.filter(type="memory.entity.confirmed")
    assert [entry.refs for entry in told] == [{"entity": sure.pk}]


def test_names_of_two_kinds_are_not_compared_by_their_vectors(bond):
    met(bond, {"canonical_name": HOSPITAL, "kind": "place"}, {"canonical_name": MAYBE, "kind": "org"})

    assert {one.merge_status for one in Entity.objects.all()} == {"confirmed"}


def test_chinese_names_are_never_the_same_by_their_vectors(bond):
    met(bond, {"canonical_name": "陈静", "kind": "person"}, {"canonical_name": "刘洋", "kind": "person"})

    assert [(one.canonical_name, one.merge_status) for one in Entity.objects.order_by("id")] == [
        ("陈静", "confirmed"),
        ("刘洋", "confirmed"),
    ]


@pytest.mark.parametrize("is_known", [True, False])
def test_whom_an_answer_names_one_by_one_are_different(bond, is_known):
    two = [{"canonical_name": name, "kind": "place"} for name in (MAYBE, HOSPITAL)]
    if is_known:
        met(bond, two[1])

    met(bond, *two)

    assert {one.canonical_name: one.merge_status for one in Entity.objects.all()} == {
        MAYBE: "confirmed",
        HOSPITAL: "confirmed",
    }


@pytest.mark.parametrize(("kind", "status"), [("person", "uncertain"), ("pet", "confirmed")])
def test_names_of_two_of_a_kind_open_a_pair(bond, kind, status):
    older = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    newer = EntityFactory(bond=bond, canonical_name="Scott", kind=kind)

    met(bond, {"canonical_name": "Scott", "kind": kind, "aliases": ["Yiyang", "Scotty"]})

    newer.refresh_from_db()
    assert (newer.merge_status, newer.merge_target) == (status, older if status == "uncertain" else None)
    assert names(bond) == {"Yiyang": ["Yiyang"], "Scott": ["Scott", "Scotty"]}


def test_two_that_were_told_apart_are_no_pair_again(bond):
    older = EntityFactory(bond=bond, canonical_name="Yiyang", kind="person")
    newer = EntityFactory(bond=bond, canonical_name="Scott", kind="person")
    merging.separate_entities(a=older, b=newer, by="owner", now=NOW)

    met(bond, {"canonical_name": "Scott", "kind": "person", "aliases": ["Yiyang"]})

    newer.refresh_from_db()
    assert newer.merge_status == "confirmed"


def test_words_for_anybody_are_no_names(bond):
    met(
        bond,
        {"canonical_name": "Anna", "aliases": ["she", "HER", "她", "他们", "大家"]},
        {"canonical_name": "You", "aliases": ["the user"]},
    )

    assert names(bond) == {"Anna": ["Anna"]}


DESCRIBED = {"canonical_name": "Nimbus", "kind": "pet", "in_events": [0], "description": " The user's\nwhite cat. "}


def description(bond):
    entity = Entity.objects.get(bond=bond, canonical_name="Nimbus")
    return entity.description, entity.description_by


def test_an_entity_keeps_the_description_that_came_with_it(bond):
    met(bond, DESCRIBED)

    assert description(bond) == ("The user's white cat.", "extraction")
    assert Entity.objects.get().described_at == NOW
    told = BondEvent.objects.get(type="memory.entity.description_updated")
    assert told.refs == {"entity": Entity.objects.get().pk}


@pytest.mark.parametrize(
    ("before", "by"),
    [("A grey cat.", "owner"), ("", "owner"), ("A cat.", "slow_tick"), ("Some cat.", "extraction")],
)
def test_a_description_is_written_over_none(before, by, bond):
    EntityFactory(bond=bond, canonical_name="Nimbus", description=before, description_by=by)
    met(bond, DESCRIBED)

    assert description(bond) == (before, by)
    assert not BondEvent.objects.filter(type="memory.entity.description_updated").exists()


@pytest.mark.parametrize("wrong", [None, "", "  ", 7, ["A cat."], {"is": "a cat"}])
def test_a_description_that_is_none_leaves_the_entity(wrong, bond):
    met(bond, DESCRIBED | {"description": wrong})

    assert description(bond) == ("", "")


def test_a_description_is_cut_and_holds_no_secret(bond):
    met(bond, DESCRIBED | {"description": "Card 4111 1111 1111 1111. " + "x" * 600})

    text, _ = description(bond)
    assert (text.startswith("Card [secret]. xxx"), len(text)) == (True, 500)


def test_of_somebody_in_no_event_no_description_is_kept(bond):
    met(bond, DESCRIBED, answer=event("It rained.", lines=[1]), lines=("It rained.", "Nimbus hid.", "All day."))

    assert description(bond) == ("", "")


def test_a_description_goes_with_any_message_of_its_session_and_comes_back_with_it(bond):
    session = met(bond, DESCRIBED)
    first = session.messages.order_by("id").first()
    removal.forget_message(message=first, now=NOW)
    gone = description(bond)
    trash.restore(act=trash.find(bond=bond, kind="message", object_id=first.pk), now=NOW)
    back = description(bond)
    removal.forget_session(session=session, now=NOW)

    assert (gone, back, description(bond)) == (("", ""), ("The user's white cat.", "extraction"), ("", ""))
    assert Forgotten.objects.get().kept["heard"] == {str(Entity.objects.get().pk): "The user's white cat."}


def test_a_description_of_another_session_stays(bond):
    met(bond, DESCRIBED)
    other = remember("Hello.", "Rain today.", "And wind.", bond=bond, answer=extraction(event("Rain.")))
    removal.forget_session(session=other, now=NOW)

    assert description(bond) == ("The user's white cat.", "extraction")


def test_a_fact_is_linked_to_whom_its_own_text_names(bond):
    save(bond, "The user has moved to Bremen.")
    answer = extraction(
        event("It rained.", lines=[3]),
        facts=[told("The user's first name is Mara."), lives_in("Bremen")],
        mentioned_entities=[{"canonical_name": "Bremen", "kind": "place"}],
    )

    remember("I am Mara and I live in Bremen.", "It is wet.", "It rained.", bond=bond, answer=answer)

    named = ConceptNode.objects.filter(mentions__entity__canonical_name="Bremen").order_by("id")
    assert [node.description for node in named] == ["The user has moved to Bremen.", "The user lives in Bremen."]
