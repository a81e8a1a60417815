"""What REST views share: the one who asks, and the bond that is asked about."""

from typing import Any, cast

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request

from personas.models import Bond, User


def get_user(request: Request | HttpRequest) -> User:
    return cast(User, request.user)


def get_channel(request: Request) -> str:
    """Tokens come in on the channel `api`, cookies on `web`."""
    return "web" if request.auth is None else "api"


def get_own_bond(request: Request, bond_id: int) -> Bond:
    bonds = Bond.objects.for_user(get_user(request)).select_related("persona__facts", "user")
    return get_object_or_404(bonds, pk=bond_id)


class BondView(GenericAPIView[Any]):
    """A view below a bond: the bond is the asker's own, or there is no such thing."""

    bond: Bond

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.bond = get_own_bond(request, kwargs["bond_id"])
