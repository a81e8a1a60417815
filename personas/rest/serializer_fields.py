"""Fields and base classes of serializers: responses, and strict request bodies."""

from collections.abc import Mapping
from datetime import UTC
from typing import Any, ClassVar, TypeVar, cast

from django.db import models
from django.utils.translation import gettext, gettext_lazy
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from echovessel.text import TextError, check, is_one_line

Row = TypeVar("Row", bound=models.Model)


class UTCDateTimeField(serializers.DateTimeField):
    """A time in UTC, whatever the active time zone is."""

    timezone = UTC


class NullableTextField(serializers.CharField):
    """An optional text; the contract shows an empty one as null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(allow_null=True, **kwargs)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]  # null is what this is for
        return value or None


class NullableChoiceField(serializers.ChoiceField):
    """An optional choice; the contract shows an empty one as null."""

    def __init__(self, choices: Any, **kwargs: Any) -> None:
        super().__init__(choices, allow_null=True, **kwargs)

    def to_representation(self, value: str) -> str | None:  # type: ignore[override]  # as above
        return value or None


class ReadOnlySerializer(serializers.ModelSerializer[Row]):
    """A response object; nothing is written through it."""

    serializer_field_mapping = serializers.ModelSerializer.serializer_field_mapping | {
        models.DateTimeField: UTCDateTimeField
    }

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.read_only = True
        return fields


class StrictSerializer(serializers.Serializer[Any]):
    """A request's body or query; unknown fields are refused by name, and a wrong choice with those that are allowed."""

    default_error_messages: ClassVar[dict[str, Any]] = {"invalid": gettext_lazy("This must be a JSON object.")}

    @classmethod
    def parse(cls, data: Any, *, partial: bool = False) -> Any:
        """Return the validated values, a dictionary. Raises ValidationError."""
        body = cls(data=data, partial=partial)
        body.is_valid(raise_exception=True)
        return body.validated_data

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            if isinstance(field, serializers.ChoiceField):
                allowed = ", ".join(str(choice) for choice in field.choices if choice)
                said = gettext('"{input}" is not a valid choice; allowed: %(allowed)s.')
                field.error_messages["invalid_choice"] = said % {"allowed": allowed}
        return fields

    def to_internal_value(self, data: Any) -> Any:
        unknown = [name for name in data if name not in self.fields] if isinstance(data, Mapping) else []
        known = ", ".join(name for name, field in self.fields.items() if not field.read_only)
        told = (
            gettext("Unknown field; known are: %(known)s.") % {"known": known} if known else gettext("Unknown field.")
        )
        wrong = {name: [ErrorDetail(told, code="unknown_field")] for name in unknown}
        try:
            values = super().to_internal_value(data)
        except serializers.ValidationError as error:
            raise serializers.ValidationError(cast("dict[str, Any]", error.detail) | wrong) from error
        if wrong:
            raise serializers.ValidationError(wrong)
        return values


class PageQuery(StrictSerializer):
    """The query of a list. Unknown names are refused: a mistyped filter must not return all rows."""

    cursor = serializers.CharField(required=False)

    def to_internal_value(self, data: Any) -> Any:
        """Drop empty filters."""
        empty = {name for name, value in data.items() if value == "" and name in self.fields}
        left_out = {name for name in empty if not self.fields[name].required}
        return super().to_internal_value({name: value for name, value in data.items() if name not in left_out})


class StrictTextField(serializers.CharField):
    """A text field that does not trim its value."""

    def __init__(self, *, most: int, blank: bool = False, one_line: bool = False, **kwargs: Any) -> None:
        self.most = most
        self.blank = blank
        self.one_line = one_line
        super().__init__(trim_whitespace=False, allow_blank=True, **kwargs)

    def run_validation(self, data: Any = serializers.empty) -> Any:
        if data == "" and not self.blank:
            self.to_internal_value(data)
        return super().run_validation(data)

    def to_internal_value(self, data: Any) -> str:
        try:
            text = check(data, most=self.most)
        except TextError as error:
            raise serializers.ValidationError(error.translate(), code=error.code) from error
        if self.one_line and text and not is_one_line(text):
            raise serializers.ValidationError(
                gettext("This must be one line, without control characters."), code="invalid"
            )
        return text
