"""The shapes of imports, and what requests about them may hold."""

from typing import Any

from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from echovessel.materials import BYTES_MOST
from memory.importing.intake import NAME_MOST
from memory.models import Import, Proposal
from personas.rest.serializer_fields import ReadOnlySerializer, StrictSerializer, StrictTextField, UTCDateTimeField


class WritesSerializer(serializers.Serializer[Any]):
    """How many were new; `dropped` is what the model named and the file does not say."""

    events = serializers.IntegerField()
    facts = serializers.IntegerField()
    thoughts = serializers.IntegerField()
    entities = serializers.IntegerField()
    dropped = serializers.IntegerField()


class ImportErrorSerializer(serializers.Serializer[Import]):
    code = serializers.CharField(source="failure_code")
    detail = serializers.CharField(source="failure_detail")
    next_try_at = UTCDateTimeField(source="failure_next_try_at", allow_null=True)


class ProposalSerializer(ReadOnlySerializer[Proposal]):
    """A suggestion for the block `label` of the bond, which the user accepts or not."""

    label = serializers.ChoiceField(choices=["user"])  # type: ignore[assignment]  # a field's own `label` is another thing
    accepted = serializers.BooleanField(help_text="Whether it is in the block now.")

    class Meta:
        model = Proposal
        fields = ("id", "label", "content", "source_quote", "accepted")


class ImportSerializer(ReadOnlySerializer[Import]):
    writes = WritesSerializer()
    error = serializers.SerializerMethodField()
    proposals = ProposalSerializer(source="open_proposals", many=True)

    class Meta:
        model = Import
        fields = ("id", "name", "state", "done", "total", "writes", "error", "proposals", "created_at")

    @extend_schema_field(ImportErrorSerializer(allow_null=True))
    def get_error(self, imported: Import) -> Any:
        return ImportErrorSerializer(imported).data if imported.failure_code else None


class EstimateSerializer(serializers.Serializer[Any]):
    chunks = serializers.IntegerField()
    tokens_in = serializers.IntegerField()
    tokens_out = serializers.IntegerField()
    cost = serializers.FloatField(
        allow_null=True, help_text="In US dollars; null if the prices of the model are unknown."
    )


class FileBody(StrictSerializer):
    """Either a file or a text, and its name."""

    file = serializers.FileField(required=False, allow_empty_file=True)
    text = StrictTextField(most=BYTES_MOST, required=False)
    name = StrictTextField(most=NAME_MOST, one_line=True, required=False)

    def validate(self, asked: dict[str, Any]) -> dict[str, Any]:
        if ("file" in asked) == ("text" in asked):
            raise serializers.ValidationError(gettext("Send either a text or a file."), code="invalid")
        return asked
