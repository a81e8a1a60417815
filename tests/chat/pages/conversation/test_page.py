import gzip
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import translation

from memory.models import Message
from personas.models import Bond, CoreBlock, Persona
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    MoodChangeFactory,
    PersonaFactory,
    SessionFactory,
)
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", user__time_zone="Europe/Vienna")


def text(answer):
    return markup_of(answer)


def talk(bond, *contents, at=NOW, status="closed", **session):
    """A session with a message each minute, from user and persona in turn."""
    session = SessionFactory(bond=bond, started_at=at, status=status, message_count=len(contents), **session)
    roles = (Message.Role.USER, Message.Role.PERSONA)
    lines = [
        MessageFactory.build(session=session, content=content, role=roles[n % 2], created_at=at + timedelta(minutes=n))
        for n, content in enumerate(contents)
    ]
    return Message.objects.bulk_create(lines)


def test_a_stranger_to_the_site_is_welcomed(client, settings):
    open_door = text(client.get("/"))
    settings.SIGNUP_OPEN = False
    closed_door = text(client.get("/"))

    assert "Talk with someone who remembers." in open_door
    assert reverse("account_signup") in open_door
    assert reverse("account_signup") not in closed_door


def test_the_first_account_is_told_that_it_runs_the_install(client):
    first = text(client.get(reverse("account_signup")))
    client.post(
        reverse("account_signup"),
        {"username": "mara", "password1": "a blue kettle sings", "password2": "a blue kettle sings"},
    )
    client.logout()
    second = text(client.get(reverse("account_signup")))

    assert "This is the first account here." in first
    assert "This is the first account here." not in second


def test_someone_without_companions_is_led_on(charlie):
    page = text(charlie.get("/"))

    assert "Hello, charlie." in page
    assert reverse("new_companion") in page


def test_companions_show_their_last_message_and_the_latest_comes_first(mara, bond, django_assert_num_queries):
    quiet = BondFactory(user=bond.user, persona__name="Teo")
    talk(bond, "The tide is in.", "Then open the sluice.")

    with django_assert_num_queries(4):
        page = text(mara.get("/"))

    assert page.index("Then open the sluice.") < page.index(quiet.persona.name)
    assert "No messages yet." in page


def test_more_companions_take_no_more_queries(mara, bond, django_assert_num_queries):
    for name in ("Teo", "Ruth"):
        talk(BondFactory(user=bond.user, persona__name=name), "Good evening.")

    with django_assert_num_queries(4):
        mara.get("/")


def test_a_shared_persona_is_offered_and_begun_once(charlie):
    shared = PersonaFactory(name="Marian", visibility=Persona.Visibility.SHARED)

    offered = text(charlie.get("/"))
    answers = [charlie.post(reverse("begin_bond", args=[shared.pk])) for _ in range(2)]

    assert "Shared on this server" in offered
    bond = Bond.objects.get(user__username="charlie")
    assert [answer["Location"] for answer in answers] == [reverse("bond", args=[bond.pk])] * 2


def test_a_private_persona_cannot_be_begun_by_another(charlie):
    private = PersonaFactory()

    assert charlie.post(reverse("begin_bond", args=[private.pk])).status_code == 404


def test_a_ready_made_character_becomes_a_bond(charlie):
    listed = text(charlie.get(reverse("new_companion")))
    shown = text(charlie.get(reverse("ready_companion", args=["a-zhen"])))
    answer = charlie.post(reverse("ready_companion", args=["a-zhen"]), {"user": "I am Charlie."})

    assert reverse("ready_companion", args=["a-zhen"]) in listed
    assert "怒江边长大" in shown
    bond = Bond.objects.get(user__username="charlie")
    assert answer["Location"] == reverse("bond", args=[bond.pk])
    assert (bond.persona.name, bond.persona.language) == ("罗阿榛", "zh")
    assert bond.blocks.get(label=CoreBlock.Label.USER).content == "I am Charlie."


def test_an_unknown_character_is_not_found(charlie):
    assert charlie.get(reverse("ready_companion", args=["nobody"])).status_code == 404


def test_a_companion_is_written(charlie):
    answer = charlie.post(
        reverse("write_companion"),
        {"name": "Ines", "language": "en", "persona": "She repairs clocks.", "style": "Dry."},
    )

    bond = Bond.objects.get(user__username="charlie")
    assert answer["Location"] == reverse("bond", args=[bond.pk])
    assert dict(bond.persona.blocks.values_list("label", "content")) == {
        "persona": "She repairs clocks.",
        "style": "Dry.",
    }


@pytest.mark.parametrize(
    "wrong",
    [{"name": " "}, {"persona": ""}, {"persona": "x" * 5001}, {"language": "fr"}, {"name": "I\x00nes"}],
    ids=["blank name", "no text", "text too long", "unknown language", "control character"],
)
def test_what_cannot_be_kept_is_said_beside_its_field_and_nothing_typed_is_lost(charlie, wrong):
    answer = charlie.post(
        reverse("write_companion"),
        {"name": "Ines", "language": "en", "persona": "She repairs clocks.", "style": "Dry as old tea."} | wrong,
    )

    assert list(answer.context["form"].errors) == list(wrong)
    assert "Dry as old tea." in text(answer)
    assert not Bond.objects.exists()


def test_writing_may_begin_with_a_character(charlie):
    page = text(charlie.get(reverse("write_companion") + "?from=marian"))

    assert "Keeps a tide mill on the Suffolk coast" in page


def test_the_conversation_shows_days_sessions_and_messages_as_text(mara, bond):
    talk(bond, "<b>plums</b>", "With *sugar*?", at=NOW - timedelta(days=1), title="About plums")
    talk(bond, "They are blue.", at=NOW, status="open")

    page = text(mara.get(reverse("bond", args=[bond.pk])))

    page = page.split("data-messages>")[1].split("data-composer")[0]
    assert "&lt;b&gt;plums&lt;/b&gt;" in page
    marks = ['data-day="2026-11-20"', "About plums", "With *sugar*?", 'data-day="2026-11-21"', "They are blue."]
    assert sorted(marks, key=page.index) == marks
    # Nine in the evening in Vienna, with the exact moment as title.
    assert 'title="Saturday 21 November 2026, 21:00" data-show="clock">21:00</time>' in page


def test_an_empty_conversation_says_what_will_come(mara, bond):
    page = text(mara.get(reverse("bond", args=[bond.pk])))

    assert "Say whatever is on your mind." in page
    assert "No memories yet." in page
    assert "Your chats are listed here by day." in page


def test_without_a_model_server_the_page_says_so(mara, bond, settings):
    page = text(mara.get(reverse("bond", args=[bond.pk])))

    assert "No model server is connected." in page
    # From the first paint: shown by a script, the notice would move the composer.
    assert "data-voiceless>" in page


def test_earlier_messages_come_by_the_page_and_meet_without_doubled_marks(mara, bond):
    messages = talk(bond, *(f"line {n}" for n in range(60)))

    page = text(mara.get(reverse("bond", args=[bond.pk])))
    older = text(mara.get(reverse("bond_lines", args=[bond.pk]), {"before": messages[10].pk}))

    assert f'data-before="{messages[10].pk}"' in page
    assert page.split('id="say"')[0].count("data-rule") == 0
    assert [f"line {n}" in older for n in (0, 9, 10)] == [True, True, False]
    assert older.count("data-rule") == older.count("data-day") == 1
    assert "data-gap" not in older


def test_nonsense_in_the_address_is_as_if_it_were_not_there(mara, bond):
    talk(bond, "Hello.")

    page = text(mara.get(reverse("bond_lines", args=[bond.pk]), {"before": "x", "message": "9" * 30}))

    assert page.count("data-message=") == 1


def test_the_timeline_shows_every_kind_with_its_evidence(mara, bond):
    [message] = talk(bond, "My cat 小黑 jumps on my face.", status="failed", failure_detail="The model server is away.")
    event = ConceptNodeFactory(bond=bond, description="A cat at night", emotional_impact=-7, sources=[message])
    ConceptNodeFactory(bond=bond, type="thought", description="Nights are hers", evidence=[event])
    ConceptNodeFactory(bond=bond, type="expectation", state="fulfilled", description="He will do it again")
    ConceptNodeFactory(bond=bond, state="superseded", description="A black cat")
    FactFactory(bond=bond, state="superseded", state_reason="ended", description="No nuts")
    cat = EntityFactory(bond=bond, canonical_name="小黑")
    MoodChangeFactory(bond=bond, mood="amused", energy=6, session=None)
    talk(bond, "It rained.", title="Rain")

    page = text(mara.get(reverse("bond_memories", args=[bond.pk])))

    for shown in (
        "−7",
        "A cat at night",
        f'href="#message-{message.pk}"',
        f'href="#memory-node-{event.pk}"',
        f'href="{reverse("memory", args=[bond.pk, event.pk])}"',
        f'href="{reverse("person", args=[bond.pk, cat.pk])}"',
        "From one event",
    ):
        assert shown in page
    for shown in ("came true", "corrected later", "no longer true", "an animal", "amused", "energy 6 of 10", "Rain"):
        assert shown in page
    assert "The model server is away." in page
    assert f'data-post="sessions/{message.session_id}/consolidate/"' in page


def test_the_timeline_takes_as_many_queries_for_three_as_for_one(mara, bond, django_assert_num_queries):
    [message] = talk(bond, "a line")
    ConceptNodeFactory(bond=bond, sources=[message])
    url = reverse("bond_memories", args=[bond.pk])
    with django_assert_num_queries(10) as queries:
        mara.get(url)
    for _ in range(2):
        ConceptNodeFactory(bond=bond, sources=[message])

    with django_assert_num_queries(len(queries)):
        mara.get(url)


@pytest.mark.parametrize("name", ["bond", "bond_lines", "bond_sessions", "bond_memories", "bond_head"])
def test_another_persons_bond_is_not_found(charlie, bond, name):
    talk(bond, "A secret about plums.")

    answer = charlie.get(reverse(name, args=[bond.pk]))

    assert answer.status_code == 404
    assert "plums" not in text(answer)


@pytest.mark.parametrize("name", ["bond", "bond_lines", "bond_sessions", "bond_memories", "bond_head"])
def test_someone_who_is_not_signed_in_is_asked_to(client, bond, name):
    url = reverse(name, args=[bond.pk])

    assert client.get(url)["Location"] == f"{reverse('account_login')}?next={url}"


def test_the_pages_speak_chinese(client):
    page = text(client.get("/", headers={"Accept-Language": "zh-CN"}))

    assert "和记得你的人说说话。" in page
    assert '<html lang="zh-hans">' in page


def test_the_language_is_switched_and_stays(client):
    client.post(reverse("set_language"), {"language": "zh-hans", "next": "/"})

    assert "登录" in text(client.get(reverse("account_login")))


def test_the_catalogue_is_whole():
    with translation.override("zh-hans"):
        assert translation.gettext("Companions") == "伙伴"
        assert translation.ngettext("%(count)s event", "%(count)s events", 3) == "%(count)s 个事件"


def test_pages_are_sent_compressed_and_never_of_the_same_size_for_long(mara, bond):
    talk(bond, *(f"line {n}" for n in range(50)))

    answers = [mara.get(reverse("bond", args=[bond.pk]), headers={"Accept-Encoding": "gzip"}) for _ in range(8)]

    assert {answer["Content-Encoding"] for answer in answers} == {"gzip"}
    assert {len(gzip.decompress(answer.content)) for answer in answers} == {
        len(mara.get(answers[0].request["PATH_INFO"]).content)
    }
    assert len({len(answer.content) for answer in answers}) > 1


def test_errors_have_pages_of_their_own(client, rf):
    client.raise_request_exception = False

    missing = client.get("/nowhere/")

    assert missing.status_code == 404
    assert "Page not found" in text(missing)
