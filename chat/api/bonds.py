"""Bonds, onboarding, the event stream and usage."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.api import bond_counts
from chat.api.serializers import (
    BondBody,
    BondErasureBody,
    BondSerializer,
    OnboardedSerializer,
    StreamQuery,
    UsageQuery,
    UsageSerializer,
)
from chat.erasure import erasing
from chat.erasure.erasing import ErasureError
from chat.live import sse, tickets
from echovessel import materials
from personas import onboarding
from personas.accounts import credentials
from personas.api.drafts import CardBody, find_visible_personas, read_card
from personas.api.personas import get_persona_values
from personas.api.serializers import OnboardingBody, TicketSerializer
from personas.models import Bond
from personas.rest.api_errors import APIError
from personas.rest.uploads import BoundedMultiPartParser
from personas.rest.views import BondView, get_own_bond, get_user
from personas.usage import summary


def build_context(request: Request) -> dict[str, Any]:
    return {"user": request.user, "now": timezone.now()}


def get_bond_row(request: Request, bond_id: int) -> Any:
    return get_object_or_404(bond_counts.annotate(Bond.objects.for_user(get_user(request))), pk=bond_id)


class BondsView(ListAPIView[Bond]):
    """The user's own bonds, newest first."""

    serializer_class = BondSerializer
    queryset = Bond.objects.none()

    def get_queryset(self) -> QuerySet[Bond]:
        return bond_counts.annotate(Bond.objects.for_user(get_user(self.request)))

    def get_serializer_context(self) -> dict[str, Any]:
        return build_context(self.request)

    @extend_schema(request=BondBody, responses={200: BondSerializer, 201: BondSerializer})
    def post(self, request: Request) -> Response:
        """Creates a bond with a persona. For the same persona again it returns the same bond, with 200."""
        asked = BondBody.parse(request.data)
        user = get_user(request)
        persona = get_object_or_404(find_visible_personas(user), pk=asked["persona"])
        bond, is_new = onboarding.begin_bond(user=user, persona=persona, now=timezone.now())
        return Response(
            BondSerializer(get_bond_row(request, bond.pk), context=build_context(request)).data,
            status=201 if is_new else 200,
        )


class BondDetailView(GenericAPIView[Bond]):
    serializer_class = BondSerializer
    queryset = Bond.objects.none()

    def get(self, request: Request, bond_id: int) -> Response:
        return Response(BondSerializer(get_bond_row(request, bond_id), context=build_context(request)).data)

    def delete(self, request: Request, bond_id: int) -> Response:
        """Erases the bond and all of its memory at once, if the body's `confirm` is the persona's name."""
        bond = get_own_bond(request, bond_id)
        asked = BondErasureBody.parse(request.data)
        try:
            erasing.erase_bond(bond=bond, confirm=asked["confirm"])
        except ErasureError as error:
            raise APIError(error.code, error.translate(), fields={"confirm": [error.translate()]}) from error
        return Response(status=204)


class OnboardingView(APIView):
    @extend_schema(request=OnboardingBody, responses={201: OnboardedSerializer})
    def post(self, request: Request) -> Response:
        """Creates a persona with its texts and facts, and a bond with it, in one call."""
        body = OnboardingBody(data=request.data)
        body.is_valid(raise_exception=True)
        persona, bond = onboarding.create(owner=get_user(request), now=timezone.now(), **get_persona_values(body))
        made = {"persona": persona, "bond": get_bond_row(request, bond.pk)}
        return Response(OnboardedSerializer(made, context=build_context(request)).data, status=201)


class ImportedCardSerializer(OnboardedSerializer):
    """`notes` says what of the card was left out, and what is kept without being used."""

    notes = serializers.ListField(child=serializers.CharField())


class ImportCardView(APIView):
    parser_classes = (BoundedMultiPartParser,)
    upload_most = materials.BYTES_MOST
    rate_of = {"POST": "costly"}

    @extend_schema(request={"multipart/form-data": CardBody}, responses={201: ImportedCardSerializer})
    def post(self, request: Request) -> Response:
        """Creates a companion from a character card as it is, with its lore, greetings and picture, and a bond with it."""
        asked = CardBody.parse(request.data)
        user = get_user(request)
        draft = read_card(asked["file"])
        persona, bond = onboarding.create_from_draft(owner=user, draft=draft, now=timezone.now())
        made = {"persona": persona, "bond": get_bond_row(request, bond.pk), "notes": draft.notes.splitlines()}
        return Response(ImportedCardSerializer(made, context=build_context(request)).data, status=201)


class TicketView(APIView):
    @extend_schema(responses=TicketSerializer)
    def post(self, request: Request) -> Response:
        """Creates a ticket for one socket, `/ws/bonds/{id}/?ticket=`, valid once and for 30 seconds."""
        return Response(TicketSerializer({"ticket": tickets.issue(credentials.get_credential(request))}).data)


class EventStreamView(BondView):
    @extend_schema(
        parameters=[StreamQuery, OpenApiParameter("Last-Event-ID", int, OpenApiParameter.HEADER)],
        responses={(200, "text/event-stream"): OpenApiTypes.STR},
    )
    def get(self, request: Request, **_: Any) -> HttpResponseBase:
        """Streams the bond's events: `id` is the number, `data` the event. Given a number, later events come first."""
        asked = request.query_params.dict()
        if last := request.headers.get("Last-Event-ID"):
            asked["after"] = last
        wanted = StreamQuery.parse(asked)
        return sse.stream_bond(self.bond.pk, after=wanted.get("after"), credential=credentials.get_credential(request))


class UsageView(APIView):
    @extend_schema(parameters=[UsageQuery], responses=UsageSerializer)
    def get(self, request: Request) -> Response:
        """Returns the user's calls to models, summed by feature and model."""
        span = UsageQuery.parse(request.query_params.dict())["range"]
        rows = summary.sum_calls(user=get_user(request), range=span, now=timezone.now())
        return Response(UsageSerializer({"range": span, "rows": rows}).data)


class UnknownPathView(APIView):
    """Any other path: the answer is a JSON error like all others."""

    permission_classes = (AllowAny,)
    throttle_classes = ()
    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        raise NotFound(gettext("There is no such path. All paths end with a slash."))
