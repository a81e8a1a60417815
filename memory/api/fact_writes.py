"""Writes on facts with their undo, links between facts, and what a session's prompts hold of them."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.fact_bodies import LinkBody, WritesQuery
from memory.api.facts import get_fact
from memory.facts import acts
from memory.facts.shared import presses, telling
from memory.facts.writers import build_person_writer
from memory.models import FactWrite, NodeLink, Session
from memory.nodes import links
from memory.serializers.facts import FactWriteSerializer, LinkSerializer, LoadedSerializer, ToldSerializer, load_writes
from personas.rest.views import BondView


class WritesBaseView(BondView):
    serializer_class: Any = FactWriteSerializer

    def get_serializer_context(self) -> dict[str, Any]:
        return {**super().get_serializer_context(), "now": timezone.now()}


@extend_schema_view(get=extend_schema(parameters=[WritesQuery]))
class WritesView(WritesBaseView, ListAPIView[FactWrite]):
    """All acts on facts, newest first. A node that was forgotten is null."""

    has_filters = True

    def get_queryset(self) -> QuerySet[FactWrite]:
        wanted = WritesQuery.parse(self.request.query_params.dict())
        asked = {LOOKUPS[name]: value for name, value in wanted.items() if name in LOOKUPS}
        return FactWrite.objects.for_bond(self.bond).filter(**asked)

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        page = super().paginate_queryset(queryset)
        return None if page is None else load_writes(bond_id=self.bond.pk, writes=page)


LOOKUPS = {"session": "session", "turn": "turn_id"}


class UndoWriteView(WritesBaseView):
    def post(self, request: Request, write_id: int, **_: Any) -> Response:
        """Undoes it, for as long as its result stands; again it changes nothing. What was done by hand with a shared fact is undone in all bonds."""
        writes = FactWrite.objects.for_bond(self.bond).select_related("bond__user", "bond__persona")
        write = get_object_or_404(writes, pk=write_id)
        undone, *_elsewhere = presses.undo(write=write, now=timezone.now())
        [shown] = load_writes(bond_id=self.bond.pk, writes=[undone])
        return Response(self.get_serializer(shown).data)


class TellWriteView(WritesBaseView):
    serializer_class = ToldSerializer

    def post(self, request: Request, write_id: int, **_: Any) -> Response:
        """Does with the fact of all other companions what a chat did with it here: a change in a chat stays in its bond until then."""
        writes = FactWrite.objects.for_bond(self.bond).select_related("bond__user", "bond__persona", "node")
        told = telling.tell(write=get_object_or_404(writes, pk=write_id), now=timezone.now())
        return Response(ToldSerializer({"told": told}).data)


class LinksView(BondView, ListAPIView[NodeLink]):
    """The relations between facts that hold, newest first."""

    serializer_class = LinkSerializer

    def get_queryset(self) -> QuerySet[NodeLink]:
        return links.load_live(self.bond)

    @extend_schema(request=LinkBody, responses={201: LinkSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Names a relation from one fact to another."""
        asked = LinkBody.parse(request.data)
        a, b = get_fact(self.bond, asked["a"]), get_fact(self.bond, asked["b"])
        writer = build_person_writer(timezone.now())
        write = acts.link(bond=self.bond, a=a, b=b, relation=asked["relation"], writer=writer)
        return Response(LinkSerializer(NodeLink.objects.get(pk=write.before["link"])).data, status=201)


class LinkView(BondView):
    serializer_class = LinkSerializer

    def delete(self, request: Request, link_id: int, **_: Any) -> Response:
        """Removes a relation; the facts stay, and the write that named it is undone."""
        link = get_object_or_404(links.load_live(self.bond).select_related("bond", "a"), pk=link_id)
        acts.unlink(link=link, writer=build_person_writer(timezone.now()))
        return Response(status=204)


class LoadedView(BondView):
    serializer_class = LoadedSerializer

    def get(self, request: Request, session_id: int, **_: Any) -> Response:
        """The facts that every prompt of the session holds, as they stand there, from its first turn to its end."""
        session = get_object_or_404(Session.objects.for_bond(self.bond), pk=session_id)
        return Response(LoadedSerializer(session).data)
