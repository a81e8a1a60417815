"""Each rule that the tables keep by themselves, broken once."""

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import IntegrityError, models, transaction

from echovessel.models import BondEvent, LedgerEntry, ModelConnection, ModelPrice
from memory.models import (
    ConsolidationStep,
    EntityMerge,
    Forgotten,
    Import,
    ImportChunk,
    Mention,
    NodeSource,
    Proposal,
    Separation,
    Tombstone,
)
from personas.models import AccessLog, BlockRevision, CoreBlock, Install, RateCount
from tests.memory.broken_facts import ALSO_BROKEN, BROKEN_FACTS
from tests.memory.broken_personas import BROKEN_PERSONAS
from tests.memory.broken_story import BROKEN_STORY
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    FillingFactory,
    MessageFactory,
    MoodChangeFactory,
    PersonaFactory,
    SessionFactory,
    UserFactory,
)
from tests.support.ticks import ended


def step(**more):
    fields = {"last_message_id": 1, "phase": "gate", "outcome": "done", "created_at": NOW}
    return ConsolidationStep.objects.create(session=SessionFactory(), **(fields | more))


def twice_counted():
    user = UserFactory()
    for _ in range(2):
        RateCount.objects.create(user=user, kind="reads", minute=1, taken=1)


def two_steps():
    first = step()
    ConsolidationStep.objects.create(
        session=first.session, last_message_id=1, phase="gate", outcome="failed", created_at=NOW
    )


def two_open():
    first = SessionFactory()
    SessionFactory(bond=first.bond)


def same_client_id():
    first = MessageFactory(client_id="c1")
    MessageFactory(session=first.session, client_id="c1")


def same_variant():
    first = MessageFactory(role="persona")
    MessageFactory(session=first.session, role="persona", turn_id=first.turn_id)


def forgotten(**more):
    fields = {"kind": "message", "object_id": 1, "created_at": NOW}
    return Forgotten.objects.create(**{"bond": more.pop("bond", None) or BondFactory(), **fields, **more})


def forgotten_twice():
    forgotten(bond=forgotten().bond)


def tombstone(**more):
    fields = {"of": "node", "object_id": 1, "mark": "0", "last_message_id": 0, "created_at": NOW}
    return Tombstone.objects.create(bond=BondFactory(), **(fields | more))


def an_import(**more):
    fields = {"name": "a.txt", "kind": "text", "digest": uuid4().hex, "total": 1, "created_at": NOW, "touched_at": NOW}
    return Import.objects.create(**{"bond": more.pop("bond", None) or BondFactory(), **fields, **more})


def chunk(**more):
    of = more.pop("of", None) or an_import()
    fields = {"number": 1, "digest": "0", "token_count": 1}
    return ImportChunk.objects.create(bond=of.bond, of=of, **(fields | more))


def proposed_twice():
    first = chunk()
    for _ in range(2):
        Proposal.objects.create(
            bond=first.bond, of=first.of, chunk=first, content="Likes tea.", source_quote="tea", created_at=NOW
        )


def read_twice_in_an_hour():
    mara = BondFactory().user
    for _ in range(2):
        AccessLog.objects.create(person=mara, reader=mara, reader_name="mara", section="message", hour=NOW)


def imported_twice():
    first = an_import()
    an_import(bond=first.bond, digest=first.digest)


def same_chunk():
    chunk(of=chunk().of)


def same_answer():
    first = ConceptNodeFactory(answer_key="extraction:1:1:0")
    ConceptNodeFactory(bond=first.bond, answer_key="extraction:1:1:0")


def same_alias():
    first = EntityFactory()
    AliasFactory(entity=EntityFactory(bond=first.bond, alias=None))


def mentioned_twice():
    entity = EntityFactory()
    node = ConceptNodeFactory(bond=entity.bond)
    for _ in range(2):
        Mention.objects.create(bond=entity.bond, entity=entity, node=node)


def sourced_twice():
    message = MessageFactory()
    node = ConceptNodeFactory(bond=message.bond)
    for _ in range(2):
        NodeSource.objects.create(bond=message.bond, node=node, message=message)


def cited_twice():
    edge = FillingFactory()
    FillingFactory(parent=edge.parent, child=edge.child)


def citing_itself():
    node = ConceptNodeFactory(type="thought")
    FillingFactory(parent=node, child=node)


def block(**more):
    return CoreBlock.objects.create(**({"label": "persona", "persona": PersonaFactory(), "updated_at": NOW} | more))


def two_blocks_of_a_persona():
    block(persona=block().persona)


def two_blocks_of_a_bond():
    bond = BondFactory()
    for _ in range(2):
        block(persona=None, bond=bond, label="user")


def two_revisions():
    kept = block()
    for _ in range(2):
        BlockRevision.objects.create(block=kept, n=1, saved_at=NOW)


def two_bonds():
    first = BondFactory()
    BondFactory(user=first.user, persona=first.persona)


def same_seq():
    for _ in range(2):
        BondEvent.objects.create(bond_id=1, seq=1, type="chat.mood.update", created_at=NOW)


def two_entities():
    first = EntityFactory()
    return first, EntityFactory(bond=first.bond, canonical_name="Scott")


def merge(kept, merged):
    EntityMerge.objects.create(bond=kept.bond, kept=kept, merged=merged, decided_by="owner", moved={}, created_at=NOW)


def merged_twice():
    kept, merged = two_entities()
    for _ in range(2):
        merge(kept, merged)


def merged_with_itself():
    kept, _ = two_entities()
    merge(kept, kept)


def separate(a, b):
    Separation.objects.create(bond=a.bond, a=a, b=b, decided_by="owner", created_at=NOW)


def separated_twice():
    a, b = two_entities()
    for _ in range(2):
        separate(a, b)


def separated_the_wrong_way_round():
    a, b = two_entities()
    separate(b, a)


def two_ticks():
    bond = BondFactory()
    for _ in range(2):
        ended(bond, outcome="running")


def model_connection(**other):
    told = {"address": "http://127.0.0.1:1/v1", "main_model": "big", "json_mode": "schema"} | other
    return ModelConnection.objects.create(is_on=True, changed_at=NOW, **told)


def price(**other):
    told = {"address": "http://127.0.0.1:1/v1", "model": "big", "dollars_in": 1, "dollars_out": 1} | other
    return ModelPrice.objects.create(changed_at=NOW, **told)


BROKEN = {
    "session_one_open_per_bond_and_channel": two_open,
    "session_status_known": lambda: SessionFactory(status="asleep"),
    "session_starts_first": lambda: SessionFactory(last_message_at=NOW - timedelta(seconds=1)),
    "session_lease_whole": lambda: SessionFactory(lease_token=uuid4()),
    "message_client_id_once": same_client_id,
    "message_variant_once": same_variant,
    "message_not_empty": lambda: MessageFactory(content=""),
    "message_role_known": lambda: MessageFactory(role="narrator"),
    "node_state_fits_type": lambda: ConceptNodeFactory(state="open"),
    "node_impact_range": lambda: ConceptNodeFactory(emotional_impact=11),
    "node_confidence_range": lambda: ConceptNodeFactory(confidence=1.1),
    "node_has_description": lambda: ConceptNodeFactory(description=""),
    "node_at_most_4_emotion_tags": lambda: ConceptNodeFactory(emotion_tags=list("abcde")),
    "node_at_most_3_relational_tags": lambda: ConceptNodeFactory(relational_tags=list("abcd")),
    "node_start_before_end": lambda: ConceptNodeFactory(
        event_time_start=date(2026, 3, 2), event_time_end=date(2026, 3, 1)
    ),
    "node_valid_in_order": lambda: ConceptNodeFactory(valid_until=NOW - timedelta(seconds=1)),
    "node_subject_known": lambda: ConceptNodeFactory(subject="cat"),
    "node_once_per_answer": same_answer,
    "forgotten_once": forgotten_twice,
    "forgotten_kind_known": lambda: forgotten(kind="cat"),
    "tombstone_of_known": lambda: tombstone(of="cat"),
    "import_file_once_per_bond": imported_twice,
    "import_state_known": lambda: an_import(state="asleep"),
    "import_done_of_total": lambda: an_import(done=2),
    "import_lease_whole": lambda: an_import(lease_token=uuid4()),
    "import_chunk_once": same_chunk,
    "import_chunk_state_known": lambda: chunk(state="asleep"),
    "proposal_once_per_bond": proposed_twice,
    "access_once_an_hour": read_twice_in_an_hour,
    "filling_once": cited_twice,
    "filling_never_itself": citing_itself,
    "node_source_once": sourced_twice,
    "entity_kind_known": lambda: EntityFactory(kind="cat"),
    "entity_has_name": lambda: EntityFactory(canonical_name="", alias=None),
    "entity_target_only_while_uncertain": lambda: EntityFactory(merge_target=EntityFactory()),
    "entity_merged_into_one_at_a_time": merged_twice,
    "merge_of_two": merged_with_itself,
    "separation_once": separated_twice,
    "separation_smaller_first": separated_the_wrong_way_round,
    "alias_once_per_bond": same_alias,
    "alias_not_empty": lambda: AliasFactory(folded=""),
    "mention_once": mentioned_twice,
    "step_once": two_steps,
    "step_outcome_known": lambda: step(outcome="perhaps"),
    "slow_tick_one_at_a_time": two_ticks,
    "slow_tick_outcome_known": lambda: ended(BondFactory(), outcome="perhaps"),
    "mood_energy_0_to_10": lambda: MoodChangeFactory(energy=11),
    "persona_has_name": lambda: PersonaFactory(name=""),
    "persona_visibility_known": lambda: PersonaFactory(visibility="public"),
    "persona_language_known": lambda: PersonaFactory(language="fr"),
    "bond_once_per_user_and_persona": two_bonds,
    "bond_energy_0_to_10": lambda: BondFactory(energy=11),
    "bond_signal_known": lambda: BondFactory(last_user_signal="loud"),
    "block_label_fits_holder": lambda: block(label="user"),
    "block_at_most_5000_characters": lambda: block(content="x" * 5001),
    "block_once_per_persona": two_blocks_of_a_persona,
    "block_once_per_bond": two_blocks_of_a_bond,
    "rate_once_per_user_and_kind": twice_counted,
    "revision_once_per_version": two_revisions,
    "install_only_one": lambda: Install.objects.create(singleton=False, operator_id=1, created_at=NOW),
    "event_seq_once_per_bond": same_seq,
    "ledger_outcome_known": lambda: LedgerEntry.objects.create(
        feature="reply", model="x", duration_ms=1, outcome="perhaps", created_at=NOW
    ),
    "ledger_cost_not_negative": lambda: LedgerEntry.objects.create(
        feature="reply", model="x", duration_ms=1, outcome="ok", cost=-1, created_at=NOW
    ),
    "price_once_per_model": lambda: [price(), price()],
    "price_not_negative": lambda: price(dollars_out=-1),
    "model_connection_only_one": lambda: model_connection(singleton=False),
    "model_connection_json_mode_known": lambda: model_connection(json_mode="xml"),
    "model_connection_tools_known": lambda: model_connection(tools="some"),
}


BROKEN |= BROKEN_FACTS | BROKEN_PERSONAS | BROKEN_STORY


@pytest.mark.django_db
@pytest.mark.parametrize(("name", "break_rule"), [*BROKEN.items(), *ALSO_BROKEN])
def test_the_table_refuses(name, break_rule):
    with pytest.raises(IntegrityError, match=f'constraint "{name}"'), transaction.atomic():
        break_rule()


def test_every_constraint_is_broken_once():
    kept = [
        constraint.name
        for label in ("memory", "personas", "echovessel")
        for model in apps.get_app_config(label).get_models()
        for constraint in model._meta.constraints
        if isinstance(constraint, models.CheckConstraint | models.UniqueConstraint)
    ]

    assert sorted(BROKEN) == sorted(kept)


@pytest.mark.django_db
def test_what_differs_is_allowed():
    first = SessionFactory()
    SessionFactory(bond=first.bond, channel="api")
    SessionFactory(bond=first.bond, status="closing")
    SessionFactory(bond=first.bond, deleted_at=NOW)
    entity = EntityFactory(bond=first.bond)
    entity.aliases.update(deleted_at=NOW)
    EntityFactory(bond=first.bond)
    EntityFactory()

    assert first.bond.sessions.count() == 4


@pytest.mark.django_db
def test_facts_of_any_length_up_to_their_limits_are_allowed():
    first = FactFactory(slot="home", value="v" * 80, description="x" * 600, detail="x" * 4000)
    for other in ({"state": "uncertain"}, {"state": "superseded"}, {"deleted_at": NOW}, {"slot": "work"}):
        FactFactory(**({"bond": first.bond, "slot": "home", "value": "Leeds"} | other))
    FactFactory(slot="home", value="Leeds")
    FactFactory(facet="about_us", subject="shared")
    FactFactory(facet="persona_canon", subject="persona")
