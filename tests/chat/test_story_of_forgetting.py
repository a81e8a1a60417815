"""A fact that was said in three sessions, extracted, reflected on, described and summarized, and then forgotten."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.test import Client

from memory import tasks
from memory.consolidation.slow_tick import run
from memory.models import ConceptNode, Entity, Message, Session, Tombstone
from tests.support import traces
from tests.support.factories import NOW, BondFactory
from tests.support.fakes import FakeLLM
from tests.support.rest import api
from tests.support.talking import close, consolidate, fill_window, say
from tests.support.talks import event, extraction, thoughts

pytestmark = pytest.mark.django_db(transaction=True)
MARK = "Zanzibarquux"
FACT = f"Anna is treated for {MARK}."
ANNA = {"canonical_name": "Anna", "kind": "person", "in_events": [0, 1, 2]}
SYSTEM = {"canonical_name": MARK, "kind": "other", "in_events": [0]}
PATHS = (
    *("messages/", "sessions/", "memory/events/", "memory/thoughts/", "memory/expectations/", "memory/entities/"),
    *("memory/timeline/", "memory/mood/", "memory/slow-ticks/", f"memory/search/?q={MARK}"),
)


def told(*more, summary=f"Anna and {MARK}."):
    """The model's answers for a session in which the fact was said. User and persona alternate."""
    facts = [event(FACT, lines=[1], impact=-6), *(event(said, lines=[3]) for said in more)]
    return extraction(*facts, session_summary=summary, mentioned_entities=[ANNA, SYSTEM])


def talk(bond, *lines, now, answer, reflection=()):
    """A session whose replies repeat the user's messages; consolidated."""
    for message in lines:
        turn = say(bond, message, now=now, llm=FakeLLM(f"You said: {message}"))
        assert turn.status == "done", turn.error_detail
    llm = FakeLLM(answers={"extraction": answer, "reflection": thoughts(*reflection)})
    return close(bond, now=now + timedelta(minutes=1), llm=llm)


def said_in_three_talks(bond):
    others = ("Anna is the user's sister.", "Anna lives in Bern.")
    first = talk(bond, FACT, "My sister lives in Bern.", "She does.", now=NOW, answer=told(*others))
    node = ConceptNode.objects.get(description=FACT)
    thought = {"description": f"They fear {MARK}.", "emotional_impact": -4, "filling": [node.pk]}
    tomorrow = NOW + timedelta(days=1, minutes=1)
    talk(bond, FACT, "Yes.", "It is so.", now=tomorrow, answer=told("Anna has a doctor."), reflection=[thought])
    third = talk(bond, FACT, "Still.", "It is.", now=tomorrow + timedelta(hours=1), answer=told())
    think(bond, third, node, now=tomorrow + timedelta(hours=2))
    return first, node


def think(bond, session, node, *, now):
    anna = Entity.objects.get(canonical_name="Anna")
    answer = {
        "salient_questions": [f"Is {MARK} curable?"],
        "expectations": [{"about": f"{MARK}", "prediction": f"{MARK} ends.", "filling": [node.pk]}],
        "entity_descriptions": [{"entity": anna.pk, "description": f"A sister with {MARK}."}],
    }
    run.run(session_id=session.pk, llm=FakeLLM(answers={"slow_tick": answer}), clock=lambda: now)


def answers_with_it(bond):
    """Return the paths of the API and the pages that contain it, and whether a prompt does."""
    client, browser = api(bond.user), Client()
    browser.force_login(bond.user)
    found = [path for path in PATHS if MARK in client.get(f"/api/bonds/{bond.pk}/{path}").content.decode()]
    recalled = client.post(f"/api/bonds/{bond.pk}/memory/recall/", {"query": f"Anna and {MARK}"}).json()
    found += ["recall"] * any(MARK in item["node"]["description"] for item in recalled["items"])
    found += ["words"] * any(MARK in word["message"]["content"] for word in recalled["words"])
    exported = zipfile.ZipFile(io.BytesIO(downloaded(client, bond)))
    found += ["export"] * any(MARK.encode() in exported.read(name) for name in exported.namelist())
    found += ["page"] * (MARK in browser.get(f"/bonds/{bond.pk}/", follow=True).content.decode())
    return found


def downloaded(client, bond):
    response = client.get(f"/api/bonds/{bond.pk}/export/")
    return b"".join(response.streaming_content) if response.streaming else response.content


def prompt(bond, *, now):
    llm = FakeLLM("Hm.")
    say(bond, "How is Anna?", now=now, llm=llm)
    return llm.calls[0].text


def run_queued(name):
    for session in Session.objects.order_by("id"):
        getattr(tasks, name)(session.pk)


def test_a_fact_is_forgotten_everywhere_and_learned_again_only_when_it_is_said_again():
    bond = BondFactory(user__username="mara")
    first, node = said_in_three_talks(bond)
    url = f"/api/bonds/{bond.pk}/memory/events/{node.pk}/"
    messages = sorted(Message.objects.filter(content__contains=MARK).values_list("pk", flat=True))
    node.refresh_from_db()
    assert (node.mention_count, len(messages)) == (3, 6)
    preview = api(bond.user).get(f"{url}dependents/").json()
    known_by = answers_with_it(bond)

    status = api(bond.user).delete(f"{url}?dependents=cascade&lines=forget").status_code

    assert (preview["messages"], len(preview["summaries"]), len(preview["dependents"])) == (messages, 3, 2)
    assert {"messages/", "memory/events/", "memory/thoughts/", "memory/slow-ticks/", "recall", "page", "export"} <= {
        *known_by
    }
    assert (status, answers_with_it(bond)) == (204, [])
    fill_window(bond)
    assert MARK not in prompt(bond, now=NOW + timedelta(days=2))
    run_queued("summarise")
    assert [MARK in summary for summary in Session.objects.values_list("summary", flat=True)] == [False] * 5
    call_command("purge", "--now")
    assert traces.places(MARK) == []

    Session.objects.filter(pk=first.pk).update(watermark=0, status="closing")
    first.steps.all().delete()
    again = FakeLLM(answers={"extraction": told(), "reflection": thoughts()})
    consolidate(first, now=NOW + timedelta(days=3), llm=again)
    assert answers_with_it(bond) == []
    assert traces.places(MARK) == []

    talk(bond, FACT, "It is back.", "Sadly.", now=NOW + timedelta(days=4), answer=told())
    assert ConceptNode.objects.current().filter(description=FACT).exists()
    assert not Tombstone.objects.filter(of="node", object_id=node.pk).exists()
