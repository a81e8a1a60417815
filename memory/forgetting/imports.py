from collections.abc import Collection

from django.db.models import Q

from memory.models import ConceptNode, ImportChunk, Proposal
from personas.models import Bond


def empty(*, bond: Bond, nodes: Collection[ConceptNode]) -> None:
    """Empty the file pieces of these nodes: proposals, titles, notes; and delete what the nodes propose themselves."""
    keys = [(node.answer_key or "").split(":") for node in nodes]
    digests = [key[1] for key in keys if key[0] == "import"]
    chunks = ImportChunk.objects.filter(bond=bond, digest__in=digests)
    Proposal.objects.filter(Q(chunk__in=chunks) | Q(node__in=nodes), bond=bond).delete()
    chunks.update(title="", notes="", error="")
