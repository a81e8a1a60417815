"""Adapt restored rows to their new place: ids within columns, and columns that are computed."""

from collections.abc import Callable
from typing import Any

from django.db import models

from echovessel import text
from echovessel.archives.zip_files import ArchiveError
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    EntityMerge,
    EntityRemark,
    FactWrite,
    LineRecap,
    Mention,
    Message,
    NodeLink,
    Scene,
    SceneRecap,
    Separation,
    Session,
    SlowTickRun,
    StoryVersion,
    lexemes,
)
from memory.transfer.restored_ids import RestoredIds, build_missing_error

# Adapts a row to its new place.
Adapt = Callable[[Any, RestoredIds], None]


def adapt_message(message: Message, restored: RestoredIds) -> None:
    message.search = lexemes.format_lexemes(restored.bond.pk, message.content)
    message.turn_id = restored.get_turn_id(message.turn_id)


def adapt_node(node: ConceptNode, restored: RestoredIds) -> None:
    node.terms = sorted(set(text.extract_terms(node.description)))
    # Answer keys hold ids of sessions and runs; those of imports hash a text and stay.
    if not (node.answer_key or "").startswith("import:"):
        node.answer_key = None


def adapt_alias(alias: EntityAlias, restored: RestoredIds) -> None:
    alias.folded = text.fold(alias.name)


def adapt_merge(merge: EntityMerge, restored: RestoredIds) -> None:
    moved = merge.moved
    for name, kind in MOVED_MODELS.items():
        moved[name] = restored.get_new_ids(kind, moved.get(name, []))
    for name in ("pairs_moved", "pairs_settled"):
        pairs = [restored.get_new_ids(Entity, pair[:2]) for pair in moved[name]]
        moved[name] = [pair for pair in pairs if len(pair) == 2]


def adapt_doubt(doubt: Doubt, restored: RestoredIds) -> None:
    doubt.asked_in = restored.get_new_ids(Session, doubt.asked_in)


def adapt_write(write: FactWrite, restored: RestoredIds) -> None:
    """Adapt a write, so that it can be undone here as there."""
    write.old = restored.get_new_ids(ConceptNode, write.old)
    write.turn_id = restored.get_turn_id(write.turn_id)
    before = write.before
    if not BEFORE_UNDO.get(FactWrite.Op(write.op), frozenset()) <= before.keys():
        raise ArchiveError(
            "invalid", "This export is broken: fact_writes: a write %(op)s has nothing before it.", op=f"{write.op:.10}"
        )
    if "link" in before:
        before["link"] = restored.get_new_id(NodeLink, before["link"])
    if "doubt" in before:
        before["doubt"] = restored.get_new_id(Doubt, before["doubt"])
    moved = [(restored.get_new_id(NodeLink, link), end, node) for link, end, node in before.get("moved", [])]
    nodes = {old: restored.get_new_id(ConceptNode, old) for _, _, old in moved}
    if "moved" in before:
        before["moved"] = [[link, end, nodes[node]] for link, end, node in moved if link and nodes[node]]
    if "states" in before:
        states = {restored.get_new_id(ConceptNode, int(pk)): state for pk, state in before["states"].items()}
        before["states"] = {str(pk): state for pk, state in states.items() if pk is not None}


def adapt_slow_tick(run: SlowTickRun, restored: RestoredIds) -> None:
    run.lease_until = run.created_at


def adapt_scene(scene: Scene, restored: RestoredIds) -> None:
    """Put a break behind its message, or where that is gone behind the one before it."""
    place = restored.get_new_id_or_before(Message, scene.last_message_id)
    if not place or not restored.take_place(place):
        raise ArchiveError("invalid", "This export is broken: story_scenes: a scene has no messages.")
    scene.last_message_id = place


def adapt_recap(recap: SceneRecap, restored: RestoredIds) -> None:
    for part in ("outcomes", "open", "state"):
        for told in recap.content[part]:
            told["lines"] = restored.get_new_ids(Message, told["lines"])
    recap.content["quotes"] = adapt_lines(recap.content["quotes"], restored)
    for entity in recap.content["entities"]:
        entity["remarks"] = adapt_lines(entity["remarks"], restored)


def adapt_lines(told: list[dict[str, Any]], restored: RestoredIds) -> list[dict[str, Any]]:
    """Name the restored messages; what is of one that is gone goes too."""
    found = [(one, restored.get_new_id(Message, one["line"])) for one in told]
    return [one | {"line": line} for one, line in found if line is not None]


def adapt_line_recap(recap: LineRecap, restored: RestoredIds) -> None:
    recap.sources = restored.get_new_ids(Message, recap.sources)


def adapt_version(version: StoryVersion, restored: RestoredIds) -> None:
    """Name the restored scenes and recaps. Raises ArchiveError where one is missing."""

    def move(kind: type[models.Model], old: int) -> int:
        new: int | None = restored.get_new_id(kind, old)
        if new is None:
            raise build_missing_error("story_versions", old)
        return new

    if len({point["id"] for point in version.points}) < len(version.points):
        raise ArchiveError("invalid", "This export is broken: story_versions has a point twice.")
    for point in version.points:
        point["scenes"] = [move(Scene, old) for old in point["scenes"]]
    version.untold = [move(Scene, old) for old in version.untold]
    version.recaps = {
        str(move(Scene, int(scene))): new
        for scene, recap in version.recaps.items()
        if (new := restored.get_new_id(SceneRecap, recap)) is not None
    }
    for name in ("from_scene", "to_scene"):
        old = getattr(version, name)
        setattr(version, name, None if old is None else move(Scene, old))


def adapt_remark(remark: EntityRemark, restored: RestoredIds) -> None:
    remark.line = restored.get_new_id_or_before(Message, remark.line)


# The lists of moved rows of a merge, by kind of row.
MOVED_MODELS = {"aliases": EntityAlias, "mentions": Mention, "separations": Separation, "remarks": EntityRemark}
# What a write of each kind has in `before`.
BEFORE_UNDO = {
    FactWrite.Op.CONFIRMED: frozenset({"tier", "confidence", "mention_count", "last_confirmed_at"}),
    FactWrite.Op.LINKED: frozenset({"link"}),
    FactWrite.Op.MERGED: frozenset({"confidence", "mention_count", "moved"}),
    FactWrite.Op.SETTLED: frozenset({"doubt", "states"}),
}
ADAPTERS: dict[type[models.Model], Adapt] = {
    Message: adapt_message,
    ConceptNode: adapt_node,
    EntityAlias: adapt_alias,
    EntityMerge: adapt_merge,
    Doubt: adapt_doubt,
    FactWrite: adapt_write,
    SlowTickRun: adapt_slow_tick,
    Scene: adapt_scene,
    SceneRecap: adapt_recap,
    LineRecap: adapt_line_recap,
    StoryVersion: adapt_version,
    EntityRemark: adapt_remark,
}
