from collections.abc import Mapping
from math import isfinite
from typing import Any

from django.utils.text import format_lazy
from django.utils.translation import gettext, gettext_lazy
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from personas import answering, avatars
from personas.answering import UnknownModelError
from personas.models import (
    BLOCK_CHARACTERS,
    GREETING_CHARACTERS,
    GREETINGS_MOST,
    STARTER_CHARACTERS,
    STARTERS_MOST,
    BlockRevision,
    CoreBlock,
    Opening,
    OpeningRevision,
    Persona,
    PersonaFacts,
    User,
)
from personas.models.accounts import check_time_zone
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
        if name:
            check_time_zone(name)
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


class AnswersSerializer(serializers.Serializer[Any]):
    """How it answers; null where the install's setting holds."""

    model = serializers.CharField(allow_null=True)
    temperature = serializers.FloatField(allow_null=True)
    top_p = serializers.FloatField(allow_null=True)
    tokens = serializers.IntegerField(allow_null=True, help_text="How many tokens a reply has at most.")
    length = serializers.ChoiceField(choices=Persona.AnswerLength.choices, allow_null=True)


def say_range(said: Any, least: float, most: float) -> dict[str, Any]:
    said = format_lazy(said, least=f"{least:g}", most=f"{most:g}")
    return dict.fromkeys(("invalid", "min_value", "max_value", "max_string_length", "overflow"), said)


A_NUMBER = gettext_lazy("This must be a number from {least} to {most}, or null.")
A_WHOLE_NUMBER = gettext_lazy("This must be a whole number from {least} to {most}, or null.")


class AnswersBody(StrictSerializer):
    """How it answers. Settings that are not named stay unchanged; null means the install's."""

    model = StrictTextField(most=answering.MODEL_CHARACTERS, one_line=True, required=False, allow_null=True)
    temperature = serializers.FloatField(
        min_value=0,
        max_value=answering.TEMPERATURE_MOST,
        required=False,
        allow_null=True,
        error_messages=say_range(A_NUMBER, 0, answering.TEMPERATURE_MOST),
    )
    top_p = serializers.FloatField(
        min_value=answering.TOP_P_LEAST,
        max_value=answering.TOP_P_MOST,
        required=False,
        allow_null=True,
        error_messages=say_range(A_NUMBER, answering.TOP_P_LEAST, answering.TOP_P_MOST),
    )
    tokens = serializers.IntegerField(
        min_value=answering.TOKENS_LEAST,
        max_value=answering.TOKENS_MOST,
        required=False,
        allow_null=True,
        error_messages=say_range(A_WHOLE_NUMBER, answering.TOKENS_LEAST, answering.TOKENS_MOST),
    )
    length = serializers.ChoiceField(choices=Persona.AnswerLength.choices, required=False, allow_null=True)

    def validate_model(self, name: str | None) -> str | None:
        try:
            answering.check_model(name or "")
        except UnknownModelError as error:
            raise serializers.ValidationError(error.translate()) from error
        return name

    def validate(self, values: dict[str, Any]) -> dict[str, Any]:
        if any(isinstance(value, float) and not isfinite(value) for value in values.values()):
            raise serializers.ValidationError(gettext("These must be numbers."))
        return values


class PersonaSerializer(ReadOnlySerializer[Persona]):
    """A persona. Its owner sees all fields, others see name, tagline and avatar."""

    nickname = NullableTextField()
    tagline = NullableTextField()
    avatar = serializers.SerializerMethodField()
    facts = FactsSerializer(allow_null=True)
    language = serializers.ChoiceField(choices=Persona.Language.choices, allow_null=True)
    answers = serializers.SerializerMethodField()
    is_own = serializers.SerializerMethodField()
    created_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Persona
        fields = (
            "id", "name", "nickname", "tagline", "avatar", "facts", "language", "visibility", "answers", "is_own",
            "created_at",
        )  # fmt: skip

    @extend_schema_field(AnswersSerializer(allow_null=True))
    def get_answers(self, persona: Persona) -> dict[str, Any]:
        return answering.get_settings(persona)

    def get_avatar(self, persona: Persona) -> str | None:
        return avatars.get_url(persona)

    def get_is_own(self, persona: Persona) -> bool:
        return bool(persona.owner_id == self.context["user"].pk)

    def to_representation(self, persona: Persona) -> dict[str, Any]:
        shown = super().to_representation(persona)
        if not shown["is_own"]:
            shown |= {"nickname": None, "facts": None, "language": None, "answers": None, "created_at": None}
        return shown


class PersonaBody(StrictSerializer):
    name = StrictTextField(most=80, one_line=True)
    nickname = StrictTextField(most=80, blank=True, one_line=True, required=False, allow_null=True)
    tagline = StrictTextField(most=200, blank=True, one_line=True, required=False, allow_null=True)
    facts = FactsBody(required=False)
    language = serializers.ChoiceField(choices=Persona.Language.choices, required=False)
    visibility = serializers.ChoiceField(choices=Persona.Visibility.choices, required=False)
    answers = AnswersBody(required=False)


class OpeningBody(StrictSerializer):
    """What a companion may say first, and what its user may. Both replace what was there."""

    greetings = serializers.ListField(child=StrictTextField(most=GREETING_CHARACTERS), max_length=GREETINGS_MOST)
    starters = serializers.ListField(
        child=StrictTextField(most=STARTER_CHARACTERS, one_line=True), max_length=STARTERS_MOST, required=False
    )


class OnboardingBody(StrictSerializer):
    name = StrictTextField(most=80, one_line=True)
    persona = StrictTextField(most=BLOCK_CHARACTERS)
    tagline = StrictTextField(most=200, blank=True, one_line=True, required=False)
    style = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)  # type: ignore[assignment]  # a field's own `style` is another thing
    scenario = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)
    examples = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)
    user = StrictTextField(most=BLOCK_CHARACTERS, blank=True, required=False)
    facts = FactsBody(required=False)
    language = serializers.ChoiceField(choices=Persona.Language.choices, required=False)
    greetings = serializers.ListField(
        child=StrictTextField(most=GREETING_CHARACTERS), max_length=GREETINGS_MOST, required=False
    )
    starters = serializers.ListField(
        child=StrictTextField(most=STARTER_CHARACTERS, one_line=True), max_length=STARTERS_MOST, required=False
    )


class BlockSerializer(ReadOnlySerializer[CoreBlock]):
    updated_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = CoreBlock
        fields = ("label", "content", "version", "updated_at", "updated_by")


class BlockBody(StrictSerializer):
    content = StrictTextField(most=BLOCK_CHARACTERS, blank=True)


class RevisionSerializer(ReadOnlySerializer[BlockRevision]):
    class Meta:
        model = BlockRevision
        fields = ("n", "content", "saved_at", "saved_by")


class OpeningSerializer(ReadOnlySerializer[Opening]):
    updated_at = UTCDateTimeField(allow_null=True)

    class Meta:
        model = Opening
        fields = ("greetings", "starters", "version", "updated_at", "updated_by")


class OpeningRevisionSerializer(ReadOnlySerializer[OpeningRevision]):
    class Meta:
        model = OpeningRevision
        fields = ("n", "greetings", "starters", "saved_at", "saved_by")


def replace_nulls(values: Mapping[str, Any]) -> dict[str, Any]:
    """Turn null into the empty text that the column holds."""
    return {name: "" if value is None else value for name, value in values.items()}
