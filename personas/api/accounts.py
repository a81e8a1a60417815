from base64 import b64decode
from typing import Any

from django.contrib.auth import logout
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.authentication import get_authorization_header
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from personas.accounts import authentication
from personas.api.serializers import LoginBody, MeBody, MeSerializer, TokenSerializer, replace_nulls
from personas.rest.api_errors import APIError
from personas.rest.views import get_channel, get_user


class LoginView(APIView):
    """Sign in by username and password, in the body or as basic authentication, and get a token."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(operation_id="auth_login", request=LoginBody, responses=TokenSerializer)
    def post(self, request: Request) -> Response:
        asked = LoginBody.parse(parse_basic_auth(request) or request.data)
        try:
            user = authentication.sign_in(request._request, **({"code": None} | asked))
            token, row = authentication.issue_token(user, now=timezone.now())
        except authentication.SignInError as error:
            raise to_api_error(error) from error
        return Response(TokenSerializer({"token": token, "expiry": row.token.expiry}).data)


def parse_basic_auth(request: Request) -> dict[str, str] | None:
    """Return the username and password of the header with the code of the body."""
    scheme, _, credentials = get_authorization_header(request).partition(b" ")
    if scheme.lower() != b"basic":
        return None
    try:
        username, colon, password = b64decode(credentials, validate=True).decode().partition(":")
    except ValueError as error:
        raise APIError("not_signed_in", gettext("The header of the basic authentication cannot be read.")) from error
    if not colon:
        raise APIError("not_signed_in", gettext("The header of the basic authentication has no password."))
    body: Any = request.data
    return {"username": username, "password": password} | (body if isinstance(body, dict) else {})


def to_api_error(error: authentication.SignInError) -> APIError:
    said = error.translate()
    fields = {error.field: [said]} if error.field else None
    wait_seconds = authentication.LOCKED_SECONDS if error.code == "rate_limited" else None
    return APIError(error.code, said, fields=fields, wait_seconds=wait_seconds)


class LogoutView(APIView):
    """Sign out: the token that asks, or the session of the cookie."""

    @extend_schema(operation_id="auth_logout", responses={204: None})
    def post(self, request: Request) -> Response:
        if get_channel(request) == "api":
            request.auth.delete()
        else:
            logout(request._request)
        return Response(status=204)


class LogoutAllView(APIView):
    """Sign out all tokens of the account, and the session of the cookie if that is what asks."""

    @extend_schema(operation_id="auth_logout_all", responses={204: None})
    def post(self, request: Request) -> Response:
        authentication.revoke_tokens(get_user(request))
        if get_channel(request) == "web":
            logout(request._request)
        return Response(status=204)


class MeView(APIView):
    @extend_schema(operation_id="me_read", responses=MeSerializer)
    def get(self, request: Request) -> Response:
        return Response(MeSerializer(get_user(request)).data)

    @extend_schema(operation_id="me_change", request=MeBody(partial=True), responses=MeSerializer)
    def patch(self, request: Request) -> Response:
        asked = MeBody.parse(request.data)
        return Response(MeSerializer(authentication.change(get_user(request), replace_nulls(asked))).data)
