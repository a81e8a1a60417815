import re

import pytest
from django.urls import reverse
from django.utils import timezone

from echovessel.embeddings import embedding
from memory.facts import acts, drafts, undoing, writing
from memory.facts.shared import sharing
from memory.models import ConceptNode, FactWrite, Message
from personas import blocks
from tests.support import facts
from tests.support.factories import NOW, BondFactory, ConceptNodeFactory, FactFactory, MessageFactory, SessionFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db
# A fact as its page tells it to the reader.
YOUR_NUTS = "You cannot eat nuts."


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

    parts = [
        "<h2>About you",
        YOUR_NUTS,
        "you said it",
        "Plays chess.",
        "picked up",
        "You live in Leeds.",
        "you wrote it",
    ]
    parts += ["<h2>How to talk with you", "Likes jokes.", "a guess"]
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
        {"description": "I live in Hull. I like it", "facet": "about_you", "slot": "home", "value": "Hull"},
    )
    newer = ConceptNode.objects.live_facts().get()
    assert newer.description == "The user lives in Hull. The user likes it."
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


def test_a_question_is_chosen_with_its_answer(client, bond):
    asked = {"description": "I live by the sea.", "facet": "about_you", "slot": "home", "value": ""}

    answer = client.post(url("add_fact", bond), asked)

    assert (answer.status_code, ConceptNode.objects.count()) == (422, 0)
    assert "Say the answer, or choose" in answer.content.decode()


def test_what_the_form_empties_is_taken_away(client, bond):
    told = {"description": "Lives in York.", "facet": "about_you", "slot": "home", "value": "York"}
    client.post(url("add_fact", bond), told | {"detail": "By the river.", "since": "2026-03-01"})
    node = ConceptNode.objects.get()

    emptied = {"detail": "", "slot": "", "value": "", "since": "", "until": ""}
    client.post(url("change_fact", bond, node.pk), told | emptied)

    newer = ConceptNode.objects.live_facts().get()
    assert (newer.description, newer.detail, newer.slot, newer.value) == ("Lives in York.", "", "", "")
    assert newer.event_time_start is None


def test_nearly_the_same_is_added_on_the_second_press(client, bond):
    for told in ("The user plays the piano.", "The user plays piano."):
        response = client.post(url("add_fact", bond), {"description": told, "facet": "about_you"})
    once = ConceptNode.objects.live_facts().count()

    client.post(url("add_fact", bond), {"description": told, "facet": "about_you"})

    assert (response.status_code, once, ConceptNode.objects.live_facts().count()) == (422, 1, 2)
    assert "noted already: “You play the piano.” Save it again to keep both." in response.content.decode()


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"description": "d" * 601}, "600"),
        ({"description": "My password is hunter2hunter2"}, "Passwords, card numbers and keys"),
        ({"description": "Tea.", "since": "2026-03-02", "until": "2026-03-01"}, "It ends before it begins."),
        ({"description": "Tea.", "until": "9999-12-31"}, "A day is between 0001-01-03 and 9999-12-29."),
        ({"description": "Tea.", "since": "0001-01-01"}, "A day is between 0001-01-03 and 9999-12-29."),
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

    assert blocks.find(bond, "user").content == "I am Mara.\nmara cannot eat nuts."


@pytest.mark.parametrize("state", ["live", "uncertain", "superseded"])
@pytest.mark.parametrize(("lines", "left"), [("forget", 0), ("keep", 1)])
def test_the_messages_of_a_fact_go_with_it_where_the_reader_chose_so(state, lines, left, client, bond):
    line = MessageFactory(session=SessionFactory(bond=bond), content="I cannot eat nuts.")
    node = FactFactory(bond=bond, description=facts.NUTS, state=state, sources=[line])
    assert line.content in shown(client, "forget_memory", bond, node.pk)

    client.post(url("forget_memory", bond, node.pk), {"lines": lines})

    assert Message.objects.visible().count() == left


def test_the_page_names_what_goes_with_a_fact_and_what_is_alike_and_stays(client, bond):
    line = MessageFactory(session=SessionFactory(bond=bond), content="I cannot eat nuts.")
    event = ConceptNodeFactory(bond=bond, description="The user said that they cannot eat nuts.", sources=[line])
    node = FactFactory(bond=bond, description=facts.NUTS, sources=[line], evidence=[event])
    twin = ConceptNodeFactory(bond=bond, description="The user cannot eat nuts at all.")
    for one in (event, node, twin):
        [vector] = embedding.embed([one.description])
        ConceptNode.objects.filter(pk=one.pk).update(embedding=vector, embedding_model=embedding.get_model_name())

    of_fact, of_twin = (shown(client, "forget_memory", bond, one.pk) for one in (node, twin))

    goes, stays = of_fact[of_fact.index("Forgotten with it") :].split("Similar, and kept")
    assert ("said that" in goes, "said that" in stays, "at all" in stays) == (True, False, True)
    assert ("memory that came from" in of_fact, "it is based on stay" in of_fact) == (False, False)
    assert YOUR_NUTS in of_twin[of_twin.index("Similar, and kept") :]
    client.post(url("forget_memory", bond, node.pk), {"lines": "keep"})
    assert list(ConceptNode.objects.not_deleted()) == [twin]


def test_what_another_companion_was_told_stays_where_a_shared_fact_goes_with_its_messages(client, bond):
    other = BondFactory(user=bond.user)
    lines = [MessageFactory(session=SessionFactory(bond=one), content="I cannot eat nuts.") for one in (bond, other)]
    node, _ = [facts.save(line.bond, by=facts.writer(messages=[line])).node for line in lines]
    sharing.share(node=node, now=NOW)

    client.post(url("forget_memory", bond, node.pk), {"lines": "forget"})

    assert (facts.live(bond), facts.live(other)) == ([], [])
    assert list(Message.objects.visible()) == lines[1:]


def test_a_fact_is_forgotten_shown_below_and_undone_among_the_changes(client, bond):
    line = MessageFactory(session=SessionFactory(bond=bond), content="I cannot eat nuts.")
    node = facts.save(bond, by=facts.writer(messages=[line])).node

    client.post(url("forget_memory", bond, node.pk), {"lines": "forget"})

    page = shown(client, "facts", bond)
    assert YOUR_NUTS in page[page.index("Recently forgotten") :]
    assert YOUR_NUTS in shown(client, "trash", bond)
    changes = shown(client, "fact_changes", bond)
    assert "Forgotten" in changes
    assert YOUR_NUTS not in changes
    write = FactWrite.objects.get(op="forgotten")
    assert client.post(url("undo_write", bond, write.pk)).url == url("fact_changes", bond)
    assert (facts.live(bond), Message.objects.visible().count()) == ([facts.NUTS], 1)


def test_what_was_forgotten_together_is_counted(client, bond):
    node, along = facts.save(bond).node, facts.save(bond, "The user keeps bees.").node
    acts.forget(bond=bond, node=node, rewordings=[along], writer=facts.writer())

    changes = shown(client, "fact_changes", bond)

    assert ("2 memories" in changes, "and one more" in changes) == (True, False)


def test_what_a_close_noted_as_past_is_no_more_so(client, bond):
    session = SessionFactory(bond=bond, status="closed")
    line = MessageFactory(session=session, content="I live in Leeds.")
    [fact] = drafts.prepare([facts.home()])
    by = facts.job(session=session, messages=[line])
    writing.save_past(bond=bond, fact=fact, successor=None, held=(NOW, NOW), writer=by)

    changes = shown(client, "fact_changes", bond)

    assert re.search(r"No longer true.{0,80}You live in Leeds\.", changes, re.DOTALL)
    assert "Remembered" not in changes


def test_an_undo_that_came_too_late_says_so(client, bond):
    writer = facts.writer(now=timezone.now())
    write = acts.save(bond=bond, draft=facts.home(), writer=writer)
    acts.end(bond=bond, node=write.node, writer=writer)

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


def noted(bond, said, replied, *, at=None, **more):
    """A line and the reply to it."""
    session = SessionFactory(bond=bond)
    at = at or timezone.now()
    asked = MessageFactory(session=session, content=said, created_at=at)
    return asked, MessageFactory(
        session=session, role="persona", content=replied, turn_id=asked.turn_id, created_at=at, **more
    )


@pytest.mark.parametrize(
    ("said", "replied"),
    [
        ("It rains.", "Noted, I will remember that."),
        ("Please remember that I eat no nuts.", "Do you?"),
        ("下雨了。", "记住了。"),
    ],
)
def test_a_reply_where_nothing_was_noted_says_so_and_leads_to_writing_it_down(client, bond, said, replied):
    asked, _ = noted(bond, said, replied)

    page = client.get(url("bond", bond)).content.decode()
    form = client.get(url("facts", bond), {"turn": asked.turn_id}).content.decode()

    assert page.count("Nothing was noted") == 2  # one is the template of the page's scripts
    assert f'href="{url("facts", bond)}?turn={asked.turn_id}#add"' in page
    assert ('id="add" open' in form, said.rstrip(".。")[-8:] in form) == (True, True)


@pytest.mark.parametrize(
    "change",
    [
        {"replied": "Does it?"},
        {"cut_off": True},
        {"at": NOW},
        {"said_before": True},
        {"written": True},
    ],
    ids=["no claim", "cut off", "long ago", "noted before", "written"],
)
def test_other_replies_say_nothing_of_it(client, bond, change):
    more = {name: change[name] for name in ("cut_off", "at") if name in change}
    asked, _ = noted(bond, "It rains.", change.get("replied", "Noted."), **more)
    if "said_before" in change:
        facts.save(bond, by=facts.writer(messages=[asked]))
    if "written" in change:
        facts.save(bond, by=facts.writer(turn_id=asked.turn_id))

    assert client.get(url("bond", bond)).content.decode().count("Nothing was noted") == 1


@pytest.mark.parametrize("turn", ["nonsense", "00000000-0000-0000-0000-000000000000"])
def test_a_turn_that_is_none_fills_in_nothing(client, bond, turn):
    assert 'id="add" open' not in client.get(f"{url('facts', bond)}?turn={turn}").content.decode()


def test_charlie_reads_nothing_of_a_turn_of_mara(client, bond):
    asked, _ = noted(BondFactory(), "My secret is a lighthouse.", "Noted.")

    assert "lighthouse" not in client.get(f"{url('facts', bond)}?turn={asked.turn_id}").content.decode()


@pytest.mark.parametrize("op", FactWrite.Op.values)
def test_each_kind_has_one_line_at_its_place_and_as_a_part_for_open_pages(client, bond, op):
    asked, reply = noted(bond, "Hello.", "Hm, well.")
    node, other = facts.save(bond).node, facts.save(bond, facts.LEEDS).node
    write = FactWrite.objects.create(
        bond=bond,
        node=node,
        old=[other.pk] if op in ("changed", "linked", "merged", "settled") else [],
        op=op,
        by="tool",
        turn_id=asked.turn_id,
        message=reply,
        offset=3,
        created_at=timezone.now(),
    )
    word = {"saved": "Remembered", "ended": "No longer true"}.get(op, op.capitalize())

    page = client.get(url("bond", bond)).content.decode()
    part = client.get(url("write_line", bond, write.pk)).content.decode()

    assert page.count(f'data-write="{write.pk}"') == 1
    assert page.index(f'id="message-{reply.pk}"') < page.index(f'data-write="{write.pk}"')
    for shown in (part, page):
        assert 'data-offset="3"' in shown
        assert f">{word}</span>" in shown
    assert ("You cannot eat nuts." in part, "You live in Leeds." in part) == (True, bool(write.old))


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


def test_the_rule_of_a_chat_says_how_many_facts_its_close_learned_and_leads_to_them(client, bond):
    session = SessionFactory(bond=bond, status="closed", title="Nuts & towns")
    MessageFactory(session=session, content="I can't eat nuts.")
    at_close = facts.writer(by="close", session=session)
    facts.save(bond, by=at_close)
    facts.save(bond, facts.LEEDS, by=at_close)
    undoing.undo(write=facts.save(bond, "The user keeps bees.", by=at_close), now=NOW)
    facts.save(bond, "The user is a nurse.", by=facts.writer(by="rule", session=session))

    page = shown(client, "bond", bond)
    changes = client.get(f"{url('fact_changes', bond)}?learned={session.pk}").content.decode()
    foreign = client.get(f"{url('fact_changes', bond)}?learned={SessionFactory().pk}").content.decode()

    rule = client.get(url("session_divider", bond, session.pk)).content.decode()
    assert "2 facts learned</a>" in page
    assert "2 facts learned</a>" in rule
    assert client.get(url("session_divider", bond, SessionFactory().pk)).status_code == 404
    assert f'{url("fact_changes", bond)}?learned={session.pk}"' in page
    assert "Learned when “Nuts &amp; towns” ended." in changes
    assert [text in changes for text in (YOUR_NUTS, "You live in Leeds.", "a nurse")] == [True, True, False]
    assert "a nurse" in foreign


@pytest.mark.parametrize(
    ("stored", "shown"),
    [
        ("The user's boss is called Priya.", "My boss is called Priya."),
        ("The user grew up in Kent with their brother.", "I grew up in Kent with my brother."),
        ("用户住在成都。", "我住在成都。"),
        ("The user told Hannah that you are kind.", "The user told Hannah that you are kind."),
    ],
)
def test_a_fact_is_edited_in_the_words_of_who_writes_it(client, bond, stored, shown):
    node = FactFactory(bond=bond, description=stored)

    form = client.get(url("memory", bond, node.pk)).context["form"]
    client.post(url("change_fact", bond, node.pk), {"description": form.initial["description"], "facet": node.facet})

    assert (form.initial["description"], facts.live(bond)) == (shown, [stored])
