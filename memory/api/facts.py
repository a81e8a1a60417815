"""Facts: what holds until further notice, by a person's hand."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.fact_bodies import EndBody, FactBody, FactQuery
from memory.api.nodes import NodesBaseView
from memory.facts import by_hand, history
from memory.facts.shared import sharing
from memory.models import ConceptNode
from memory.search import conditions
from memory.serializers.nodes import NodeSerializer
from personas.models import Bond
from personas.rest.serializer_fields import StrictSerializer

Type, State = ConceptNode.Type, ConceptNode.State


class FactsBaseView(NodesBaseView):
    type = Type.FACT

    def respond(self, node_id: int, *, status: int = 200) -> Response:
        return Response(NodeSerializer(self.nodes().get(pk=node_id)).data, status=status)


@extend_schema_view(get=extend_schema(parameters=[FactQuery]))
class FactsView(FactsBaseView, ListAPIView[ConceptNode]):
    """Newest first, with history: `state=live` leaves out what was superseded, `as_of` shows what was believed then."""

    has_filters = True

    def get_queryset(self) -> QuerySet[ConceptNode]:
        asked = FactQuery.parse(self.request.query_params.dict())
        return self.nodes().filter(build_filter(bond=self.bond, **asked))

    @extend_schema(request=FactBody, responses={200: NodeSerializer, 201: NodeSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Saves a fact, which is stated. One in a slot that is taken replaces the other; where one stands that tells the same, that is answered, with 200."""
        body = FactBody(data=request.data)
        body.is_valid(raise_exception=True)
        node, is_new = by_hand.save(bond=self.bond, draft=body.draft(), now=timezone.now())
        return self.respond(node.pk, status=201 if is_new else 200)


def build_filter(
    *,
    bond: Bond,
    cursor: str = "",
    q: str = "",
    min_confidence: float = 0,
    as_of: datetime | None = None,
    loaded: bool | None = None,
    **plain: str,
) -> Q:
    """Build the filter of a list's query; `plain` are columns with their values."""
    wanted = Q(confidence__gte=min_confidence, **plain)
    if q:
        wanted &= conditions.match_nodes(bond, q.strip())
    if as_of is not None:
        wanted &= Q(valid_from__lte=as_of) & (Q(valid_until=None) | Q(valid_until__gt=as_of))
        wanted &= ~Q(state=State.UNCERTAIN) & ~Q(state_reason="settled")
    if loaded is not None:
        wanted &= Q(is_loaded=loaded)
    return wanted


class FactView(FactsBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(NodeSerializer(self.node()).data)

    @extend_schema(request=FactBody(partial=True))
    def patch(self, request: Request, **_: Any) -> Response:
        """Replaces it by a stated one and answers with the new fact; the old one stays as history."""
        old = self.node()
        body = FactBody(old, data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        write, *_copies = sharing.replace(node=old, draft=body.draft(), now=timezone.now())
        return self.respond(write.node_id)

    def delete(self, request: Request, **_: Any) -> Response:
        """Forgets it, with what tells the same from the same messages: no prompt, search or export has it, and it is in the trash for 30 days."""
        by_hand.forget(bond=self.bond, node=self.node(), now=timezone.now())
        return Response(status=204)


class FactHistoryView(FactsBaseView, ListAPIView[ConceptNode]):
    """The versions of a fact, newest first, with itself."""

    def get_queryset(self) -> QuerySet[ConceptNode]:
        return history.filter_versions(self.node()).for_serializer()


class RestoreFactView(FactsBaseView):
    def post(self, request: Request, node_id: int, **_: Any) -> Response:
        """Restores a fact from the trash with what was forgotten with it, or a past fact in place of the newer one."""
        node = get_object_or_404(ConceptNode.objects.for_bond(self.bond).facts(), pk=node_id)
        by_hand.restore(node=node, now=timezone.now())
        return self.respond(node.pk)


class FactActView(FactsBaseView):
    def act(self, act: Callable[..., object], *, body: type[StrictSerializer] | None = None) -> Response:
        """Answer with the fact after an act of its owner, which is given the values of the body."""
        node = self.node()
        asked = {} if body is None else body.parse(self.request.data)
        act(node=node, now=timezone.now(), **asked)
        return self.respond(node.pk)


class ConfirmFactView(FactActView):
    def post(self, request: Request, **_: Any) -> Response:
        """Says that it still holds, or of an uncertain one that it is so: it is stated from now on."""
        return self.act(by_hand.confirm)


class EndFactView(FactActView):
    @extend_schema(request=EndBody)
    def post(self, request: Request, **_: Any) -> Response:
        """Ends it without a successor: it was true (`ended`) or never was (`wrong`)."""
        return self.act(sharing.end, body=EndBody)


class ShareFactView(FactActView):
    def post(self, request: Request, **_: Any) -> Response:
        """Tells it to all companions, new ones too: each has a copy, without the messages, and what a person does to one is done to all.

        Only what is about the user: another is refused with `invalid`.
        """
        return self.act(sharing.share)


class UnshareFactView(FactActView):
    def post(self, request: Request, **_: Any) -> Response:
        """Lets it stand in this bond alone: what other companions have of it goes to their trash."""
        return self.act(sharing.unshare)


def get_fact(bond: Bond, node_id: int) -> ConceptNode:
    """Get a fact of the bond. Raises Http404."""
    facts = ConceptNode.objects.for_bond(bond).facts().not_deleted()
    return get_object_or_404(facts.without_heavy_columns(), pk=node_id)
