"""Doubts: what is not certain of memories and entities."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.doubts import reopening, settling, sides
from memory.models import Doubt
from memory.serializers.doubts import DoubtSerializer
from personas.rest.serializer_fields import PageQuery, StrictSerializer
from personas.rest.views import BondView

LET_BE = Doubt.State.LET_GO.value


class DoubtQuery(PageQuery):
    state = serializers.ChoiceField(choices=Doubt.State.choices, required=False)
    kind = serializers.ChoiceField(choices=Doubt.Kind.choices, required=False)


class SettleBody(StrictSerializer):
    holds = serializers.ChoiceField(
        choices=[*Doubt.Outcome.values, LET_BE], help_text="One of the doubt's `outcomes`; `let_go`: ask no more."
    )


class DoubtBaseView(BondView):
    serializer_class: Any = DoubtSerializer

    def get_doubt(self) -> Doubt:
        doubts = sides.filter_shown(self.bond).select_related("bond")
        return get_object_or_404(doubts, pk=self.kwargs["doubt_id"])

    def respond(self, doubt: Doubt) -> Response:
        [shown] = sides.load_sides([doubt])
        return Response(DoubtSerializer(shown).data)


@extend_schema_view(get=extend_schema(parameters=[DoubtQuery]))
class DoubtsView(DoubtBaseView, ListAPIView[Doubt]):
    """What is not certain, newest first, with both sides: memories, or people and things."""

    has_filters = True

    def get_queryset(self) -> QuerySet[Doubt]:
        wanted = DoubtQuery.parse(self.request.query_params.dict())
        asked = {name: wanted[name] for name in ("state", "kind") if name in wanted}
        return sides.filter_shown(self.bond).filter(**asked)

    def paginate_queryset(self, queryset: Any) -> list[Any] | None:
        page = super().paginate_queryset(queryset)
        return None if page is None else sides.load_sides(page)


class SettleDoubtView(DoubtBaseView):
    @extend_schema(request=SettleBody)
    def post(self, request: Request, **_: Any) -> Response:
        """Says which side holds or whether two are the same, or lets it be. What loses is history; `reopen/` undoes it."""
        doubt = self.get_doubt()
        outcome = SettleBody.parse(request.data)["holds"]
        if outcome == LET_BE:
            settling.let_be(doubt=doubt)
        else:
            settling.settle_by_press(doubt=doubt, outcome=outcome, now=timezone.now())
        return self.respond(doubt)


class AskLaterView(DoubtBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Asks in a later session, as if it had not been asked about yet."""
        doubt = self.get_doubt()
        settling.ask_later(doubt=doubt)
        return self.respond(doubt)


class ReopenDoubtView(DoubtBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Opens one that was let go, as if it had not been asked about, or undoes what settled it."""
        doubt = self.get_doubt()
        reopening.reopen(doubt=doubt, now=timezone.now())
        return self.respond(doubt)
