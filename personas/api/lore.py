"""A persona's lore. Only its owner reads and writes it; others get 404, also for a shared persona."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from personas.authored import lore_entries
from personas.models import LoreEntry
from personas.models.lore import KEY_CHARACTERS, KEYS_MOST, LORE_CHARACTERS
from personas.rest.serializer_fields import ReadOnlySerializer, StrictSerializer, StrictTextField
from personas.rest.views import OwnPersonaView

FIELDS = (
    *("keys", "secondary_keys", "content", "constant", "enabled", "selective", "case_sensitive"),
    *("use_regex", "priority", "insertion_order"),
)
# What a column of whole numbers holds.
NUMBER_LEAST, NUMBER_MOST = -(2**31) + 1, 2**31 - 1


class LoreSerializer(ReadOnlySerializer[LoreEntry]):
    class Meta:
        model = LoreEntry
        fields = ("id", *FIELDS)


def make_keys_field() -> serializers.ListField:
    return serializers.ListField(
        child=StrictTextField(most=KEY_CHARACTERS, one_line=True), max_length=KEYS_MOST, required=False
    )


class LoreBody(StrictSerializer):
    """An entry. It is told where a key occurs in what was said last; `constant` ones always. Keys with `use_regex` are kept and not used."""

    keys = make_keys_field()
    secondary_keys = make_keys_field()
    content = StrictTextField(most=LORE_CHARACTERS)
    constant = serializers.BooleanField(required=False)
    enabled = serializers.BooleanField(required=False)
    selective = serializers.BooleanField(required=False)
    case_sensitive = serializers.BooleanField(required=False, allow_null=True)
    use_regex = serializers.BooleanField(required=False)
    priority = serializers.IntegerField(required=False, allow_null=True, min_value=NUMBER_LEAST, max_value=NUMBER_MOST)
    insertion_order = serializers.IntegerField(required=False, min_value=NUMBER_LEAST, max_value=NUMBER_MOST)


class LoreBaseView(OwnPersonaView):
    serializer_class = LoreSerializer

    def get_queryset(self) -> QuerySet[LoreEntry]:
        return self.persona.lore.all()


class LoreView(LoreBaseView, ListAPIView[LoreEntry]):
    """The lore entries of a persona, in their order."""

    ordering = ("place", "id")

    @extend_schema(request=LoreBody, responses={201: LoreSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Adds an entry after all others."""
        asked = LoreBody.parse(request.data)
        entry = lore_entries.add(persona=self.persona, fields=asked)
        return Response(LoreSerializer(entry).data, status=201)


class LoreEntryView(LoreBaseView):
    def get_entry(self) -> LoreEntry:
        return get_object_or_404(self.get_queryset(), pk=self.kwargs["entry_id"])

    def get(self, request: Request, **_: Any) -> Response:
        return Response(LoreSerializer(self.get_entry()).data)

    @extend_schema(request=LoreBody(partial=True))
    def patch(self, request: Request, **_: Any) -> Response:
        """Changes the fields that are given."""
        entry = self.get_entry()
        asked = LoreBody.parse(request.data, partial=True)
        return Response(LoreSerializer(lore_entries.change(entry=entry, fields=asked)).data)

    def delete(self, request: Request, **_: Any) -> Response:
        self.get_entry().delete()
        return Response(status=204)
