"""A bond with rows in every layer, and a comparable dump of everything below a bond."""

import re
from datetime import timedelta
from io import BytesIO

from PIL import Image

from chat.models import Turn
from memory.entities import merging
from memory.facts import acts, undoing
from memory.models import (
    ConceptNode,
    Doubt,
    Entity,
    EntityAlias,
    EntityMerge,
    EntityRemark,
    FactWrite,
    Filling,
    Import,
    ImportChunk,
    LineRecap,
    Mention,
    Message,
    MoodChange,
    NodeLink,
    NodeSource,
    ReflectionRun,
    Scene,
    SceneRecap,
    Separation,
    Session,
    SlowTickRun,
    Story,
    StoryVersion,
)
from personas import answering, avatars, blocks
from personas.authored import openings
from personas.cards import building, storing
from personas.cards.card import Card, Lore
from personas.models import BlockRevision, Bond, CoreBlock, Persona, PersonaFacts
from tests.support import facts, story
from tests.support.factories import (
    NOW,
    AliasFactory,
    BondFactory,
    ConceptNodeFactory,
    EntityFactory,
    FactFactory,
    FillingFactory,
    MessageFactory,
    MoodChangeFactory,
    SessionFactory,
    TurnFactory,
)

LATER = NOW + timedelta(microseconds=123_456)
SECRET = "nobody knows of the boat"
GONE = "it was deleted"


def lived(user):
    """Make everything that an export holds, and what it must leave out."""
    bond = BondFactory(user=user, mood="tender", energy=7, last_user_signal="warm", mood_updated_at=LATER)
    write_texts(bond)
    session = talk(bond)
    remember(bond, session)
    note(bond, session)
    know(bond, session)
    tell_story(bond, session)
    work(bond, session)
    leave_out(bond)
    return bond


def write_texts(bond):
    PersonaFacts.objects.filter(pk=bond.persona_id).update(location="灯塔", notes="Deaf\nin one ear.")
    red = BytesIO()
    Image.new("RGB", (8, 8), "red").save(red, "PNG")
    avatars.put(persona=bond.persona, content=avatars.redraw(red.getvalue()))
    for greetings in (["Come in."], ["Come in, {{user}}.", "坐吧。"]):
        openings.save(persona=bond.persona, greetings=greetings, starters=["Hello?"], user=bond.user, now=LATER)
    kept = {"tags": ["蜜蜂"], "extensions": {"a": [1, None]}, "character_book": {"name": "Mill"}}
    lore = [
        Lore(keys=["Hive", "蜂箱"], content="The angry one.", priority=3, kept={"position": "after_char"}),
        Lore(constant=True),
    ]
    storing.store(bond.persona, Card(nickname="Mae", kept=kept, lore=lore))
    saves = (
        (bond.persona, "scenario", "{{user}} rents a room."),
        (bond.persona, "persona", "First."),
        (bond.persona, "persona", "Marian <b>keeps</b>\n\na mill."),
        (bond.persona, "style", "Plain."),
        (bond, "user", ""),
        (bond, "user", "Mara 养猫。"),
        (bond, "style", "Short."),
    )
    for holder, label, content in saves:
        blocks.save(holder=holder, label=label, content=content, user=bond.user, now=LATER)


def talk(bond):
    past = SessionFactory(bond=bond, status="closed", title="", summary="Of cats. And rain.", message_count=4)
    MessageFactory(session=past, role="persona", content="Come in, mara.", turn_id=None, greeting=True)
    turn = TurnFactory(session=past, status="done", finished_at=LATER, text="Not kept.", timings={"total_ms": 9})
    MessageFactory(session=past, content="小黑 jumps on my face — “always”.", client_id="c1", turn_id=turn.pk)
    for variant in (0, 1):
        reply = {"role": "persona", "content": f"Try {variant}", "variant": variant, "chosen": variant == 1}
        last = MessageFactory(session=past, turn_id=turn.pk, created_at=LATER, **reply)
    past.watermark = last.pk
    past.save()
    going_on = SessionFactory(bond=bond, status="open", channel="api")
    MessageFactory(session=going_on, content="Still here\u2028<script>alert(1)</script>", turn_id=None)
    return past


def remember(bond, session):
    lines = list(Message.objects.filter(session=session).order_by("id"))
    told = {"bond": bond, "session": session, "sources": lines[:1], "created_at": LATER}
    new = ConceptNodeFactory(
        **told,
        description="The user's cat 小黑 jumps on their face at night.",
        emotional_impact=-4,
        emotion_tags=["tired"],
        relational_tags=["vulnerability"],
        event_time_start=NOW.date(),
        event_time_end=NOW.date(),
        answer_key="1:2:0",
    )
    ConceptNodeFactory(**told, description="A dog jumps.", state="superseded", superseded_by=new, valid_until=LATER)
    ConceptNodeFactory(
        **told, description="小黑 is gentle.", conflicts_with=new, answer_key="import:abc:e1", source_quote="gentle"
    )
    thought = {"bond": bond, "type": "thought", "origin": "reflection"}
    ConceptNodeFactory(**thought, description="Nights are hard.", evidence=[new], subject="persona")
    ConceptNodeFactory(**thought, description="Stale.", stale=True)
    ConceptNodeFactory(bond=bond, type="intention", description="To ask about 小黑.", event_time_end=NOW.date())
    ConceptNodeFactory(
        bond=bond, type="expectation", description="It will rain.", state="missed", state_reason="It did not."
    )


def note(bond, session):
    """Facts with their writes of every kind, and a doubt."""
    lines = Message.objects.filter(session=session).order_by("id")
    turn = lines[0].turn_id
    by = facts.writer(session=session, messages=lines[:1], turn_id=turn, offset=3, now=LATER)
    for city in ("Leeds", "York"):
        home = facts.home(f"The user lives in {city}.", city, detail="By the 河.", since=NOW.date())
        acts.save(bond=bond, draft=home, writer=by)
    nuts, tea, cake = (facts.save(bond, said, by=by).node for said in (facts.NUTS, "No tea.", "They like cake."))
    FactWrite.objects.filter(node=nuts).update(message=lines.last())
    link = acts.link(bond=bond, a=nuts, b=cake, relation="goes with", writer=by)
    acts.link(bond=bond, a=cake, b=nuts, relation="goes with", writer=by)
    acts.confirm(bond=bond, node=nuts, writer=by)
    acts.end(bond=bond, node=tea, writer=by)
    pie, tart = (
        facts.save(bond, said, by=facts.job(now=LATER)).node
        for said in ("They bake pies.", "Of apples and pears they make tarts.")
    )
    acts.link(bond=bond, a=tart, b=nuts, relation="not with", writer=by)
    acts.merge(bond=bond, survivor=pie, retired=[tart], writer=facts.job(by="sweep", now=LATER))
    undoing.undo(write=link, now=LATER)
    unsure = FactFactory(bond=bond, description="The user lives in Bath.", state="uncertain", conflicts_with=nuts)
    doubt = {"kind": "contradiction", "severity": 1.0, "opened_by": "extraction", "opened_at": LATER}
    doubt = Doubt.objects.create(bond=bond, a_node=unsure, b_node=nuts, asked_in=[session.pk], **doubt)
    before = {"doubt": doubt.pk, "states": {str(unsure.pk): "uncertain"}}
    FactWrite.objects.create(bond=bond, node=unsure, op="settled", by="tool", before=before, created_at=LATER)
    # As all its other rows.
    ConceptNode.objects.filter(bond=bond).update(embedding=None, embedding_model="")


def know(bond, session):
    event = ConceptNode.objects.get(bond=bond, description__startswith="The user's cat")
    cat = EntityFactory(bond=bond, nodes=[event], description="A cat.", description_by="owner")
    kitty = EntityFactory(bond=bond, canonical_name="Kitty", nodes=[ConceptNode.objects.filter(bond=bond).last()])
    AliasFactory(entity=kitty, name="The  Black One")
    anna, ann, nan = (EntityFactory(bond=bond, canonical_name=name, kind="person") for name in ("Anna", "Ann", "Nan"))
    merging.open_uncertain_pair(a=anna, b=ann, now=LATER)
    Doubt.objects.filter(a_entity=ann).update(asked_in=[session.pk])
    merging.separate_entities(a=anna, b=nan, by="owner", now=LATER)
    merging.merge_entities(kept=cat, merged=kitty, by="stated", now=LATER)


def tell_story(bond, session):
    """Two scenes, both in the story, with recaps of a message and a remark."""
    first, *_, last = Message.objects.filter(session=session, chosen=True).order_by("id")
    begun = story.create_scene(bond, first, text="A greeting.", now=LATER)
    told = story.create_scene(bond, last, text="小黑 jumps at night.", made_by="model", now=LATER)
    cat = Entity.objects.get(bond=bond, canonical_name="小黑")
    remark = {"label": "habit", "text": "Jumps.", "line": last.pk}
    told.recap.content |= {
        "quotes": [{"line": last.pk, "text": "Try 1"}],
        "entities": [{"name": "小黑", "kind": "pet", "aliases": ["Kitty"], "remarks": [remark]}],
    }
    told.recap.save()
    earlier = EntityRemark.objects.create(
        bond=bond, entity=cat, scene=begun, text="Sits.", line=first.pk, created_at=NOW
    )
    later = EntityRemark.objects.create(bond=bond, entity=cat, scene=told, created_at=LATER, **remark)
    EntityRemark.objects.filter(pk=earlier.pk).update(replaced_by=later)
    EntityMerge.objects.filter(bond=bond).update(
        moved={**EntityMerge.objects.get(bond=bond).moved, "remarks": [later.pk]}
    )
    point = story.build_point("小黑 jumps at night.", told, part="state", label="nights", by="person")
    one = story.create_version(bond, begun, now=LATER)
    two = story.create_version(bond, begun, told, points=[point], now=LATER, base=one, pinned=True, untold=[begun.pk])
    LineRecap.objects.create(
        bond=bond,
        message=last,
        text="She says: try 1.",
        sources=[first.pk, last.pk],
        source_hash="0",
        status="outdated",
        made_by="person",
        created_at=LATER,
    )
    Story.objects.filter(bond=bond).update(current=two, scanned_to=last.pk, keep_scenes=3, paused=True)


def work(bond, session):
    event = ConceptNode.objects.get(bond=bond, description__startswith="The user's cat")
    MoodChangeFactory(session=session, mood="疲倦")
    ReflectionRun.objects.create(bond=bond, session=session, trigger="shock", thoughts_count=1, created_at=LATER)
    SlowTickRun.objects.create(
        bond=bond,
        session=session,
        trigger="interval",
        outcome="done",
        day=NOW.date(),
        last_event_id=event.pk,
        questions=["Does 小黑 sleep?"],
        created_at=LATER,
        lease_until=LATER,
    )
    cat = Entity.objects.get(bond=bond, canonical_name="小黑")
    Turn.objects.filter(bond=bond).update(
        trace={
            "sections": {"out": {"words": "slight"}, "back": {"talks": "flowing"}},
            "items": [
                {
                    "node": event.pk,
                    "score": 1.5,
                    "terms": dict.fromkeys(("recency", "relevance", "impact", "relational", "anchor", "graph"), 0.5),
                    "anchored_by": [cat.pk, "2026-11-01/2026-11-30"],
                    "kept": True,
                    "reason": "",
                }
            ],
            "words": [{"message": Message.objects.filter(bond=bond).first().pk, "score": 0.5}],
            "cut": {},
        }
    )
    done = Import.objects.create(
        bond=bond,
        name="a.txt",
        kind="txt",
        digest="d" * 64,
        state="done",
        total=1,
        done=1,
        created_at=NOW,
        touched_at=NOW,
    )
    ImportChunk.objects.create(bond=bond, of=done, number=1, digest="abc", token_count=3, state="done", events_count=1)


def leave_out(bond):
    """What is deleted, off the record or going on, and edges that lead to it."""
    private = SessionFactory(bond=bond, status="closed", off_record=True)
    MessageFactory(session=private, content=SECRET)
    deleted = SessionFactory(bond=bond, status="closed", deleted_at=NOW, summary=GONE)
    MessageFactory(session=deleted, content=GONE)
    open_one = Session.objects.get(bond=bond, status="open")
    line = MessageFactory(session=open_one, content=GONE, deleted_at=NOW)
    event = ConceptNode.objects.filter(bond=bond, type="event").first()
    NodeSource.objects.create(bond=bond, node=event, message=line)
    gone = ConceptNodeFactory(bond=bond, description=GONE, deleted_at=NOW)
    FillingFactory(parent=ConceptNode.objects.get(bond=bond, description="Stale."), child=gone, orphaned=True)
    ConceptNodeFactory(bond=bond, description="Of what is gone.", superseded_by=gone, session=deleted)
    entity = EntityFactory(bond=bond, canonical_name=GONE, deleted_at=NOW, nodes=[event])
    EntityAlias.objects.filter(entity=entity).update(deleted_at=NOW)
    TurnFactory(session=open_one, status="pending", text=GONE)


MODELS = (
    *(NodeLink, Doubt, FactWrite),
    *(Session, Message, ConceptNode, NodeSource, Filling, Entity, EntityAlias, Mention, EntityMerge, Separation),
    *(MoodChange, ReflectionRun, SlowTickRun, Import, ImportChunk, Turn),
    *(Scene, SceneRecap, LineRecap, StoryVersion, Story, EntityRemark),
)
# Keys of answers are another install's; the texts that a turn and a run went through are no memory.
NOT_COMPARED = {"bond", "answer_key", "lease_until", "text", "prompt", "answer", "notes", "client_id", "sketch"}


def everything(bond):
    """Return all rows below a bond with positions for ids, without deleted and off-the-record ones."""
    bond = Bond.objects.select_related("persona__facts").get(pk=bond.pk)
    places = {
        model: {pk: at for at, pk in enumerate(kept(model, bond).values_list("pk", flat=True))} for model in MODELS
    }
    return {
        "persona": (bond.persona.name, bond.persona.tagline, bond.persona.language, bond.persona.facts.as_dict()),
        "answers": answering.get_settings(bond.persona),
        "picture": bool(avatars.load_content(bond.persona)),
        "mood": (bond.created_at, bond.mood, bond.energy, bond.last_user_signal, bond.mood_updated_at),
        "blocks": [told for holder in (bond.persona, bond) for told in texts(holder)],
        "opening": opening_of(bond.persona),
        "card": building.build_card(bond.persona),
        "lore": list(bond.persona.lore.order_by("place").values_list("keys", "folded_keys")),
        **{model.__name__: [said(row, places) for row in kept(model, bond)] for model in MODELS},
    }


def texts(holder):
    for block in CoreBlock.objects.filter(pk__in=holder.blocks.values("pk")).order_by("label"):
        earlier = BlockRevision.objects.filter(block=block).order_by("n").values_list("n", "content", "saved_at")
        yield block.label, block.content, block.version, block.updated_at, list(earlier)


def opening_of(persona):
    opening = openings.load(persona)
    versions = [opening, *opening.revisions.order_by("n")] if opening.version else []
    return opening.version, opening.updated_at, [(one.greetings, one.starters) for one in versions]


def kept(model, bond):
    rows = model.objects.filter(bond=bond).order_by("pk")
    names = {field.name for field in model._meta.fields}
    if "deleted_at" in names:
        rows = rows.filter(deleted_at=None)
    if model is Session:
        return rows.filter(off_record=False)
    if "session" in names and model is not ConceptNode:
        rows = rows.filter(session__deleted_at=None, session__off_record=False)
    if model is Turn:
        return rows.exclude(status="pending").order_by("created_at")
    if model is NodeSource:
        return rows.filter(message__deleted_at=None)
    if model is Filling:
        return rows.filter(child__deleted_at=None)
    if model is Mention:
        return rows.filter(entity__deleted_at=None)
    return rows


def said(row, places):
    found = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.primary_key or field.name in NOT_COMPARED:
            continue
        if field.name == "search":
            value = re.sub(rf"'{row.bond_id}:", "'", value)
        elif field.name == "embedding":
            value = None if value is None else list(value)
        elif field.is_relation:
            value = places[field.related_model].get(value)
        found[field.name] = value
    return found | ids_in(row, places)


def ids_in(row, places):
    """Ids in columns that are no references, as places."""
    if isinstance(row, Session):
        return {"watermark": places[Message].get(row.watermark)}
    if isinstance(row, Message):
        return {"turn_id": Turn.objects.filter(pk=row.turn_id).values_list("created_at", flat=True).first()}
    if isinstance(row, Doubt):
        return {"asked_in": [places[Session].get(one) for one in row.asked_in]}
    if isinstance(row, FactWrite):
        return written(row, places)
    if isinstance(row, SlowTickRun):
        return {"last_event_id": places[ConceptNode].get(row.last_event_id)}
    if isinstance(row, EntityMerge):
        kinds = {"aliases": EntityAlias, "mentions": Mention, "separations": Separation, "remarks": EntityRemark}
        moved = {name: [places[kind].get(one) for one in row.moved[name]] for name, kind in kinds.items()}
        return {"moved": row.moved | moved}
    if isinstance(row, Turn):
        return {"trace": traced(row.trace, places)}
    return ids_of_story(row, places)


def ids_of_story(row, places):
    messages, scenes = places[Message], places[Scene]
    if isinstance(row, Scene):
        return {"last_message_id": messages.get(row.last_message_id)}
    if isinstance(row, SceneRecap):
        return {"content": lines_as_places(row.content, messages)}
    if isinstance(row, LineRecap):
        return {"sources": [messages.get(one) for one in row.sources]}
    if isinstance(row, StoryVersion):
        points = [point | {"scenes": [scenes.get(one) for one in point["scenes"]]} for point in row.points]
        recaps = {scenes.get(int(one)): places[SceneRecap].get(recap) for one, recap in row.recaps.items()}
        ends = {name: scenes.get(getattr(row, name)) for name in ("from_scene", "to_scene")}
        return {"points": points, "recaps": recaps, "untold": [scenes.get(one) for one in row.untold], **ends}
    if isinstance(row, Story):
        return {"scanned_to": messages.get(row.scanned_to)}
    return {"line": messages.get(row.line)} if isinstance(row, EntityRemark) else {}


def lines_as_places(content, messages):
    if isinstance(content, list):
        return [lines_as_places(one, messages) for one in content]
    if not isinstance(content, dict):
        return content
    found = {name: lines_as_places(value, messages) for name, value in content.items()}
    if "lines" in found:
        found["lines"] = [messages.get(one) for one in found["lines"]]
    return found | {"line": messages.get(found["line"])} if "line" in found else found


def written(row, places):
    nodes, before = places[ConceptNode], dict(row.before)
    kinds = {"link": NodeLink, "doubt": Doubt}
    before |= {name: places[kind].get(before[name]) for name, kind in kinds.items() if name in before}
    if "moved" in before:
        before["moved"] = [[places[NodeLink].get(link), end, nodes.get(old)] for link, end, old in before["moved"]]
    if "states" in before:
        before["states"] = {nodes.get(int(pk)): state for pk, state in before["states"].items()}
    turn = Turn.objects.filter(pk=row.turn_id).values_list("created_at", flat=True).first()
    return {"old": [nodes.get(pk) for pk in row.old], "turn_id": turn, "before": before}


def traced(trace, places):
    items = [
        item
        | {
            "node": places[ConceptNode].get(item["node"]),
            "anchored_by": [places[Entity].get(one, one) for one in item["anchored_by"]],
        }
        for item in trace.get("items", [])
    ]
    words = [word | {"message": places[Message].get(word["message"])} for word in trace.get("words", [])]
    return trace | {"items": items, "words": words}


def rows_below():
    """Count the rows of personas, bonds and everything below them."""
    return [model.objects.count() for model in (Persona, Bond, *MODELS)]
