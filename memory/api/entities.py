"""L5: people, places, organisations, pets and things, and which of them are the same."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.bodies import EntityBody, MergeBody, SeparateBody
from memory.entities import editing, merging
from memory.forgetting import removal
from memory.models import Entity, EntityMerge
from memory.serializers.memories import EntityMergeSerializer, EntitySerializer, MergedSerializer
from personas.models import Bond
from personas.rest.views import BondView


class EntitiesView(BondView, ListAPIView[Entity]):
    """People and things, the last mentioned first."""

    serializer_class = EntitySerializer
    ordering = ("-last_mentioned_at", "-id")

    def get_queryset(self) -> QuerySet[Entity]:
        return Entity.objects.for_bond(self.bond).not_deleted_or_merged().for_serializer()

    @extend_schema(request=EntityBody, responses={201: EntitySerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Adds one by hand and links it to the memories that name it."""
        asked = EntityBody.parse(request.data)
        entity = editing.create(bond=self.bond, wanted=asked, now=timezone.now())
        return Response(serialize_entity(self.bond, entity.pk), status=201)


class EntityBaseView(BondView):
    serializer_class: Any = EntitySerializer

    def entity(self, pk: int | None = None) -> Entity:
        entities = (
            Entity.objects.for_bond(self.bond).not_deleted_or_merged().select_related("bond__user", "bond__persona")
        )
        return get_object_or_404(entities, pk=self.kwargs["entity_id"] if pk is None else pk)


class EntityView(EntityBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(serialize_entity(self.bond, self.entity().pk))

    @extend_schema(request=EntityBody(partial=True))
    def patch(self, request: Request, **_: Any) -> Response:
        """Changes the given fields. `aliases` are all its names; a description given here is never overwritten."""
        entity = self.entity()
        asked = EntityBody.parse(request.data, partial=True)
        editing.update(entity=entity, wanted=asked, now=timezone.now())
        return Response(serialize_entity(self.bond, entity.pk))

    def delete(self, request: Request, **_: Any) -> Response:
        """Forgets it with its names, links and description; the memories stay."""
        removal.forget_entity(entity=self.entity(), now=timezone.now())
        return Response(status=204)


class MergeView(EntityBaseView):
    serializer_class = MergedSerializer

    @extend_schema(request=MergeBody)
    def post(self, request: Request, **_: Any) -> Response:
        """Merges it into another one. Answers with the ids of the merge and of the kept one."""
        merged = self.entity()
        asked = MergeBody.parse(request.data)
        kept = self.entity(asked["into"])
        merge = merging.merge_entities(kept=kept, merged=merged, by=merging.Author.OWNER, now=timezone.now())
        return Response(MergedSerializer(merge).data)


class SeparateView(EntityBaseView):
    @extend_schema(request=SeparateBody)
    def post(self, request: Request, **_: Any) -> Response:
        """Keeps it separate from another one: the companion never asks about the two again."""
        one = self.entity()
        asked = SeparateBody.parse(request.data)
        other = self.entity(asked["from"])
        merging.separate_entities(a=one, b=other, by=merging.Author.OWNER, now=timezone.now())
        return Response(serialize_entity(self.bond, one.pk))


class MergesView(BondView, ListAPIView[EntityMerge]):
    """Merges, newest first, also those of talk; `id` undoes one. What was forgotten since is in none."""

    serializer_class = EntityMergeSerializer

    def get_queryset(self) -> QuerySet[EntityMerge]:
        merges = EntityMerge.objects.filter(bond=self.bond, kept__deleted_at=None, merged__deleted_at=None)
        return merges.select_related("kept", "merged")


class UndoMergeView(BondView):
    serializer_class = EntitySerializer

    def post(self, request: Request, merge_id: int, **_: Any) -> Response:
        """Undoes a merge. Answers with the restored entity."""
        merges = EntityMerge.objects.filter(bond=self.bond).select_related("bond", "kept", "merged")
        back = merging.undo(merge=get_object_or_404(merges, pk=merge_id), now=timezone.now())
        return Response(serialize_entity(self.bond, back.pk))


def serialize_entity(bond: Bond, entity_id: int) -> Any:
    return EntitySerializer(Entity.objects.for_bond(bond).for_serializer().get(pk=entity_id)).data
