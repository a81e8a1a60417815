"""The versions of a bond's story."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.story.bodies import DiffQuery, VersionBody, VersionQuery
from memory.models import StoryVersion
from memory.serializers.story import DiffSerializer, VersionSerializer
from memory.story import settings
from memory.story.versions import comparison, writing
from memory.story.versions.points import load_points
from personas.models import Bond
from personas.rest.api_errors import APIError
from personas.rest.views import BondView


def filter_shown(bond: Bond) -> QuerySet[StoryVersion]:
    """Filter the versions that people see: not the links of a rebuild."""
    return StoryVersion.objects.for_bond(bond).without_links().for_serializer().select_related("bond", "base")


def serialize_version(version: StoryVersion) -> Any:
    return VersionSerializer(filter_shown(version.bond).get(pk=version.pk)).data


@extend_schema_view(get=extend_schema(parameters=[VersionQuery]))
class VersionsView(BondView, ListAPIView[StoryVersion]):
    """The versions of the story, newest first; with `deleted` those that can be restored until the night."""

    has_filters = True
    serializer_class = VersionSerializer
    ordering = ("-number",)

    def get_queryset(self) -> QuerySet[StoryVersion]:
        asked = VersionQuery.parse(self.request.query_params.dict())
        return filter_shown(self.bond).filter(deleted_at__isnull=not asked.get("deleted", False))


class VersionBaseView(BondView):
    serializer_class: Any = VersionSerializer

    def get_version(self) -> StoryVersion:
        return get_object_or_404(filter_shown(self.bond), number=self.kwargs["n"])


class VersionView(VersionBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        """Its points, and the same as text."""
        return Response(VersionSerializer(self.get_version()).data)

    @extend_schema(request=VersionBody)
    def patch(self, request: Request, **_: Any) -> Response:
        """Pins it, so that it stays however many follow, or lets it go."""
        version = self.get_version()
        asked = VersionBody.parse(request.data)
        writing.pin_version(version=version, pinned=asked["pinned"], now=timezone.now())
        return Response(serialize_version(version))

    def delete(self, request: Request, **_: Any) -> Response:
        """Deletes it; it can be restored until the night. Of the current one the newest that is left takes the place."""
        writing.delete_version(version=self.get_version(), now=timezone.now())
        return Response(status=204)


class DiffView(VersionBaseView):
    serializer_class = DiffSerializer

    @extend_schema(parameters=[DiffQuery])
    def get(self, request: Request, **_: Any) -> Response:
        """What was added, changed and dropped from this version to another."""
        version = self.get_version()
        asked = DiffQuery.parse(request.query_params.dict())
        found = comparison.diff_points(load_points(version), load_points(self.get_other(asked)))
        changed = [{"before": before, "after": after} for before, after in found.changed]
        return Response(DiffSerializer({"added": found.added, "changed": changed, "dropped": found.dropped}).data)

    def get_other(self, asked: dict[str, Any]) -> StoryVersion:
        if "to" in asked:
            return get_object_or_404(filter_shown(self.bond), number=asked["to"])
        current = settings.get_story(self.bond).current
        if current is None:
            raise APIError("conflict", gettext("No version is current: name the other one by `to`."))
        return current


class ChooseVersionView(VersionBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Makes a copy of it current, and answers with that; scenes behind it are due again."""
        copy = writing.choose_version(version=self.get_version(), now=timezone.now())
        return Response(serialize_version(copy))


class RestoreVersionView(VersionBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Restores a deleted version. It becomes current only where none is."""
        version = self.get_version()
        if version.deleted_at is None:
            raise APIError("conflict", gettext("This version was not deleted."))
        writing.restore_version(version=version, now=timezone.now())
        return Response(serialize_version(version))
