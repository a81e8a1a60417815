"""L3 and L4: events, thoughts, intentions and expectations, and what they rest on."""

from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.bodies import ForgetQuery, NodeBody, NodeQuery
from memory.forgetting import dependents, removal, trash
from memory.models import ConceptNode
from memory.nodes import corrections, evidence, outcomes
from memory.search import conditions
from memory.serializers import messages
from memory.serializers.memories import DependentsSerializer, TraceSerializer
from memory.serializers.nodes import NodeSerializer
from personas.models import Bond
from personas.rest.views import BondView


class NodesBaseView(BondView):
    """Below a bond's memories of the type that the path names."""

    type = ConceptNode.Type.EVENT
    serializer_class: Any = NodeSerializer

    def nodes(self) -> QuerySet[ConceptNode]:
        return ConceptNode.objects.for_bond(self.bond).not_deleted().filter(type=self.type).for_serializer()

    def node(self) -> ConceptNode:
        return get_object_or_404(self.nodes(), pk=self.kwargs["node_id"])


@extend_schema_view(get=extend_schema(parameters=[NodeQuery]))
class NodesView(NodesBaseView, ListAPIView[ConceptNode]):
    """Newest first, with history: `state=live` leaves out what was superseded."""

    has_filters = True

    def get_queryset(self) -> QuerySet[ConceptNode]:
        asked = NodeQuery.parse(self.request.query_params.dict())
        return self.nodes().filter(build_filter(bond=self.bond, **asked))


def build_filter(
    *, bond: Bond, cursor: str = "", q: str = "", tag: str | None = None, min_impact: int = 0, **plain: Any
) -> Q:
    """The filter of a list's query."""
    wanted = conditions.match_nodes(bond, q.strip()) if q else Q()
    if tag is not None:
        wanted &= Q(emotion_tags__contains=[tag]) | Q(relational_tags__contains=[tag])
    if min_impact:
        wanted &= Q(emotional_impact__gte=min_impact) | Q(emotional_impact__lte=-min_impact)
    return wanted & Q(**{LOOKUPS[name]: value for name, value in plain.items()})


LOOKUPS = {"subject": "subject", "since": "created_at__gte", "state": "state"}


class NodeView(NodesBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(NodeSerializer(self.node()).data)

    @extend_schema(request=NodeBody)
    def patch(self, request: Request, **_: Any) -> Response:
        """Corrects its text or impact and answers with the new memory; the old one stays as history.

        Or sets the outcome of an expectation (`fulfilled`, `missed`, `expired`) or an intention (`kept`, `broken`, `cancelled`, `expired`).
        """
        node = self.node()
        asked = NodeBody.parse(request.data)
        changed = apply_change(node=node, now=timezone.now(), **asked)
        return Response(NodeSerializer(self.nodes().get(pk=changed.pk)).data)

    @extend_schema(parameters=[ForgetQuery], responses={204: None})
    def delete(self, request: Request, **_: Any) -> Response:
        """Forgets it: no prompt, search or export has it, and it is in the trash for 30 days.

        What is based on it stays (`orphan`) or is forgotten if it has no other evidence (`cascade`); `forget` deletes its messages.
        """
        node = self.node()
        # What stands in the body is asked for, too: passed over, it would be done otherwise than meant.
        body = request.data if isinstance(request.data, dict) else {}
        in_body = {name: body[name] for name in ForgetQuery().get_fields() if name in body}
        asked = ForgetQuery.parse(in_body | request.query_params.dict())
        removal.forget_node(node=node, now=timezone.now(), **asked)
        return Response(status=204)


class RestoreNodeView(NodesBaseView):
    def post(self, request: Request, node_id: int, **_: Any) -> Response:
        """Restores a memory from the trash with what was forgotten with it, or a replaced memory in place of the newer one."""
        node = get_object_or_404(ConceptNode.objects.for_bond(self.bond).filter(type=self.type), pk=node_id)
        if node.deleted_at is None:
            corrections.restore(node=node, now=timezone.now())
        else:
            trash.restore_node(node=node, now=timezone.now())
        return Response(NodeSerializer(self.nodes().get(pk=node_id)).data)


def apply_change(*, node: ConceptNode, now: datetime, state: str | None = None, **said: Any) -> ConceptNode:
    """The node that stands after a person's change. Raises SettlingError, CorrectionError, EmbeddingError."""
    if state is not None:
        outcomes.settle_by_hand(node=node, outcome=state, now=now)
        return node
    return corrections.correct(node=node, now=now, **said)


class DependentsView(NodesBaseView):
    serializer_class = DependentsSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """What is based on an event, to show before it is forgotten."""
        found = dependents.find(bond=self.bond, event=self.node())
        return Response(DependentsSerializer(found).data)


class EvidenceView(NodesBaseView):
    serializer_class = TraceSerializer

    def get(self, request: Request, **_: Any) -> Response:
        """What a thought is based on, down to the messages."""
        node = self.node()
        filling = evidence.load(node)
        messages.attach([message for one in filling for message in one.messages])
        return Response(TraceSerializer({"node": node.pk, "filling": filling}).data)
