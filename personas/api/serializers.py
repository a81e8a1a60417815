from collections.abc import Mapping
from typing import Any
from zoneinfo import available_timezones

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from personas import avatars
from personas.models import BLOCK_CHARACTERS, BlockRevision, CoreBlock, Persona, PersonaFacts, User
from personas.rest.serializer_fields import (
    NullableTextField,
    ReadOnlySerializer,
    StrictSerializer,
    StrictTextField,
    UTCDateTimeField,
)


class LoginBody(StrictSerializer):
    username = serializers.CharField(max_length=150)
    password = serializers.CharField(max_length=4096, trim_whitespace=False, style={"input_type": "password"})
    code = serializers.CharField(max_length=32, required=False, help_text="For accounts with two-factor sign-in.")


class TokenSerializer(serializers.Serializer[Any]):
    token = serializers.CharField()
    expiry = UTCDateTimeField(allow_null=True)


class TicketSerializer(serializers.Serializer[Any]):
    ticket = serializers.CharField()


class MeSerializer(ReadOnlySerializer[User]):
    display_name = NullableTextField()
    time_zone = NullableTextField()
    language = NullableTextField()

    class Meta:
        model = User
        fields = ("username", "display_name", "time_zone", "language")


class MeBody(StrictSerializer):
    display_name = StrictTextField(most=80, blank=True, one_line=True, required=False, allow_null=True)
    time_zone = serializers.CharField(required=False, allow_blank=True, allow_null=True, max_length=64)
    language = serializers.ChoiceField(choices=User.Language.choices, required=False, allow_blank=True, allow_null=True)

    def validate_time_zone(self, name: str | None) -> str | None:
        if name and name not in available_timezones():
            raise serializers.ValidationError("This is not a time zone. Use an IANA name such as Europe/Berlin.")
        return name


class FactsSerializer(ReadOnlySerializer[PersonaFacts]):
    class Meta:
        model = PersonaFacts
        fields = PersonaFacts.NAMES

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return {name: NullableTextField(read_only=True) for name in PersonaFacts.NAMES}

    def to_representation(self, facts: PersonaFacts) -> dict[str, str | None]:
        return facts.as_dict()


class FactsBody(StrictSerializer):
    """Facts, each a text or null. Facts that are not named stay unchanged."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        lengths = {column.name: getattr(column, "max_length", None) for column in PersonaFacts._meta.get_fields()}
        return {
            name: StrictTextField(
                most=lengths[name] or 0, blank=True, one_line=name != "notes", required=False, allow_null=True
            )
            for name in PersonaFacts.NAMES
        }


class PersonaSerializer(ReadOnlySerializer[Persona]):
    """A persona. Its owner sees all fields, others see name, tagline and avatar."""

    tagline = NullableTextField()
    avatar = serializers.SerializerMethodField()
    facts = FactsSerializer(allow_null=True)
    language = serializers.ChoiceField(choices=Persona.Language.choices, allow_null=True)
    is_own = serializers.SerializerMethodField()
    created_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Persona
        fields = ("id", "name", "tagline", "avatar", "facts", "language", "visibility", "is_own", "created_at")

    def get_avatar(self, persona: Persona) -> str | None:
        return avatars.get_url(persona)

    def get_is_own(self, persona: Persona) -> bool:
        return bool(persona.owner_id == self.context["user"].pk)

    def to_representation(self, persona: Persona) -> dict[str, Any]:
        shown = super().to_representation(persona)
        if not shown["is_own"]:
            shown |= {"facts": None, "language": None, "created_at": None}
        return shown


class PersonaBody(StrictSerializer):
    name = StrictTextField(most=80, one_line=True)
    tagline = StrictTextField(most=200, blank=True, one_line=True, required=False, allow_null=True)
    facts = FactsBody(required=False)
    language = serializers.ChoiceField(choices=Persona.Language.choices, required=False)
    visibility = serializers.ChoiceField(choices=Persona.Visibility.choices, required=False)


class OnboardingBody(StrictSerializer):
    name = StrictTextField(most=80, one_line=True)
    persona = StrictTextField(most=BLOCK_CHARACTERS)
    tagline = StrictTextField(most=200, blank=True, one_line=True, required=False)
    style = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)  # type: ignore[assignment]  # a field's own `style` is another thing
    user = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)
    facts = FactsBody(required=False)
    language = serializers.ChoiceField(choices=Persona.Language.choices, required=False)


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
    notes = NullableTextField()

    @extend_schema_field(FactsSerializer)
    def get_facts(self, draft: Any) -> dict[str, str | None]:
        return {name: draft.facts.get(name) for name in PersonaFacts.NAMES}


class BlockSerializer(ReadOnlySerializer[CoreBlock]):
    updated_by = serializers.IntegerField(source="updated_by_id", allow_null=True)
    updated_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = CoreBlock
        fields = ("label", "content", "version", "updated_at", "updated_by")


class BlockBody(StrictSerializer):
    content = StrictTextField(most=BLOCK_CHARACTERS, blank=True)


class RevisionSerializer(ReadOnlySerializer[BlockRevision]):
    saved_by = serializers.IntegerField(source="saved_by_id", allow_null=True)

    class Meta:
        model = BlockRevision
        fields = ("n", "content", "saved_at", "saved_by")


def replace_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn null into the empty text that the column holds."""
    return {name: "" if value is None else value for name, value in values.items()}
