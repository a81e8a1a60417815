from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema
from rest_framework.generics import GenericAPIView, ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from personas import editing, erasing, onboarding
from personas.api.serializers import OnboardingBody, PersonaBody, PersonaSerializer, replace_nulls
from personas.models import Persona
from personas.rest.api_errors import APIError
from personas.rest.views import get_user


class PersonasView(ListAPIView[Persona]):
    """The user's own personas and shared ones."""

    serializer_class = PersonaSerializer
    queryset = Persona.objects.none()

    def get_queryset(self) -> QuerySet[Persona]:
        return Persona.objects.open_to(get_user(self.request)).select_related("facts")

    def get_serializer_context(self) -> dict[str, Any]:
        return {"user": self.request.user}

    @extend_schema(operation_id="personas_create", request=PersonaBody, responses={201: PersonaSerializer})
    def post(self, request: Request) -> Response:
        body = PersonaBody(data=request.data)
        body.is_valid(raise_exception=True)
        values = get_persona_values(body)
        asked = {"nickname": "", "tagline": "", "facts": {}, "language": Persona.Language.ENGLISH} | values
        answers = {name: asked.pop(name) for name in [*asked] if name.startswith("answer_")}
        visibility = asked.pop("visibility", Persona.Visibility.PRIVATE)
        made = onboarding.create_persona(owner=get_user(request), now=timezone.now(), **asked)
        values = {"visibility": visibility, **answers}
        shown = editing.change(persona=made, values=values, now=timezone.now())
        return Response(PersonaSerializer(shown, context=self.get_serializer_context()).data, status=201)


class PersonaView(GenericAPIView[Persona]):
    serializer_class = PersonaSerializer
    queryset = Persona.objects.none()

    def get_persona(self, persona_id: int, *, own: bool) -> Persona:
        """Return a persona that the user may see; with `own`, one that the user owns."""
        user = get_user(self.request)
        persona = get_object_or_404(Persona.objects.open_to(user).select_related("facts"), pk=persona_id)
        if own and persona.owner_id != user.pk:
            raise APIError("forbidden", gettext("Someone else shares this persona. Only its owner can change it."))
        return persona

    def respond(self, persona: Persona) -> Response:
        return Response(PersonaSerializer(persona, context={"user": self.request.user}).data)

    @extend_schema(operation_id="personas_read")
    def get(self, request: Request, persona_id: int) -> Response:
        return self.respond(self.get_persona(persona_id, own=False))

    @extend_schema(operation_id="personas_change", request=PersonaBody(partial=True))
    def patch(self, request: Request, persona_id: int) -> Response:
        persona = self.get_persona(persona_id, own=True)
        body = PersonaBody(data=request.data, partial=True)
        body.is_valid(raise_exception=True)
        return self.respond(editing.change(persona=persona, values=get_persona_values(body), now=timezone.now()))

    @extend_schema(operation_id="personas_archive", responses={204: None})
    def delete(self, request: Request, persona_id: int) -> Response:
        """Archives the persona: no new bonds, existing ones continue. One without bonds is erased."""
        erasing.retire(self.get_persona(persona_id, own=True), now=timezone.now())
        return Response(status=204)


def get_persona_values(body: PersonaBody | OnboardingBody) -> dict[str, Any]:
    values = replace_nulls(body.validated_data)
    if "facts" in values:
        values["facts"] = replace_nulls(values["facts"])
    for name, value in values.pop("answers", {}).items():
        values[f"answer_{name}"] = value or "" if name in ("model", "length") else value
    return values
