"""Writes on facts as the API, the sockets and the pages show them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from memory.facts import undoing
from memory.models import ConceptNode, FactWrite, NodeLink, Session
from memory.serializers.nodes import NodeSerializer
from personas.rest.serializer_fields import NullableTextField, ReadOnlySerializer, UTCDateTimeField


class FactWriteSerializer(ReadOnlySerializer[FactWrite]):
    """A write from `load_writes`."""

    node = NodeSerializer(source="shown_node", allow_null=True)
    old = NodeSerializer(source="shown_old", many=True)
    turn = serializers.UUIDField(source="turn_id", allow_null=True)
    at = UTCDateTimeField(source="created_at")
    undoable = serializers.SerializerMethodField(
        help_text="Whether it is neither undone nor older than 30 days; whether its result stands is seen when it is undone."
    )

    class Meta:
        model = FactWrite
        fields = (
            "id", "op", "by", "node", "old", "session", "message", "turn", "offset", "at", "undone_at", "undoable",
        )  # fmt: skip

    @extend_schema_field(serializers.BooleanField())
    def get_undoable(self, write: FactWrite) -> bool:
        return undoing.is_undoable(write, now=self.context["now"])


class ToldSerializer(serializers.Serializer[Any]):
    told = serializers.IntegerField(help_text="How many other companions know it now; 0 where none knew it otherwise.")


class LinkSerializer(ReadOnlySerializer[NodeLink]):
    class Meta:
        model = NodeLink
        fields = ("id", "a", "b", "relation", "created_at")


class LoadedSerializer(serializers.Serializer[Session]):
    """The loaded set of a session; before its first turn and after its end there is none."""

    text = NullableTextField(source="loaded_text")
    hash = NullableTextField(source="loaded_hash")
    ids = serializers.ListField(source="loaded_ids", child=serializers.IntegerField())
    left_out = serializers.IntegerField(source="loaded_left")


def load_writes(*, bond_id: int, writes: Iterable[FactWrite]) -> list[Any]:
    """Attach to writes what `FactWriteSerializer` shows beside the row, by one query for all nodes.

    A forgotten node is not shown, nor by the write that forgot it.
    """
    writes = list(writes)
    ids = {pk for write in writes for pk in (write.node_id, *write.old)}
    rows = ConceptNode.objects.not_deleted().filter(bond=bond_id, pk__in=ids).for_serializer()
    nodes: dict[int, Any] = {node.pk: node for node in rows}
    for write in writes:
        write.shown_node = nodes.get(write.node_id)  # type: ignore[attr-defined]  # as an annotation would
        write.shown_old = [nodes[pk] for pk in write.old if pk in nodes]  # type: ignore[attr-defined]  # as above
    return writes


def serialize_writes(*, bond_id: int, writes: Iterable[FactWrite], now: datetime) -> Sequence[dict[str, Any]]:
    loaded = load_writes(bond_id=bond_id, writes=writes)
    return list(FactWriteSerializer(loaded, many=True, context={"now": now}).data)
