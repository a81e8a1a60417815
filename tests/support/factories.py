import uuid
from datetime import UTC, datetime

import factory
from factory.django import DjangoModelFactory

from chat.models import Restoration, Turn
from echovessel import text
from memory.entities import pairs
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    Filling,
    Mention,
    Message,
    MoodChange,
    NodeSource,
    Session,
    Topic,
    lexemes,
)
from personas.models import Bond, Persona, PersonaFacts, User

# A Saturday evening, when rows are made unless a test says otherwise.
NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)
PASSWORD = "a blue kettle sings"
FIRST_STATE = {"event": "live", "fact": "live", "thought": "live", "intention": "open", "expectation": "pending"}


class UserFactory(DjangoModelFactory):
    class Meta:
        model = User
        skip_postgeneration_save = True

    username = factory.Sequence(lambda n: f"person{n}")
    password = factory.django.Password(PASSWORD)
    time_zone = "UTC"


class PersonaFactory(DjangoModelFactory):
    class Meta:
        model = Persona
        skip_postgeneration_save = True

    owner = factory.SubFactory(UserFactory)
    name = "Marian"
    created_at = NOW

    facts = factory.RelatedFactory("tests.support.factories.PersonaFactsFactory", factory_related_name="persona")


class PersonaFactsFactory(DjangoModelFactory):
    class Meta:
        model = PersonaFacts

    persona = factory.SubFactory(PersonaFactory, facts=None)


class BondFactory(DjangoModelFactory):
    class Meta:
        model = Bond

    user = factory.SubFactory(UserFactory)
    persona = factory.SubFactory(PersonaFactory, owner=factory.SelfAttribute("..user"))
    created_at = NOW


class SessionFactory(DjangoModelFactory):
    class Meta:
        model = Session

    bond = factory.SubFactory(BondFactory)
    status = Session.Status.OPEN
    channel = Session.Channel.WEB
    started_at = NOW
    last_message_at = factory.SelfAttribute("started_at")
    closed_at = factory.Maybe("is_over", yes_declaration=factory.SelfAttribute("last_message_at"))
    close_reason = factory.Maybe("is_over", yes_declaration=Session.CloseReason.EXPLICIT, no_declaration="")

    class Params:
        is_over = factory.LazyAttribute(lambda session: session.status != Session.Status.OPEN)


class MessageFactory(DjangoModelFactory):
    """A message. The session's counts stay as they are: `memory.messages.ingest` updates them."""

    class Meta:
        model = Message

    session = factory.SubFactory(SessionFactory)
    bond = factory.SelfAttribute("session.bond")
    role = Message.Role.USER
    content = "My cat jumps on my face at night."
    channel = factory.SelfAttribute("session.channel")
    turn_id = factory.LazyFunction(uuid.uuid4)
    token_count = 8
    day = factory.LazyAttribute(lambda message: message.created_at.date())
    created_at = NOW
    search = factory.LazyAttribute(lambda message: lexemes.build_search_vector(message.bond.pk, message.content))

    @classmethod
    def create_batch(cls, size, **columns):
        """Create messages of a session that is there, in their order, by one statement."""
        return Message.objects.bulk_create(cls.build_batch(size, **columns))


class ConceptNodeFactory(DjangoModelFactory):
    """A node; `sources` are the messages it was drawn from, `evidence` the events it cites."""

    class Meta:
        model = ConceptNode
        skip_postgeneration_save = True

    bond = factory.SubFactory(BondFactory)
    type = ConceptNode.Type.EVENT
    subject = ConceptNode.Subject.USER
    description = "The user's cat jumps on their face at night."
    origin = ConceptNode.Origin.EXTRACTION
    confidence = 0.8
    state = factory.LazyAttribute(lambda node: FIRST_STATE[node.type])
    valid_from = factory.SelfAttribute("created_at")
    created_at = NOW
    terms = factory.LazyAttribute(lambda node: sorted(set(text.extract_terms(node.description))))

    @factory.post_generation
    def sources(self, create, messages, **_):
        for message in messages or []:
            NodeSource.objects.create(bond=self.bond, node=self, message=message)

    @factory.post_generation
    def evidence(self, create, events, **_):
        for event in events or []:
            FillingFactory(parent=self, child=event)


class FactFactory(ConceptNodeFactory):
    """A fact that the user told."""

    type = ConceptNode.Type.FACT
    description = "The user cannot eat nuts."
    facet = ConceptNode.Facet.ABOUT_YOU
    tier = ConceptNode.Tier.STATED
    origin = ConceptNode.Origin.TOOL
    confidence = 1.0


class FillingFactory(DjangoModelFactory):
    class Meta:
        model = Filling

    parent = factory.SubFactory(ConceptNodeFactory, type=ConceptNode.Type.THOUGHT)
    bond = factory.SelfAttribute("parent.bond")
    child = factory.SubFactory(ConceptNodeFactory, bond=factory.SelfAttribute("..bond"))


class EntityFactory(DjangoModelFactory):
    """An entity with its canonical name as its first alias; `nodes` are those in which it occurs."""

    class Meta:
        model = Entity
        skip_postgeneration_save = True

    bond = factory.SubFactory(BondFactory)
    canonical_name = "小黑"
    kind = Entity.Kind.PET
    last_mentioned_at = factory.SelfAttribute("created_at")
    created_at = NOW
    confirmed_at = factory.LazyAttribute(lambda one: one.created_at if one.merge_status == "confirmed" else None)
    merge_status = Entity.MergeStatus.CONFIRMED

    alias = factory.RelatedFactory("tests.support.factories.AliasFactory", factory_related_name="entity")

    @factory.post_generation
    def nodes(self, create, nodes, **_):
        for node in nodes or []:
            Mention.objects.create(bond=self.bond, entity=self, node=node)

    @factory.post_generation
    def asked_in(self, create, asked_in, **_):
        """An uncertain one is in doubt; these are the sessions in which it was asked about."""
        if self.merge_target is not None:
            pairs.follow(self.bond, now=NOW)
            Doubt.objects.filter(a_entity=self, state="open").update(asked_in=asked_in or [])


class AliasFactory(DjangoModelFactory):
    class Meta:
        model = EntityAlias

    entity = factory.SubFactory(EntityFactory, alias=None)
    bond = factory.SelfAttribute("entity.bond")
    name = factory.SelfAttribute("entity.canonical_name")
    folded = factory.LazyAttribute(lambda alias: text.fold(alias.name))


class MoodChangeFactory(DjangoModelFactory):
    class Meta:
        model = MoodChange

    session = factory.SubFactory(SessionFactory)
    bond = factory.SelfAttribute("session.bond")
    mood = "tender"
    energy = 6
    created_at = NOW


class TurnFactory(DjangoModelFactory):
    """A turn; one that is `running` holds a lease."""

    class Meta:
        model = Turn

    session = factory.SubFactory(SessionFactory)
    bond = factory.SelfAttribute("session.bond")
    created_at = NOW
    status = Turn.Status.PENDING
    due_at = factory.SelfAttribute("created_at")
    lease_token = factory.Maybe("is_running", yes_declaration=factory.LazyFunction(uuid.uuid4))
    lease_until = factory.Maybe("is_running", yes_declaration=factory.SelfAttribute("created_at"))

    class Params:
        is_running = factory.LazyAttribute(lambda turn: turn.status == Turn.Status.RUNNING)


class TopicFactory(DjangoModelFactory):
    class Meta:
        model = Topic

    session = factory.SubFactory(SessionFactory)
    bond = factory.SelfAttribute("session.bond")
    session_ids = factory.LazyAttribute(lambda topic: [topic.session.pk])
    terms = ["cat"]
    turn_id = factory.LazyFunction(uuid.uuid4)
    began_at = NOW
    last_turn_at = factory.SelfAttribute("began_at")


class RestorationFactory(DjangoModelFactory):
    class Meta:
        model = Restoration

    user = factory.SubFactory(UserFactory)
    name = "echovessel.zip"
    total = 3000
    created_at = NOW
    touched_at = NOW
