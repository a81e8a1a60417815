"""Doubts of each kind, for tests."""

from datetime import timedelta

from memory.entities import merging
from memory.models import Doubt
from tests.support.factories import NOW, ConceptNodeFactory, EntityFactory, FactFactory


def contradiction(bond, *, this="The user lives in York.", that="The user lives in Leeds.", at=NOW):
    """Whether the user lives where they said, or where a chat made it seem."""
    old = FactFactory(bond=bond, description=that, slot="home", value="Leeds", created_at=at)
    new = FactFactory(
        bond=bond,
        description=this,
        slot="home",
        value="York",
        state="uncertain",
        tier="extracted",
        confidence=0.6,
        conflicts_with=old,
        created_at=at,
    )
    return Doubt.objects.open_about_nodes(kind="contradiction", this=new, that=old, by="close", now=at)


def ambiguous(bond, *, this="Scott", that="Yiyang", at=NOW):
    """Whether two people are one."""
    older = EntityFactory(bond=bond, canonical_name=that, kind="person", created_at=at - timedelta(days=1))
    newer = EntityFactory(bond=bond, canonical_name=this, kind="person", created_at=at)
    merging.open_uncertain_pair(a=older, b=newer, now=at)
    return Doubt.objects.get(a_entity=newer)


def unverified(bond, *, this="The user is a nurse.", at=NOW):
    """Whether what a file said of the user is so."""
    read = ConceptNodeFactory(
        bond=bond, description=this, origin="import", relational_tags=["identity-bearing"], created_at=at
    )
    return Doubt.objects.open_about_nodes(kind="unverified", this=read, that=None, by=Doubt.BY_CLOCK, now=at)


def stale(bond, *, this="The user quarrelled with Peg.", at=NOW):
    """Whether an open thread is still open."""
    event = ConceptNodeFactory(bond=bond, description=this, relational_tags=["unresolved"], created_at=at)
    return Doubt.objects.open_about_nodes(kind="stale", this=event, that=None, by=Doubt.BY_CLOCK, now=at)


KINDS = {"contradiction": contradiction, "ambiguous": ambiguous, "unverified": unverified, "stale": stale}
