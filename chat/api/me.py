"""Erase the own account. The rest of `me/` needs no bond and is in `personas`."""

from django.contrib.auth import logout
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.serializers import AccountErasureBody
from chat.erasure import erasing
from personas.accounts import authentication
from personas.accounts.authentication import SignInError
from personas.api import accounts as api_accounts
from personas.rest.views import get_channel, get_user


class MeView(api_accounts.MeView):
    @extend_schema(operation_id="me_erase", responses={204: None})
    def delete(self, request: Request) -> Response:
        """Erases the account with everything below it at once, if the body holds its `password`."""
        asked = AccountErasureBody.parse(request.data)
        user = get_user(request)
        try:
            authentication.check_password(request._request, user=user, password=asked["password"])
        except SignInError as error:
            raise api_accounts.to_api_error(error) from error
        if get_channel(request) == "web":
            logout(request._request)
        erasing.erase_account(user=user, now=timezone.now())
        return Response(status=204)
