"""What REST views share: the user of a request, and the bond or the persona."""

from typing import Any, cast

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request

from personas.models import Bond, Persona, User


def get_user(request: Request | HttpRequest) -> User:
    return cast(User, request.user)


def get_channel(request: Request) -> str:
    """Return `api` for requests by token, `web` for those by cookie."""
    return "web" if request.auth is None else "api"


def get_own_bond(request: Request, bond_id: int) -> Bond:
    user = get_user(request)
    bond = get_object_or_404(Bond.objects.for_user(user).select_related("persona__facts"), pk=bond_id)
    bond.user = user
    return bond


def get_own_persona(request: Request | HttpRequest, persona_id: int) -> Persona:
    """Get a persona to its owner; to others, also those that it is shared with, there is none."""
    return get_object_or_404(Persona.objects.owned_by(get_user(request)), pk=persona_id)


class BondView(GenericAPIView[Any]):
    """A view of one bond. Other users' bonds get 404."""

    bond: Bond
    # Read by the description of the API alone.
    queryset = Bond.objects.none()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.bond = get_own_bond(request, kwargs["bond_id"])


class OwnPersonaView(GenericAPIView[Any]):
    """A view of what only the owner of a persona reads and writes."""

    persona: Persona
    queryset = Persona.objects.none()

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        self.persona = get_own_persona(request, kwargs["persona_id"])
