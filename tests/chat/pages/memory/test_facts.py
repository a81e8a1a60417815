import pytest
from django.urls import reverse

from memory.facts import acts
from memory.models import ConceptNode, FactWrite, Message
from personas import blocks
from tests.support import facts
from tests.support.factories import NOW, BondFactory, MessageFactory, SessionFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond(client):
    bond = BondFactory(user__username="mara")
    client.force_login(bond.user)
    return bond


def url(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def shown(client, name, bond, *more):
    return markup_of(client.get(url(name, bond, *more)))


def test_facts_are_shown_by_kind_with_how_they_came_to_be_known(client, bond):
    acts.save(bond=bond, draft=facts.home(), writer=facts.writer(by="person"))
    acts.save(bond=bond, draft=facts.draft("Plays chess."), writer=facts.job())
    acts.save(bond=bond, draft=facts.draft("Likes jokes.", facet="how_to_talk"), writer=facts.guess())
    facts.save(bond)

    page = shown(client, "facts", bond)

    parts = ["<h2>About you", "you said it", facts.NUTS, "picked up", "Plays chess.", "you wrote it", facts.LEEDS]
    parts += ["home: Leeds", "<h2>How to talk with you", "a guess", "Likes jokes."]
    positions = [page.index(part) for part in parts]
    assert positions == sorted(positions)


def test_a_fact_is_added_changed_confirmed_and_ended(client, bond):
    added = client.post(
        url("add_fact", bond), {"description": "Lives in York.", "facet": "about_you", "slot": "home", "value": "York"}
    )
    assert added.url == url("facts", bond)
    node = ConceptNode.objects.get()
    assert (node.slot, node.value, node.tier) == ("home", "York", "stated")

    changed = client.post(
        url("change_fact", bond, node.pk),
        {"description": "Lives in Hull.", "facet": "about_you", "slot": "home", "value": "Hull"},
    )
    newer = ConceptNode.objects.live_facts().get()
    assert changed.url == url("memory", bond, newer.pk)
    assert "Lives in York." in shown(client, "memory", bond, newer.pk)

    client.post(url("confirm_fact", bond, newer.pk))
    client.post(url("end_fact", bond, newer.pk), {"reason": "wrong"})
    newer.refresh_from_db()
    assert (newer.state, newer.state_reason, newer.mention_count) == ("superseded", "wrong", 2)
    assert list(FactWrite.objects.order_by("id").values_list("op", flat=True)) == [
        "saved",
        "changed",
        "confirmed",
        "ended",
    ]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"description": "d" * 601}, "600"),
        ({"description": "My password is hunter2hunter2"}, "Passwords, card numbers and keys"),
        ({"description": "Tea.", "since": "2026-03-02", "until": "2026-03-01"}, "It ends before it begins."),
    ],
    ids=str,
)
def test_what_is_refused_says_why(client, bond, asked, told):
    response = client.post(url("add_fact", bond), {"facet": "about_you"} | asked)

    assert response.status_code == 422
    assert told in response.content.decode()
    assert not ConceptNode.objects.exists()


def test_a_fact_is_written_into_the_text_about_the_user_once(client, bond):
    node = facts.save(bond).node
    blocks.save(holder=bond, label="user", content="I am Mara.", user=bond.user, now=NOW)

    for _ in range(2):
        client.post(url("write_about_user", bond, node.pk))

    assert blocks.find(bond, "user").content == f"I am Mara.\n{facts.NUTS}"


def test_a_fact_is_forgotten_shown_below_and_undone_among_the_changes(client, bond):
    node = facts.save(bond).node

    client.post(url("forget_memory", bond, node.pk))

    assert "Recently forgotten" in shown(client, "facts", bond)
    changes = shown(client, "fact_changes", bond)
    assert "Forgotten" in changes
    assert facts.NUTS not in changes
    write = FactWrite.objects.get(op="forgotten")
    assert client.post(url("undo_write", bond, write.pk)).url == url("fact_changes", bond)
    assert facts.live(bond) == [facts.NUTS]


def test_an_undo_that_came_too_late_says_so(client, bond):
    write = acts.save(bond=bond, draft=facts.home(), writer=facts.writer())
    acts.end(bond=bond, node=write.node, writer=facts.writer())

    page = client.post(url("undo_write", bond, write.pk), follow=True)

    assert "This has been changed since" in page.content.decode()


def test_a_line_stands_at_the_reply_or_under_the_last_message(client, bond):
    session = SessionFactory(bond=bond)
    asked, alone = MessageFactory(session=session), MessageFactory(session=session)
    reply = MessageFactory(session=session, role="persona", turn_id=asked.turn_id)
    first = facts.save(bond, by=facts.writer(session=session, turn_id=asked.turn_id, offset=4))
    FactWrite.objects.filter(pk=first.pk).update(message=reply)
    second = facts.save(bond, facts.LEEDS, by=facts.writer(session=session, turn_id=alone.turn_id))

    page = client.get(url("bond", bond)).content.decode()

    def place(text):
        return page.index(text)

    assert place(f'id="message-{alone.pk}"') < place(f'data-write="{second.pk}"') < place(f'id="message-{reply.pk}"')
    assert place(f'id="message-{reply.pk}"') < place(f'data-write="{first.pk}"')
    assert 'data-offset="4"' in page


def test_asking_to_change_names_the_fact_on_the_composer(client, bond):
    node = facts.save(bond).node

    assert f'data-about="{node.pk}"' in client.get(f"{url('bond', bond)}?about={node.pk}").content.decode()
    assert "data-about=" not in client.get(url("bond", bond)).content.decode()
    assert Message.objects.count() == 0


def test_charlie_sees_and_does_nothing_of_mara(client):
    mara = BondFactory(user__username="mara")
    write = facts.save(mara)
    charlie = BondFactory(user__username="charlie")
    client.force_login(charlie.user)
    posts = [("change_fact", write.node_id), ("confirm_fact", write.node_id), ("end_fact", write.node_id)]
    posts += [("write_about_user", write.node_id), ("undo_write", write.pk)]

    answers = [client.post(url(name, bond, pk)).status_code for name, pk in posts for bond in (mara, charlie)]
    answers += [client.get(url("write_line", bond, write.pk)).status_code for bond in (mara, charlie)]
    answers += [client.get(url(name, mara)).status_code for name in ("facts", "fact_changes")]

    assert set(answers) == {404}
    assert "data-about=" not in client.get(f"{url('bond', charlie)}?about={write.node_id}").content.decode()
    assert facts.live(mara) == [facts.NUTS]
