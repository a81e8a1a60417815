"""Take what is forgotten out of everything that the story made of it, in the transaction of the act of forgetting.

What is left is told anew: by rules at once, so that nothing is untold, and by the model later.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from django.db import transaction
from django.db.models import Exists, F, OuterRef

from echovessel import events, text
from echovessel.postgres.rows import fetch_all
from memory.jobs.queue import enqueue
from memory.models import (
    Entity,
    EntityAlias,
    EntityRemark,
    LineRecap,
    Mention,
    Message,
    Scene,
    SceneRecap,
    Story,
    StoryVersion,
    lexemes,
)
from memory.models.story.made_by import MadeBy
from memory.story import lines as told_lines
from memory.story.recaps import versions as recap_versions
from memory.story.scenes import breaks, pointers
from memory.story.settings import find_story
from memory.story.versions import points as story_points
from personas.models import Bond

# The terms of which no message is left that tells them.
_ORPHANED = """
SELECT term FROM unnest(%(terms)s::text[], %(lexemes)s::text[]) AS asked(term, lexeme) WHERE NOT EXISTS (
    SELECT FROM memory_message line JOIN memory_session session ON session.id = line.session_id
    WHERE line.search @@ lexeme::tsquery AND line.bond_id = %(bond)s AND line.deleted_at IS NULL AND line.chosen AND NOT line.left_out
        AND line.role <> 'system' AND session.deleted_at IS NULL AND NOT session.off_record AND line.id <> ALL(%(lines)s)
        AND NOT EXISTS (
            SELECT FROM memory_tombstone stone WHERE stone.bond_id = %(bond)s AND stone.of = 'node' AND line.id = ANY(stone.lines || stone.hidden)
        )
)
"""

# The scenes of which a recap cites one of these messages; all numbers of a recap are messages.
_CITING = """
SELECT DISTINCT scene_id FROM memory_scenerecap WHERE bond_id = %(bond)s AND EXISTS (
    SELECT FROM jsonb_path_query(content, '$.** ? (@.type() == "number")') AS cited WHERE cited::bigint = ANY(%(lines)s)
)
"""


T = TypeVar("T")
TOGETHER_MOST = 10
# What the acts of a `withdraw_together` have hidden so far, by bond.
_gathered: ContextVar[dict[Bond, set[int]] | None] = ContextVar("gathered", default=None)


@dataclass(frozen=True)
class StoryParts:
    """How many recaps and points of the current version hold messages."""

    recaps: int = 0
    points: int = 0


def preview(bond: Bond, *, lines: Collection[int]) -> StoryParts:
    """Count the recaps and the points of the current version that would go with these messages."""
    scenes = find_scenes(bond, lines)
    recaps = LineRecap.objects.for_bond(bond).filter(sources__overlap=list(lines)).count() if lines else 0
    recaps += SceneRecap.objects.filter(scene__in=scenes).count()
    story = find_story(bond)
    if story is None or story.current is None:
        return StoryParts(recaps)
    gone = find_points(story.current, scenes={scene.pk for scene in scenes}, orphaned=find_orphaned(bond, lines))
    return StoryParts(recaps, len(gone))


def withdraw_lines(bond: Bond, *, lines: Collection[int], now: datetime) -> None:
    """Take messages out of recaps and of every version of the story. The caller has locked the bond, and the messages are
    hidden, left out or tombstoned already.
    """
    if not lines:
        return
    if (gathered := _gathered.get()) is not None:
        gathered[bond].update(lines)
        return
    LineRecap.objects.for_bond(bond).filter(sources__overlap=list(lines)).delete()
    scenes = find_scenes(bond, lines)
    withdraw_points(bond, scenes={scene.pk for scene in scenes}, lines=lines, now=now)
    for scene in scenes:
        retell(scene, bond=bond, now=now)


def divide(acts: Sequence[T]) -> Iterator[Sequence[T]]:
    """Divide acts into those that are done together: turns of the bond wait meanwhile, and a request that takes too long keeps what
    was done before.
    """
    yield from (acts[at : at + TOGETHER_MOST] for at in range(0, len(acts), TOGETHER_MOST))


@contextmanager
def withdraw_together(*, now: datetime) -> Iterator[None]:
    """Do several acts of forgetting in one transaction, and withdraw what they hide at its end: a scene is told anew once, not for
    each of them.
    """
    with transaction.atomic():
        gathered: dict[Bond, set[int]] = defaultdict(set)
        token = _gathered.set(gathered)
        try:
            yield
        finally:
            _gathered.reset(token)
        for bond, lines in gathered.items():
            withdraw_lines(bond, lines=lines, now=now)


def withdraw_entities(bond: Bond, *, entities: Collection[int], now: datetime) -> None:
    """Take entities and their remarks out of recaps. The caller has locked the bond."""
    if not entities:
        return
    EntityRemark.objects.for_bond(bond).filter(entity__in=entities).delete()
    names = set(EntityAlias.objects.filter(entity__in=entities).values_list("folded", flat=True))
    for recap in SceneRecap.objects.for_bond(bond):
        told = recap.content.get("entities", [])
        kept = [one for one in told if names.isdisjoint(map(text.fold, [one["name"], *one.get("aliases", [])]))]
        if len(kept) < len(told):
            recap.content["entities"] = kept
            recap.save(update_fields=["content"])
            announce(bond, "memory.recap.updated", now=now, scene=recap.scene_id)


def find_scenes(bond: Bond, lines: Collection[int]) -> list[Scene]:
    """Find the closed scenes that these messages are in, oldest first, and those that held them once: a break may have been moved, and
    recaps of before it stay.
    """
    scenes = Scene.objects.for_bond(bond).in_order()
    places = list(scenes.values_list("last_message_id", "pk"))
    breaks = [last for last, _ in places]
    holding = {bisect_left(breaks, pk) for pk in lines}
    found = {scene for at, (_, scene) in enumerate(places) if at in holding}
    found |= {pk for (pk,) in (fetch_all(_CITING, {"bond": bond.pk, "lines": [*lines]}) if places else ())}
    return list(scenes.filter(pk__in=found).select_related("bond__user", "bond__persona"))


def find_orphaned(bond: Bond, lines: Collection[int]) -> set[str]:
    """Find the terms of these messages that no other told message holds."""
    said = Message.objects.for_bond(bond).filter(pk__in=lines).values_list("content", flat=True)
    terms = sorted({term for content in said for term in text.extract_terms(content)})
    if not terms:
        return set()
    asked = [lexemes.format_lexeme(bond.pk, term) for term in terms]
    found = fetch_all(_ORPHANED, {"bond": bond.pk, "terms": terms, "lexemes": asked, "lines": list(lines)})
    return {term for (term,) in found}


def find_unheard_entities(bond: Bond, lines: Collection[int]) -> list[int]:
    """Find people and things that only cards know: no memory mentions them, and but for these messages none names them."""
    orphaned = find_orphaned(bond, lines)
    if not orphaned:
        return []
    mentioned = Mention.objects.without_deleted_nodes().filter(entity=OuterRef("pk"))
    known_by_cards = Entity.objects.for_bond(bond).not_deleted_or_merged().filter(~Exists(mentioned))
    unowned = known_by_cards.exclude(description_by=Entity.Author.OWNER)
    named: dict[int, list[str]] = {}
    for pk, name in EntityAlias.objects.not_deleted().filter(entity__in=unowned).values_list("entity", "name"):
        named.setdefault(pk, []).append(name)
    return [pk for pk, names in named.items() if all(orphaned & set(text.extract_terms(name)) for name in names)]


def find_points(version: StoryVersion, *, scenes: Collection[int], orphaned: Collection[str]) -> list[dict[str, Any]]:
    """Find the points of a version that cite one of these scenes or hold one of these terms."""
    return [
        point
        for point in version.points
        if not set(scenes).isdisjoint(point["scenes"])
        or not set(orphaned).isdisjoint(text.extract_terms(f"{point['label']} {point['text']}"))
    ]


def withdraw_points(bond: Bond, *, scenes: Collection[int], lines: Collection[int], now: datetime) -> None:
    """Take points out of every version, also of deleted and hidden ones; their scenes are untold until they are told anew.
    Running work writes nothing: what it read may hold what is gone.
    """
    Story.objects.filter(bond=bond).update(generation=F("generation") + 1)
    versions = list(StoryVersion.objects.for_bond(bond))
    if not versions:
        return
    orphaned = find_orphaned(bond, lines)
    order = {pk: at for at, pk in enumerate(Scene.objects.for_bond(bond).in_order().values_list("pk", flat=True))}
    changed = False
    for version in versions:
        gone = find_points(version, scenes=scenes, orphaned=orphaned)
        last = order.get(version.to_scene, -1) if version.to_scene is not None else -1
        untold = {*scenes, *(scene for point in gone for scene in point["scenes"])}
        untold = {pk for pk in untold if pk in order and order[pk] <= last}
        if not gone and untold <= set(version.untold):
            continue
        version.points = [point for point in version.points if point not in gone]
        in_order = sorted({*map(int, version.untold), *untold}, key=order.__getitem__)
        version.untold = in_order
        version.recaps = {pk: recap for pk, recap in version.recaps.items() if int(pk) not in untold}
        version.token_count = story_points.count_tokens(story_points.load_points(version))
        version.save(update_fields=["points", "untold", "recaps", "token_count"])
        changed = True
    if changed:
        announce(bond, "memory.story.updated", now=now)


def retell(scene: Scene, *, bond: Bond, now: datetime) -> None:
    """Erase all recaps of a scene with their remarks, and recap by rules what is left; an empty scene goes."""
    EntityRemark.objects.filter(scene=scene).delete()
    SceneRecap.objects.filter(scene=scene).delete()
    if scene.title_by != MadeBy.PERSON:
        Scene.objects.filter(pk=scene.pk).update(title="", title_by="")
    told = told_lines.load_scene(scene)
    if told:
        recap_versions.recap_anew_by_rules(scene=scene, told=told, now=now)
        return
    before, behind = breaks.find_neighbours(bond, scene.last_message_id)
    pointers.leave_scene(bond=bond, gone=scene, before=before, behind=behind)
    announce(bond, "memory.scene.removed", now=now, scene=scene.pk)
    scene.delete()


def tell_anew(bond: Bond) -> None:
    """Void running work and queue what is due, once messages are back: recaps of other texts are outdated."""
    if Story.objects.filter(bond=bond).update(generation=F("generation") + 1):
        enqueue("memory.tasks.tell", bond.pk)


def announce(bond: Bond, type: str, *, now: datetime, **refs: int) -> None:
    events.record(bond_id=bond.pk, type=type, refs=refs, now=now)
