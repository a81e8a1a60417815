from datetime import date, timedelta

import pytest
from django.contrib.auth.models import Permission
from django.utils import timezone

from echovessel.models import BondEvent
from memory.entities import merging
from memory.facts.shared import sharing
from memory.forgetting import removal
from memory.models import (
    ConceptNode,
    EntityMerge,
    FactWrite,
    Forgotten,
    Message,
    Separation,
    Session,
)
from personas.models import AccessLog
from tests.support import facts
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    PersonaFactory,
    SessionFactory,
    UserFactory,
)
from tests.support.story import build_point, create_version

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = UserFactory(username="mara", is_staff=True, is_superuser=True)
    client.force_login(user)
    return user


@pytest.fixture
def bond():
    return BondFactory()


def act(client, model, action, *rows, query="", **more):
    ticked = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post(f"/admin/memory/{model}/{query}", ticked | more, follow=True).content.decode()


def found(client, model, rows, query):
    page = client.get(f"/admin/memory/{model}/?{query}").content.decode()
    return [f"/{model}/{row.pk}/change/" in page for row in rows]


@pytest.fixture
def told(bond):
    """A line, the event drawn from it, a thought on that, and an expectation on the thought."""
    line = MessageFactory(session__bond=bond, content="The harbour froze over.")
    event = ConceptNodeFactory(bond=bond, description="The harbour froze.", sources=[line])
    thought = ConceptNodeFactory(bond=bond, type="thought", description="She misses the sea.", evidence=[event])
    hope = ConceptNodeFactory(bond=bond, type="expectation", description="She will sail.", evidence=[thought])
    return line, event, thought, hope


def test_forgetting_shows_what_hangs_on_it(client, operator, told):
    line, event, thought, hope = told

    page = client.get(f"/admin/memory/event/{event.pk}/forget/").content.decode()

    shown = [
        f'href="/admin/memory/{model}/{row.pk}/change/"' in page
        for model, row in (("message", line), ("thought", thought), ("expectation", hope))
    ]
    assert shown == [True, True, True]
    assert not Forgotten.objects.exists()


@pytest.mark.parametrize(
    ("dependents", "lines", "left"),
    [("orphan", "keep", [True, False, True, True]), ("cascade", "forget", [False, False, False, False])],
)
def test_events_are_forgotten_as_asked(client, operator, told, dependents, lines, left):
    line, event, thought, hope = told

    asked = act(client, "event", "forget", event)
    act(client, "event", "forget", event, confirmed="1", dependents=dependents, lines=lines)

    assert 'name="confirmed"' in asked
    rows = [Message.objects.get(pk=line.pk), *(ConceptNode.objects.get(pk=one.pk) for one in (event, thought, hope))]
    assert [row.deleted_at is None for row in rows] == left


def test_forgetting_asks_again_where_an_answer_is_missing(client, operator, told):
    page = act(client, "event", "forget", told[1], confirmed="1", dependents="burn")

    assert 'name="confirmed"' in page
    assert not Forgotten.objects.exists()


def test_what_is_forgotten_is_brought_back(client, operator, told):
    _, event, *_ = told
    removal.forget_node(node=event, dependents="cascade", now=NOW)

    act(client, "event", "restore", event, query="?trash=only")

    assert ConceptNode.objects.filter(deleted_at=None).count() == 3
    assert found(client, "event", [event], "") == [True]


def test_what_is_forgotten_is_erased_for_good_only_when_sure(client, operator, told):
    _, event, *_ = told
    removal.forget_node(node=event, now=NOW)

    asked = act(client, "event", "erase", event, query="?trash=only")
    assert 'action="/admin/memory/event/?trash=only"' in asked
    assert ConceptNode.objects.filter(pk=event.pk).exists()

    act(client, "event", "erase", event, query="?trash=only", confirmed="1")

    assert not ConceptNode.objects.filter(pk=event.pk).exists()


def test_the_trash_gives_back_and_erases(client, operator, told):
    line, event, *_ = told
    removal.forget_node(node=event, now=NOW)
    removal.forget_message(message=line, now=NOW)
    of_event, of_line = Forgotten.objects.order_by("id")

    page = client.get(f"/admin/memory/forgotten/{of_event.pk}/change/").content.decode()
    act(client, "forgotten", "restore", of_event)
    act(client, "forgotten", "erase", of_line, confirmed="1")

    assert "The harbour froze." in page
    assert ConceptNode.objects.get(pk=event.pk).deleted_at is None
    assert not Message.objects.filter(pk=line.pk).exists()


def test_messages_and_sessions_are_forgotten(client, operator, told):
    line, event, *_ = told
    other = MessageFactory(session__bond=line.bond, session__status="closed", session__message_count=1)

    asked = act(client, "message", "forget", line)
    act(client, "message", "forget", line, confirmed="1")
    act(client, "session", "forget", other.session, confirmed="1")

    assert f"/admin/memory/event/{event.pk}/change/" in asked
    assert Message.objects.get(pk=line.pk).deleted_at is not None
    assert Session.objects.get(pk=other.session.pk).deleted_at is not None


def test_a_session_that_waits_for_a_reply_says_why_it_stays(client, operator, bond):
    talk = SessionFactory(bond=bond, message_count=1, held_until=timezone.now() + timedelta(minutes=5))

    page = act(client, "session", "forget", talk, confirmed="1")

    assert "A reply in this chat is being written" in page
    assert Session.objects.get(pk=talk.pk).deleted_at is None


def test_those_who_may_only_look_forget_nothing(client, told):
    line, event, *_ = told
    lin = line.bond.user
    lin.is_staff = True
    lin.save()
    lin.user_permissions.set(Permission.objects.filter(codename__startswith="view_"))
    client.force_login(lin)

    page = client.get(f"/admin/memory/event/{event.pk}/change/").content.decode()
    act(client, "event", "forget", event, confirmed="1", dependents="orphan", lines="keep")

    assert "The harbour froze." in page
    assert "Forget" not in page
    assert client.get(f"/admin/memory/event/{event.pk}/forget/").status_code == 403
    assert not Forgotten.objects.exists()


def test_evidence_is_linked_both_ways_down_to_the_messages(client, operator, told):
    line, event, thought, hope = told

    of_event, of_thought, of_line = (
        client.get(f"/admin/memory/{model}/{row.pk}/change/").content.decode()
        for model, row in (("event", event), ("thought", thought), ("message", line))
    )

    def links(page, *rows):
        return [f'href="/admin/memory/{model}/{row.pk}/change/"' in page for model, row in rows]

    assert links(of_event, ("message", line), ("thought", thought), ("expectation", hope)) == [True, True, True]
    assert links(of_thought, ("event", event), ("message", line), ("expectation", hope)) == [True, True, True]
    assert links(of_line, ("event", event)) == [True]


def test_only_two_of_one_bond_are_merged(client, operator, bond):
    ann, anna, stranger = (
        EntityFactory(bond=one, canonical_name=name)
        for one, name in ((bond, "Ann"), (bond, "Anna"), (BondFactory(), "Anne"))
    )

    pages = [
        act(client, "entity", "merge", *chosen, kept=ann.pk)
        for chosen in ((ann,), (ann, stranger), (ann, anna, stranger))
    ]

    assert ["Choose two of one bond" in page for page in pages] == [True, True, True]
    assert not EntityMerge.objects.exists()


def test_two_are_told_apart_and_a_merge_undone_says_why_not_twice(client, operator, bond):
    ann, anna, merged = (EntityFactory(bond=bond, canonical_name=name) for name in ("Ann", "Anna", "Annie"))
    merge = merging.merge_entities(kept=ann, merged=merged, by="owner", now=NOW)

    act(client, "entity", "separate", ann, anna)
    act(client, "entitymerge", "undo", merge)
    page = act(client, "entitymerge", "undo", merge)

    assert Separation.objects.get().decided_by == "operator"
    assert "is already undone" in page


def test_an_entity_is_edited(client, operator, bond):
    ann = EntityFactory(bond=bond, canonical_name="Ann", kind="person")
    EntityFactory(bond=bond, canonical_name="Teo", kind="person")
    form = {
        "canonical_name": "Annika",
        "kind": "person",
        "aliases": "Ann\n\n Ann from  the yard",
        "description": "A friend.",
    }

    taken = client.post(f"/admin/memory/entity/{ann.pk}/edit/", form | {"canonical_name": "Teo"}).content.decode()
    answer = client.post(f"/admin/memory/entity/{ann.pk}/edit/", form)

    assert "already has the name “Teo”" in taken
    assert answer.status_code == 302
    ann.refresh_from_db()
    names = sorted(ann.aliases.filter(deleted_at=None).values_list("name", flat=True))
    assert (ann.canonical_name, ann.description, ann.description_by, names) == (
        "Annika",
        "A friend.",
        "owner",
        ["Ann", "Ann from the yard", "Annika"],
    )


def test_a_description_nobody_touched_stays_the_companions(client, operator, bond):
    ann = EntityFactory(
        bond=bond, canonical_name="Ann", kind="person", description="A friend.", description_by="slow_tick"
    )
    form = {"canonical_name": "Ann", "kind": "pet", "aliases": "Ann", "description": "A friend."}

    client.post(f"/admin/memory/entity/{ann.pk}/edit/", form)

    ann.refresh_from_db()
    assert (ann.kind, ann.description_by) == ("pet", "slow_tick")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("harbour", [True, False, False]),
        ("ARBO", [True, False, False]),
        ("妈妈", [False, True, False]),
        ("妈", [False, True, False]),
        ("100%", [False, False, True]),
        ("%", [False, False, True]),
        ("妈爸", [False, False, False]),
        ("   ", [True, True, True]),
    ],
)
def test_messages_are_found_by_any_part(client, operator, asked, expected):
    said = ("The harbour froze over.", "我妈妈来了。", "I am 100% sure.")
    lines = [MessageFactory(content=content) for content in said]

    assert found(client, "message", lines, f"q={asked.replace('%', '%25')}") == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("emotional_impact_from=8", [True, False, False]),
        ("emotional_impact_from=-9&emotional_impact_to=7", [False, True, True]),
        ("tag=grief", [False, True, False]),
        ("tag=gr%00ief", [False, True, False]),
        ("tag=vulnerability", [False, False, True]),
        ("subject__exact=persona", [False, False, True]),
        ("state__exact=superseded", [False, True, False]),
        ("q=froze", [True, False, False]),
        ("q=freezing", [False, False, False]),
        ("emotional_impact_from=abc", [True, True, True]),
    ],
)
def test_events_are_filtered(client, operator, bond, query, expected):
    nodes = [
        ConceptNodeFactory(bond=bond, description="The harbour froze.", emotional_impact=8),
        ConceptNodeFactory(bond=bond, emotional_impact=7, emotion_tags=["grief"], state="superseded"),
        ConceptNodeFactory(bond=bond, emotional_impact=-9, relational_tags=["vulnerability"], subject="persona"),
    ]

    assert found(client, "event", nodes, query) == expected


def test_events_are_filtered_by_whose_they_are(client, operator):
    one, other = (ConceptNodeFactory() for _ in range(2))

    assert found(client, "event", [one, other], f"bond__user__id__exact={one.bond.user_id}") == [True, False]
    assert found(client, "event", [one, other], f"bond__persona__id__exact={other.bond.persona_id}") == [False, True]


HOSTILE = '<script>alert("x")</script><img src=x onerror=alert(1)>\u202e'


def test_hostile_text_is_shown_as_text(client, operator, bond):
    line = MessageFactory(session__bond=bond, session__message_count=1, session__summary=HOSTILE, content=HOSTILE)
    event = ConceptNodeFactory(bond=bond, description=HOSTILE, emotion_tags=["<b>"], sources=[line])
    ann = EntityFactory(bond=bond, canonical_name="<b>Ann</b>", description=HOSTILE, nodes=[event])
    anna = EntityFactory(bond=bond, canonical_name="<b>Anna</b>")

    pages = [
        client.get(f"/admin/memory/{path}").content.decode()
        for model, row in (("message", line), ("event", event), ("entity", ann), ("session", line.session))
        for path in (f"{model}/", f"{model}/{row.pk}/change/", f"{model}/{row.pk}/forget/")
    ]
    pages += [
        act(client, "entity", "merge", ann, anna),
        client.get(f"/admin/memory/entity/{ann.pk}/edit/").content.decode(),
    ]

    assert [page for page in pages if "<script>alert" in page or "<img src=x" in page or "<b>" in page] == []


def test_the_days_of_an_event_are_told_as_the_reader_writes_them(client, operator, bond):
    days = {"event_time_start": NOW.date().replace(day=2), "event_time_end": NOW.date().replace(day=3)}
    event = ConceptNodeFactory(bond=bond, **days)

    page = client.get(f"/admin/memory/event/{event.pk}/change/", headers={"Accept-Language": "zh-CN"}).content.decode()

    assert ["2026年11月2日" in page, "2026年11月3日" in page, "2026-11-0" in page] == [True, True, False]


def detail(model, row, page):
    return f"/admin/memory/{model}/{row.pk}/{page}/"


def test_the_points_of_a_story_are_named_in_the_language_of_the_reader(client, operator, bond):
    version = create_version(bond, points=[build_point("The cat jumps.")])

    shown = client.get(detail("storyversion", version, "change"), headers={"accept-language": "zh-hans"})

    parts = [panel for panel in shown.context["panels"] if panel.head[0] == "部分"]
    assert [(row[0], str(row[2])) for panel in parts for row in panel.rows] == [("发生了什么", "规则")]
    assert "队列" in client.get("/admin/django_q/ormq/", headers={"accept-language": "zh-hans"}).content.decode()


def test_a_memory_is_corrected_and_the_old_one_stays_as_history(client, operator, told):
    _, event, _, _ = told
    shown = client.get(detail("event", event, "change")).content.decode()
    asked = client.get(detail("event", event, "correct")).content.decode()

    answer = client.post(
        detail("event", event, "correct"), {"description": "The river froze.", "emotional_impact": "-10"}
    )

    event.refresh_from_db()
    newer = event.superseded_by
    assert detail("event", event, "correct") in shown
    assert "The harbour froze." in asked
    assert answer["Location"] == detail("event", newer, "change")
    assert (event.state, newer.description, newer.emotional_impact, newer.origin) == (
        "superseded",
        "The river froze.",
        -10,
        "user",
    )
    assert BondEvent.objects.filter(bond_id=event.bond_id, type="memory.node.updated").exists()
    assert detail("event", event, "correct") not in client.get(detail("event", event, "change")).content.decode()
    assert client.get(detail("event", event, "correct")).status_code == 403


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"description": " "}, "description"),
        ({"description": "x" * 2001}, "description"),
        ({"emotional_impact": "11"}, "emotional_impact"),
        ({"emotional_impact": "-11"}, "emotional_impact"),
        ({"emotional_impact": "much"}, "emotional_impact"),
    ],
)
def test_a_correction_that_cannot_be_says_why(client, operator, told, wrong, field):
    _, event, _, _ = told

    page = client.post(detail("event", event, "correct"), {"description": "It froze.", "emotional_impact": "1"} | wrong)

    event.refresh_from_db()
    assert (page.status_code, list(page.context["form"].errors), event.state) == (200, [field], "live")


@pytest.mark.parametrize(("kind", "outcome"), [("expectation", "fulfilled"), ("intention", "broken")])
def test_a_promise_is_settled_by_hand_once(client, operator, bond, kind, outcome):
    hope = ConceptNodeFactory(bond=bond, type=kind, description="They will sail.")
    path = detail(kind, hope, "settle")
    assert path in client.get(detail(kind, hope, "change")).content.decode()
    asked = client.get(path).content.decode()

    client.post(path, {"outcome": outcome})

    hope.refresh_from_db()
    assert f'value="{outcome}"' in asked
    assert (hope.state, hope.state_reason) == (outcome, "by hand")
    assert path not in client.get(detail(kind, hope, "change")).content.decode()
    assert client.post(path, {"outcome": outcome}).status_code == 403


@pytest.mark.parametrize("outcome", ["", "kept", "superseded", "expired!"])
def test_an_outcome_that_it_cannot_have_is_not_taken(client, operator, told, outcome):
    *_, hope = told

    page = client.post(detail("expectation", hope, "settle"), {"outcome": outcome})

    hope.refresh_from_db()
    assert (page.status_code, list(page.context["form"].errors), hope.state) == (200, ["outcome"], "pending")


def test_events_are_not_settled(client, operator, told):
    _, event, thought, _ = told

    assert [client.get(detail(row.type, row, "settle")).status_code for row in (event, thought)] == [302, 302]


def test_those_who_may_only_look_correct_and_settle_nothing(client, told):
    _, event, _, hope = told
    lin = UserFactory(username="lin", is_staff=True)
    names = ("view_event", "view_expectation", "delete_event", "see_others_memory")
    lin.user_permissions.set(Permission.objects.filter(codename__in=names))
    client.force_login(lin)
    shown = client.get(detail("event", event, "change")).content.decode()

    answers = [
        client.post(detail("event", event, "correct"), {"description": "x", "emotional_impact": "1"}).status_code,
        client.post(detail("expectation", hope, "settle"), {"outcome": "missed"}).status_code,
    ]

    assert (answers, detail("event", event, "correct") in shown) == ([403, 403], False)


def test_what_is_read_to_be_corrected_is_written_down(client, told):
    _, event, _, _ = told
    lin = UserFactory(username="lin", is_staff=True)
    lin.user_permissions.set(
        Permission.objects.filter(codename__in=("view_event", "change_event", "see_others_memory"))
    )
    client.force_login(lin)

    client.get(detail("event", event, "correct"))

    assert list(AccessLog.objects.values_list("reader_name", "section", "person")) == [
        ("lin", "event", event.bond.user_id)
    ]


@pytest.fixture
def fact(bond):
    """A fact that two companions know."""
    other = BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))
    node = facts.save(bond).node
    sharing.share(node=node, now=NOW)
    return node, other


def test_a_fact_is_corrected_with_its_copies(client, operator, bond, fact):
    node, other = fact
    same = client.post(detail("fact", node, "correct"), {"description": facts.NUTS}).content.decode()

    answer = client.post(detail("fact", node, "correct"), {"description": facts.LEEDS})

    assert "This is what is noted already." in same
    newer = ConceptNode.objects.live_facts().get(bond=bond)
    assert answer["Location"] == detail("fact", newer, "change")
    assert facts.live(bond) == facts.live(other) == [facts.LEEDS]


def test_a_fact_is_told_of_the_user_with_days_as_people_write_them(client, operator, bond):
    held = FactFactory(bond=bond, slot="preferred_name", value="Al", event_time_start=date(2026, 12, 4))

    page = client.get(detail("fact", held, "change")).content.decode()
    listed = client.get("/admin/memory/fact/").content.decode()

    assert [said in page for said in ("About the user", "the user said it", "4 Dec 2026")] == [True] * 3
    assert "what the user is called: Al" in listed
    assert [said for said in ("About you", "you said it", "2026-12-04", "what you are") if said in page + listed] == []


@pytest.mark.parametrize(("length", "status"), [(600, 302), (601, 200)])
def test_a_fact_is_corrected_in_six_hundred_characters(client, operator, fact, length, status):
    answer = client.post(detail("fact", fact[0], "correct"), {"description": "d" * length})

    assert answer.status_code == status


def test_a_fact_is_forgotten_with_its_copies(client, operator, bond, fact):
    node, other = fact
    asked = act(client, "fact", "forget", node)

    act(client, "fact", "forget", node, confirmed="1")

    assert "Forget this?" in asked
    assert facts.live(bond) == facts.live(other) == []
    assert FactWrite.objects.filter(op="forgotten").count() == 2
