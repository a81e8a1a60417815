"""Facts as their writers note them."""

import pytest

from memory.facts import acts
from memory.facts.drafts import FactDraft, FactError
from memory.facts.writers import Writer
from memory.models import ConceptNode
from tests.support.factories import NOW

NUTS = "The user cannot eat nuts."
LEEDS = "The user lives in Leeds."
YORK = "The user lives in York."

# What the API shows of a memory that is no fact.
NO_FACT = dict.fromkeys(("facet", "tier", "slot", "value", "detail", "grave", "last_confirmed_at", "shared", "loaded"))


def writer(**more):
    return Writer(**({"by": "tool", "tier": "stated", "now": NOW} | more))


def job(**more):
    return writer(**({"by": "close", "tier": "extracted"} | more))


def guess(**more):
    return writer(**({"tier": "inferred"} | more))


def draft(content=NUTS, **more):
    return FactDraft(content=content, **more)


def home(content=LEEDS, value="Leeds", **more):
    return draft(content, slot="home", value=value, **more)


def save(bond, content=NUTS, *, by=None, accepts_near=False, **more):
    """Save a fact; its write."""
    return acts.save(bond=bond, draft=draft(content, **more), writer=by or writer(), accepts_near=accepts_near)


def live(bond):
    """The contents of the live facts, oldest first."""
    return list(ConceptNode.objects.for_bond(bond).live_facts().order_by("id").values_list("description", flat=True))


def fresh(node):
    return ConceptNode.objects.get(pk=node.pk)


def facts(bond):
    """The facts that are not forgotten, oldest first."""
    return ConceptNode.objects.for_bond(bond).facts().not_deleted().order_by("id")


def told(content=NUTS, *, lines=(1,), **more):
    """A fact of an extraction's answer."""
    return {"op": "add", "content": content, "certainty": 0.9, "source_lines": list(lines)} | more


def lives_in(place, **more):
    return told(f"The user lives in {place}.", slot="home", value=place, **more)


def refused(act):
    """The code with which an act on facts is refused."""
    with pytest.raises(FactError) as error:
        act()
    return error.value.code
