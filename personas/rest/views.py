"""What REST views share: the user and the bond of a request."""

from typing import Any, cast

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request

from personas.models import Bond, User


def get_user(request: Request | HttpRequest) -> User:
    return cast(User, request.user)


def get_channel(request: Request) -> str:
    """Return `api` for requests by token, `web` for those by cookie."""
    return "web" if request.auth is None else "api"


def get_own_bond(request: Request, bond_id: int) -> Bond:
    bonds = Bond.objects.for_user(get_user(request)).select_related("persona__facts", "user")
    return get_object_or_404(bonds, pk=bond_id)


class BondView(GenericAPIView[Any]):
    """A view of one bond. Other users' bonds get 404."""

    bond: Bond
    # Read by the description of the API alone.
    queryset = Bond.objects.none()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.bond = get_own_bond(request, kwargs["bond_id"])
