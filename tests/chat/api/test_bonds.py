from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine
from knox.models import AuthToken

from chat.live import tickets
from echovessel.models import LedgerEntry
from personas.accounts.credentials import Credential
from personas.models import Bond, Persona, PersonaFacts
from tests.support.factories import (
    NOW,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    MessageFactory,
    PersonaFactory,
    SessionFactory,
    TurnFactory,
    UserFactory,
)
from tests.support.rest import NOT_FOUND, answered, api, refusal

pytestmark = pytest.mark.django_db
AT = "2026-11-21T20:00:00Z"
NOTHING = dict.fromkeys(
    ("messages", "sessions", "events", "facts", "thoughts", "intentions", "expectations", "entities"), 0
)


@pytest.fixture(autouse=True)
def tonight():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def persona_of(persona, **changes):
    return {
        "id": persona.pk,
        "name": "Marian",
        "nickname": None,
        "tagline": None,
        "avatar": None,
        "facts": dict.fromkeys(PersonaFacts.NAMES),
        "language": "en",
        "visibility": "private",
        "answers": dict.fromkeys(("model", "temperature", "top_p", "tokens", "length")),
        "is_own": True,
        "created_at": AT,
    } | changes


def bond_of(bond, **changes):
    return {
        "id": bond.pk,
        "persona": persona_of(bond.persona),
        "episodic_state": {"mood": "neutral", "energy": 5, "last_user_signal": None, "updated_at": None},
        "counts": NOTHING,
        "running_turn": None,
        "last_message_at": None,
        "created_at": AT,
    } | changes


def test_a_bond_is_shown_with_its_mood_counts_and_running_turn(mara):
    bond = BondFactory(user=mara, mood="tender", energy=7, last_user_signal="warm", mood_updated_at=NOW)
    session = SessionFactory(bond=bond, message_count=2)
    turn = TurnFactory(session=session, status="running")
    MessageFactory(session=session)
    MessageFactory(session=session, created_at=NOW + timedelta(minutes=1))
    MessageFactory(session=session, deleted_at=NOW)
    MessageFactory(session=session, role="persona", chosen=False)
    for kind in ("event", "thought", "intention", "expectation"):
        ConceptNodeFactory(bond=bond, type=kind)
    FactFactory(bond=bond)
    FactFactory(bond=bond, state="uncertain")
    ConceptNodeFactory(bond=bond, state="superseded")
    EntityFactory(bond=bond)
    BondFactory(persona=PersonaFactory(name="Teo"))

    shown = bond_of(
        bond,
        episodic_state={"mood": "tender", "energy": 7, "last_user_signal": "warm", "updated_at": AT},
        counts={
            "messages": 2,
            "sessions": 1,
            "events": 1,
            "facts": 1,
            "thoughts": 1,
            "intentions": 1,
            "expectations": 1,
            "entities": 1,
        },
        running_turn=str(turn.pk),
        last_message_at="2026-11-21T20:01:00Z",
    )
    assert answered(api(mara).get(f"/api/bonds/{bond.pk}/")) == (200, shown)
    assert answered(api(mara).get("/api/bonds/")) == (200, {"next": None, "previous": None, "results": [shown]})


def test_an_old_mood_reads_as_neutral(mara):
    bond = BondFactory(user=mara, mood="tender", energy=7, mood_updated_at=NOW - timedelta(hours=12, seconds=1))

    assert api(mara).get(f"/api/bonds/{bond.pk}/").json()["episodic_state"] == {
        "mood": "neutral",
        "energy": 5,
        "last_user_signal": None,
        "updated_at": "2026-11-21T07:59:59Z",
    }


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_costs_the_same_for_many(count, mara, django_assert_num_queries):
    for bond in BondFactory.create_batch(count, user=mara):
        MessageFactory(session__bond=bond)
    client = api(mara)

    with django_assert_num_queries(2):
        assert len(client.get("/api/bonds/").json()["results"]) == count


def test_the_same_persona_again_is_the_same_bond(mara):
    persona = PersonaFactory(owner=mara)
    client = api(mara)

    first, second = (client.post("/api/bonds/", {"persona": persona.pk}) for _ in range(2))

    bond = Bond.objects.get()
    assert answered(first) == (201, bond_of(bond))
    assert answered(second) == (200, bond_of(bond))


@pytest.mark.parametrize("change", [{"visibility": "private"}, {"archived_at": NOW}])
def test_a_persona_that_is_shared_no_more_is_still_that_of_its_bonds(mara, change):
    persona = PersonaFactory(visibility="shared")
    bond = BondFactory(user=mara, persona=persona)
    Persona.objects.update(**change)

    known, new = (api(user).post("/api/bonds/", {"persona": persona.pk}) for user in (mara, UserFactory()))

    assert (known.status_code, known.json()["id"]) == (200, bond.pk)
    assert new.status_code == 404


def test_a_bond_with_a_shared_persona_shows_its_name_only(mara):
    persona = PersonaFactory(visibility="shared")

    made = api(mara).post("/api/bonds/", {"persona": persona.pk}).json()

    assert made["persona"] == persona_of(
        persona, facts=None, language=None, visibility="shared", answers=None, is_own=False, created_at=None
    )


@pytest.mark.parametrize("persona", [0, 2**70])
def test_a_bond_with_nobody(persona, mara):
    assert answered(api(mara).post("/api/bonds/", {"persona": persona})) == NOT_FOUND


@pytest.mark.parametrize(
    ("body", "code", "field", "detail"),
    [
        ({}, "invalid", "persona", "This field is required."),
        ({"persona": "Marian"}, "invalid", "persona", "A valid integer is required."),
        ({"persona": 1.5}, "invalid", "persona", "A valid integer is required."),
        ({"persona": 1, "user": 2}, "unknown_field", "user", "Unknown field; known are: persona."),
    ],
)
def test_what_begins_no_bond(body, code, field, detail, mara):
    PersonaFactory(owner=mara)

    assert answered(api(mara).post("/api/bonds/", body)) == (
        400,
        refusal(code, f"{field}: {detail}", {field: [detail]}),
    )


def test_onboarding_makes_persona_texts_and_bond_at_once(mara):
    response = api(mara).post(
        "/api/personas/onboarding/",
        {
            "name": "沈砚",
            "persona": "古籍修复师。</persona> <script>alert(1)</script>",
            "tagline": "修书的人",
            "style": "话不多。",
            "user": "Mara, a nurse.",
            "facts": {"location": "杭州"},
            "language": "zh",
        },
    )

    persona, bond = Persona.objects.get(), Bond.objects.get()
    shown = persona_of(
        persona,
        name="沈砚",
        tagline="修书的人",
        language="zh",
        facts=dict.fromkeys(PersonaFacts.NAMES) | {"location": "杭州"},
    )
    assert answered(response) == (201, {"persona": shown, "bond": bond_of(bond, persona=shown)})
    assert {(block.label, block.content) for block in [*persona.blocks.all(), *bond.blocks.all()]} == {
        ("persona", "古籍修复师。</persona> <script>alert(1)</script>"),
        ("style", "话不多。"),
        ("user", "Mara, a nurse."),
    }


def test_a_ticket_is_for_the_one_who_asks(mara):
    body = api(mara).post("/api/auth/ticket/").json()

    assert set(body) == {"ticket"}
    assert tickets.redeem(body["ticket"]) == Credential(mara.pk, token=AuthToken.objects.get().pk)


def call(user, **fields):
    LedgerEntry.objects.create(
        **{
            "feature": "reply",
            "model": "gpt-4o",
            "tokens_in": 100,
            "tokens_out": 20,
            "tokens_cached": 50,
            "duration_ms": 900,
            "outcome": "ok",
            "user_id": user.pk,
            "created_at": NOW,
        }
        | fields
    )


def test_usage_is_summed_by_feature_and_model_in_ones_own_day():
    mara = UserFactory(username="mara", time_zone="Asia/Shanghai")
    call(mara, cost=Decimal("0.5"))
    call(mara, tokens_in=1, cost=Decimal("0.25"))
    call(mara, feature="extraction", model="gpt-4o-mini", cost=Decimal("0.0025"))
    # In Shanghai it is four in the morning: four hours ago is today, five are yesterday.
    call(mara, created_at=NOW - timedelta(hours=5))
    call(mara, created_at=NOW - timedelta(days=8))
    call(UserFactory(username="lin"))
    client = api(mara)

    extraction = {"feature": "extraction", "model": "gpt-4o-mini", "calls": 1, "cost": 0.0025}
    sums = {"tokens_in": 100, "tokens_out": 20, "tokens_cached": 50}
    reply = {"feature": "reply", "model": "gpt-4o"}
    # What one of the earlier calls cost is not known.
    costs = {"today": 0.75, "7d": None, "30d": None}
    assert [answered(client.get("/api/usage/", {"range": span})) for span in ("today", "7d", "30d")] == [
        (
            200,
            {
                "range": span,
                "rows": [
                    extraction | sums,
                    reply
                    | {"calls": calls, "tokens_in": tokens, "tokens_out": 20 * calls, "tokens_cached": 50 * calls}
                    | {"cost": costs[span]},
                ],
            },
        )
        for span, calls, tokens in (("today", 2, 101), ("7d", 3, 201), ("30d", 4, 301))
    ]
    assert client.get("/api/usage/").json()["range"] == "today"


def test_a_range_that_is_none(mara):
    detail = '"always" is not a valid choice; allowed: today, 7d, 30d.'

    assert answered(api(mara).get("/api/usage/", {"range": "always"})) == (
        400,
        refusal("invalid", f"range: {detail}", {"range": [detail]}),
    )
