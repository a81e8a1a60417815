"""Set-up for tests of recall: nodes at a chosen cosine to the query."""

from itertools import count

from echovessel.embeddings import embedding
from memory.models import Tombstone
from memory.recall import memories
from tests.support.factories import NOW, ConceptNodeFactory


def vector(cosine):
    """A unit vector with that cosine to the query's."""
    return [cosine, (1 - cosine**2) ** 0.5] + [0.0] * 382


ASKED = vector(1.0)

_COUNTER = count()


def node(bond, description="", *, cosine=None, **more):
    """A node of the model in use, with that cosine to the query's vector, or unusable; it says something of its own."""
    description = description or f"x{next(_COUNTER)}"
    vectors = {"embedding_model": embedding.get_model_name(), "embedding": None if cosine is None else vector(cosine)}
    return ConceptNodeFactory(bond=bond, description=description, **(vectors | more))


def hide(bond, message):
    """Let it be what a chat asked to forget."""
    more = {"of": "node", "object_id": 1, "mark": "0", "last_message_id": message.pk, "created_at": NOW}
    Tombstone.objects.create(bond=bond, lines=[message.pk], hidden=[message.pk], **more)


def search(bond, query="zzz", *, vector=None, now=NOW, **more):
    return memories.search(bond=bond, query=query, vector=vector, now=now, **more)


def reasons(recalled):
    return [(item.node.pk, item.reason) for item in recalled.items]
