"""API tokens by REST: made by whoever is signed in with a cookie, listed and revoked by tokens too."""

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from personas.accounts import authentication
from personas.api.accounts import to_api_error
from personas.models import ApiToken
from personas.rest.api_errors import APIError
from personas.rest.serializer_fields import NullableTextField, StrictSerializer, StrictTextField, UTCDateTimeField
from personas.rest.views import get_channel, get_user

DAYS_MOST = 3650


class ApiTokenSerializer(serializers.ModelSerializer[ApiToken]):
    name = NullableTextField()
    start = serializers.CharField(source="token.token_key", help_text="How the token begins.")
    created_at = UTCDateTimeField(source="token.created")
    expiry = UTCDateTimeField(source="token.expiry", allow_null=True)
    used_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = ApiToken
        fields = ("id", "name", "start", "created_at", "expiry", "used_at")


class MadeTokenSerializer(ApiTokenSerializer):
    token = serializers.CharField(source="made", help_text="Told this once.")

    class Meta(ApiTokenSerializer.Meta):
        fields = (*ApiTokenSerializer.Meta.fields, "token")  # type: ignore[assignment]  # one more


class NewTokenBody(StrictSerializer):
    name = StrictTextField(most=80, one_line=True)
    days = serializers.IntegerField(min_value=1, max_value=DAYS_MOST, allow_null=True, help_text="Null for no end.")


class TokensView(ListAPIView[ApiToken]):
    """The account's API tokens."""

    serializer_class = ApiTokenSerializer
    queryset = ApiToken.objects.none()

    def get_queryset(self) -> QuerySet[ApiToken]:
        return ApiToken.objects.filter(token__user=get_user(self.request)).select_related("token")

    @extend_schema(request=NewTokenBody, responses={201: MadeTokenSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Makes a token with a name and a life in days. A token makes no other: that needs the cookie of a page."""
        if get_channel(request) == "api":
            raise APIError("forbidden", gettext("A token cannot make tokens; sign in on the pages."))
        asked = NewTokenBody.parse(request.data)
        days = asked["days"]
        try:
            made, row = authentication.issue_token(
                get_user(request), now=timezone.now(), name=asked["name"], life=days and timedelta(days=days)
            )
        except authentication.SignInError as error:
            raise to_api_error(error) from error
        row.made = made  # type: ignore[attr-defined]  # told once, stored nowhere
        return Response(MadeTokenSerializer(row).data, status=201)


class TokenView(APIView):
    @extend_schema(operation_id="auth_token_revoke", responses={204: None})
    def delete(self, request: Request, token_id: int) -> Response:
        """Revokes it: what it opened ends within seconds."""
        get_object_or_404(ApiToken, pk=token_id, token__user=get_user(request)).token.delete()
        return Response(status=204)
