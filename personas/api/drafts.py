"""Endpoints for drafts, character cards and pictures of personas."""

from typing import Any

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from echovessel import materials
from echovessel.llm import provider
from echovessel.postgres.threads import release_connection
from personas import avatars, drafts, editing
from personas.api.serializers import FactsSerializer, PersonaSerializer
from personas.cards import building, encoding
from personas.models import Persona, PersonaFacts, User
from personas.rest.api_errors import APIError
from personas.rest.drf_policies import SafeJSONParser
from personas.rest.serializer_fields import NullableTextField, StrictSerializer, StrictTextField
from personas.rest.uploads import BoundedMultiPartParser, read_content
from personas.rest.views import get_own_persona, get_user


class DraftedBlocksSerializer(serializers.Serializer[Any]):
    persona = serializers.CharField()
    user = serializers.CharField()
    style = serializers.CharField()  # type: ignore[assignment]  # a field's own `style` is another thing


class DraftSerializer(serializers.Serializer[Any]):
    """A draft for review. Texts that the material does not give are empty, facts are null."""

    blocks = DraftedBlocksSerializer(source="*")
    name = NullableTextField()
    tagline = NullableTextField()
    language = serializers.ChoiceField(choices=Persona.Language.choices)
    facts = serializers.SerializerMethodField()
    scenario = NullableTextField()
    examples = NullableTextField()
    greetings = serializers.ListField(child=serializers.CharField())
    starters = serializers.ListField(child=serializers.CharField())
    notes = NullableTextField()

    @extend_schema_field(FactsSerializer)
    def get_facts(self, draft: drafts.Draft) -> dict[str, str | None]:
        return {name: draft.facts.get(name) for name in PersonaFacts.NAMES}


class DraftBody(StrictSerializer):
    """Either a text or a file."""

    text = StrictTextField(most=materials.BYTES_MOST, required=False)
    file = serializers.FileField(required=False, allow_empty_file=True)

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        if len(asked) != 1:
            raise serializers.ValidationError(gettext("Send either a text or a file."), code="invalid")
        return asked


class DraftsView(APIView):
    parser_classes = (SafeJSONParser, BoundedMultiPartParser)
    upload_most = materials.BYTES_MOST
    rate_of = {"POST": "costly"}

    @extend_schema(request=DraftBody, responses=DraftSerializer)
    def post(self, request: Request) -> Response:
        """Drafts a companion's texts from notes, a table, a ChatGPT export or a character card. Stores nothing."""
        asked = DraftBody.parse(request.data)
        return Response(DraftSerializer(make_draft(get_user(request), **asked)).data)


def make_draft(user: User, *, text: str = "", file: Any = None) -> drafts.Draft:
    """Make a draft without holding a database connection. Raises APIError."""
    content = read_content(file, most=materials.BYTES_MOST) if file else b""
    llm = provider.get_llm()
    release_connection()
    if file:
        return drafts.make_from_file(file.name, content, user=user, llm=llm)
    return drafts.make_from_text(text, user=user, llm=llm)


class CardBody(StrictSerializer):
    file = serializers.FileField(help_text="A character card of version 1, 2 or 3, as JSON or PNG; at most 8 MiB.")


def read_card(file: Any) -> drafts.Draft:
    """Read an uploaded card without holding a database connection. Raises APIError."""
    content = read_content(file, most=materials.BYTES_MOST)
    release_connection()
    material = materials.parse(file.name or "", content)
    if material.card is None:
        raise APIError("invalid", gettext("This file is not a character card."))
    draft = drafts.make_from_card(material.card, content)
    if not draft.name or not draft.persona.strip():
        raise APIError("invalid", gettext("This character card has no name or no description; it must have both."))
    return draft


class CardQuery(StrictSerializer):
    format = serializers.ChoiceField(choices=["json", "png"], default="json")


class CardView(APIView):
    @extend_schema(
        parameters=[CardQuery],
        responses={(200, "application/json"): OpenApiTypes.OBJECT, (200, "image/png"): OpenApiTypes.BINARY},
    )
    def get(self, request: Request, persona_id: int) -> HttpResponse:
        """The persona as a character card of version 3: its texts and facts, without memories."""
        asked = CardQuery.parse(request.query_params.dict())
        persona = get_own_persona(request, persona_id)
        return build_card_response(persona, asked["format"])


def build_card_response(persona: Persona, kind: str) -> HttpResponse:
    card = building.build_card(persona)
    if kind == "png":
        content, content_type = encoding.encode_png(card, picture=avatars.load_readable(persona)), "image/png"
    else:
        content, content_type = encoding.encode_json(card), "application/json"
    named = (
        content_disposition_header(as_attachment=True, filename=f"{clean_file_name(persona.name)}.{kind}")
        or "attachment"
    )
    return HttpResponse(content, content_type=content_type, headers={"Content-Disposition": named})


def clean_file_name(name: str) -> str:
    """Remove characters that have a meaning in file systems or headers."""
    return "".join(
        character if character.isprintable() and character not in '/\\:*?"<>|' else "-" for character in name
    )


class AvatarBody(StrictSerializer):
    file = serializers.FileField(allow_empty_file=True)


class AvatarView(APIView):
    parser_classes = (BoundedMultiPartParser, SafeJSONParser)
    upload_most = avatars.BYTES_MOST
    rate_of = {"PUT": "costly"}

    @extend_schema(responses={(200, avatars.CONTENT_TYPE): OpenApiTypes.BINARY})
    def get(self, request: Request, persona_id: int) -> HttpResponse:
        """The picture, for everybody who may see the persona."""
        persona = get_object_or_404(find_visible_personas(get_user(request)), pk=persona_id)
        content = avatars.load_content(persona)
        if not content:
            raise NotFound(gettext("This persona has no picture."))
        # The URL changes with the picture.
        return HttpResponse(
            content, content_type=avatars.CONTENT_TYPE, headers={"Cache-Control": "private, max-age=86400"}
        )

    @extend_schema(request={"multipart/form-data": AvatarBody}, responses=PersonaSerializer)
    def put(self, request: Request, persona_id: int) -> Response:
        """Accepts a PNG, JPEG or WebP of at most 4 MiB and stores a smaller picture made from it."""
        persona = get_own_persona(request, persona_id)
        asked = AvatarBody.parse(request.data)
        content = avatars.redraw(read_content(asked["file"], most=avatars.BYTES_MOST))
        editing.change_picture(persona=persona, content=content, now=timezone.now())
        return Response(PersonaSerializer(persona, context={"user": get_user(request)}).data)

    @extend_schema(responses={204: None})
    def delete(self, request: Request, persona_id: int) -> Response:
        persona = get_own_persona(request, persona_id)
        editing.change_picture(persona=persona, content=b"", now=timezone.now())
        return Response(status=204)


def find_visible_personas(user: User) -> QuerySet[Persona]:
    """Return personas that the user may begin with or has a bond with, archived or not."""
    known = Q(pk__in=user.bonds.values("persona"))
    return Persona.objects.filter(Q(pk__in=Persona.objects.open_to(user).values("pk")) | known)
