"""Write what a recap says about people and things on their cards. No model is called."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from echovessel import text
from memory.consolidation.entities import MentionedEntity, match_or_create
from memory.entities import matching
from memory.entities.mentions import link_each
from memory.entities.names import add_names, find_by_names, fold_usable_names, list_own_names
from memory.messages import tombstones
from memory.models import Entity, EntityRemark, FactWrite, Message, Scene, SceneRecap
from memory.story import card_names, cards, lines
from memory.story.recaps.content import RecapContent, Remark
from memory.storytelling.work.running import RunningStep, StepAsker
from personas.models import Bond


def write_cards(*, bond: Bond, target: int, asker: StepAsker, step: RunningStep, now: datetime) -> None:
    """Write the remarks of a scene's chosen recap on cards, in place of those of its earlier recaps.

    Raises EmbeddingError, LeaseLost, StepStopped and StepDelayed.
    """
    scene = (
        Scene.objects.for_bond(bond).select_related("bond__user", "bond__persona", "recap").filter(pk=target).first()
    )
    recap = scene.recap if scene is not None else None
    if scene is None or recap is None:
        return
    told = lines.load_scene(scene)
    met = collect(bond=bond, content=RecapContent.model_validate(recap.content), told=told)
    with step.transaction():
        if not SceneRecap.objects.filter(pk=recap.pk, carded_at=None).update(carded_at=now):
            # It was withdrawn or written meanwhile.
            return
        EntityRemark.objects.filter(scene=scene).delete()
        for one, remarks in met:
            write_card(scene, one, remarks, told=told, now=now)


def collect(
    *, bond: Bond, content: RecapContent, told: Sequence[Message]
) -> list[tuple[MentionedEntity, list[Remark]]]:
    """Collect the people and things that a recap names by usable names, with their remarks. Raises EmbeddingError."""
    said = "\n".join(line.content for line in told)
    today = told[-1].day if told else None
    own = list_own_names(bond) if content.entities else []
    found = []
    for one in content.entities:
        given = [one.name, *one.aliases]
        names = card_names.select_names(given, said=said, today=today) if today else []
        # A known name that no line has tells who is meant by the others.
        known = [name for name in given if name not in names and find_by_names(bond=bond, names=[text.fold(name)])]
        usable = fold_usable_names([*names, *known], own=own) if names else {}
        if usable:
            found.append((one, usable))
    vectors = matching.embed_names([list(usable.values()) for _, usable in found])
    return [
        (MentionedEntity(kind=one.kind, names=usable, vector=vector), one.remarks)
        for (one, usable), vector in zip(found, vectors, strict=True)
    ]


def write_card(
    scene: Scene, met: MentionedEntity, remarks: Sequence[Remark], *, told: Sequence[Message], now: datetime
) -> None:
    """Write what a scene says about one person or thing; the first of its names decides who that is."""
    bond = scene.bond
    gone = tombstones.find_forgotten_names(bond=bond, names=met.names.values(), lines=told)
    names = {folded: name for folded, name in met.names.items() if name not in gone}
    if not names:
        return
    known = find_by_names(bond=bond, names=list(names))
    entity = (
        known[0] if known else match_or_create(bond=bond, met=replace(met, names=names), by=FactWrite.By.CLOSE, now=now)
    )
    add_names(entity=entity, names=names)
    if not known:
        link_each([entity], nodes=[], new=[entity])
    Entity.objects.filter(pk=entity.pk, last_mentioned_at__lt=told[-1].created_at).update(
        last_mentioned_at=told[-1].created_at
    )
    for remark in remarks:
        write_remark(scene, entity, remark, now=now)
    cards.leave_oldest(entity)


def write_remark(scene: Scene, entity: Entity, remark: Remark, *, now: datetime) -> None:
    """Write a remark; it replaces those of earlier scenes under the same label, and a text is told once."""
    live = list(EntityRemark.objects.live().filter(entity=entity).select_related("scene"))
    if any(text.fold(one.text) == text.fold(remark.text) for one in live):
        return
    written = EntityRemark.objects.create(
        bond=scene.bond,
        entity=entity,
        scene=scene,
        label=remark.label,
        text=remark.text,
        line=remark.line,
        created_at=now,
    )
    label = text.fold(remark.label)
    same = [one for one in live if label and text.fold(one.label) == label and one.scene_id != scene.pk]
    later = [one for one in same if one.scene.last_message_id > scene.last_message_id]
    if later:
        EntityRemark.objects.filter(pk=written.pk).update(replaced_by=later[-1])
    EntityRemark.objects.filter(pk__in=[one.pk for one in same if one not in later]).update(replaced_by=written)
