"""The memory timeline beside the conversation: an icon, a label and a text for each memory, and its evidence."""

from collections.abc import Collection, Iterator, Mapping
from datetime import date, datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.pages.conversation.session_list import load_first_words
from chat.pages.conversation.timeline_entries import Entry, EntryAction, EvidenceSource
from chat.pages.display import errors, formats, labels, second_person
from chat.pages.memory import fact_items
from memory.entities import lookup
from memory.models import ConceptNode, Entity, Message
from memory.serializers import timeline
from personas.models import Bond

MAX_PAIRS = 5
NOTED_ORIGINS = (ConceptNode.Origin.TOOL, ConceptNode.Origin.RULE)


def list_entries(bond: Bond) -> list[Entry]:
    """Return what was learned in a bond, newest first."""
    loaded = drop_repeated_descriptions(timeline.load_entries(bond=bond))
    evidence = EvidenceTexts(bond, [one["payload"] for one in loaded])
    return [entry for entry in (build_entry(one, evidence) for one in loaded) if entry is not None]


def drop_repeated_descriptions(entries: list[timeline.TimelineEntry]) -> list[timeline.TimelineEntry]:
    """Leave a description to the entry of its entity if both were learned at once, else to an entry of its own."""
    met = {one["payload"]["entity"]["id"]: one for one in entries if one["type"] == "memory.entity.confirmed"}
    kept = []
    for one in entries:
        if one["type"] == "memory.entity.description_updated":
            entity = met.get(one["payload"]["entity"]["id"])
            if entity is not None and entity["at"] == one["at"]:
                continue
            if entity is not None:
                entity["payload"]["entity"]["description"] = None
        kept.append(one)
    return kept


def list_uncertain_pairs(bond: Bond) -> list[Entry]:
    """Return pairs of names that may mean the same, for the reader to decide."""
    return [build_pair_entry(one) for one in lookup.filter_uncertain(bond).order_by("id")[:MAX_PAIRS]]


def build_pair_entry(one: Entity) -> Entry:
    other = one.merge_target
    assert other is not None  # an uncertain pair has both
    path = f"memory/entities/{one.pk}"
    return Entry(
        id=f"doubt-{one.pk}",
        kind="doubt",
        at=one.created_at,
        text=_("Are %(a)s and %(b)s the same?") % {"a": one.canonical_name, "b": other.canonical_name},
        actions=(
            EntryAction(_("Merge"), "", f"{path}/merge/", {"into": other.pk}),
            EntryAction(
                _("Keep separate"),
                "",
                f"{path}/separate/",
                {"from": other.pk},
                _("They stay separate. Nobody is asked about them again."),
            ),
        ),
    )


def build_entry(entry: timeline.TimelineEntry, evidence: "EvidenceTexts") -> Entry | None:
    build = ENTRY_BUILDERS.get(entry["type"])
    return build(entry["id"], entry["at"], entry["payload"], evidence) if build else None


class EvidenceTexts:
    """The messages and events from which nodes were drawn, and first words of untitled chats: one query for each."""

    def __init__(self, bond: Bond, payloads: Collection[Mapping[str, Any]]) -> None:
        nodes = [one["node"] for one in payloads if "node" in one]
        untitled = [one["closed_session"] for one in payloads if "closed_session" in one and not one["title"]]
        self.first_words = load_first_words(bond, untitled)
        message_ids = {pk for node in nodes for pk in node["source_messages"]}
        events = {pk for node in nodes for pk in node["filling"]}
        sources = Message.objects.for_bond(bond).visible().not_hidden(bond).filter(pk__in=message_ids)
        cited = ConceptNode.objects.for_bond(bond).not_deleted().filter(pk__in=events)
        self.messages = dict(sources.values_list("pk", "content"))
        self.events = dict(cited.values_list("pk", "description"))

    def get_sources(self, node: Mapping[str, Any]) -> tuple[EvidenceSource, ...]:
        is_of_lines = node["type"] in (ConceptNode.Type.EVENT, ConceptNode.Type.FACT)
        if node["source_quote"] and is_of_lines:
            return (EvidenceSource("", node["source_quote"]),)
        if is_of_lines:
            return tuple(
                EvidenceSource(f"message-{pk}", self.messages[pk])
                for pk in node["source_messages"]
                if pk in self.messages
            )
        return tuple(
            EvidenceSource(f"memory-node-{pk}", self.events[pk]) for pk in node["filling"] if pk in self.events
        )


def build_node_entry(key: str, at: datetime, payload: Mapping[str, Any], evidence: EvidenceTexts) -> Entry:
    node = payload["node"]
    return Entry(
        id=key,
        kind=node["type"],
        at=at,
        text=second_person.reword(node["description"], facet=node["facet"] or ""),
        more=_(", ").join([*describe_state(node), *(f"#{labels.translate_tag(tag)}" for tag in node["emotion_tags"])]),
        impact=node["emotional_impact"] if node["type"] in ("event", "thought") else None,
        evidence=evidence.get_sources(node),
        is_past=node["state"] == "superseded",
        is_noted=node["origin"] in NOTED_ORIGINS,
        session=node["session"],
        page="memory",
        row=node["id"],
    )


def describe_state(node: Mapping[str, Any]) -> Iterator[str]:
    """Describe a memory's state, days, number of mentions and contradictions."""
    ending = fact_items.describe_ending(node["state_reason"]) if node["state"] == "superseded" else ""
    if state := ending or labels.translate_state(node["state"]):
        yield state
    if days := format_days(node):
        yield days
    if node["mention_count"] > 1:
        yield _("mentioned %(count)s times") % {"count": node["mention_count"]}
    if node["stale"]:
        yield _("based on something that changed later")
    if node["conflicts_with"]:
        yield _("contradicts what you said or wrote")


def format_days(node: Mapping[str, Any]) -> str:
    """Return an event's days, or the day when a promise or an expectation is due."""
    days = [date.fromisoformat(day) for day in (node["event_time_start"], node["event_time_end"]) if day]
    if not days:
        return ""
    if node["event_time_end"] and node["type"] in ("intention", "expectation"):
        return _("by %(day)s") % {"day": formats.format_day(days[-1])}
    return formats.format_days(days[0], days[-1])


def build_entity_entry(key: str, at: datetime, payload: Mapping[str, Any], _evidence: EvidenceTexts) -> Entry:
    entity = payload["entity"]
    others = [name for name in entity["aliases"] if name != entity["canonical_name"]]
    also = [_("also %(names)s") % {"names": _(", ").join(others)}] if others else []
    kind = str(Entity.Kind(entity["kind"]).label)
    return Entry(
        id=key,
        kind="entity",
        at=at,
        name=entity["canonical_name"],
        text=entity["description"] or kind,
        more=_(", ").join([kind, *also] if entity["description"] else also),
        page="person",
        row=entity["id"],
    )


def build_description_entry(key: str, at: datetime, payload: Mapping[str, Any], _evidence: EvidenceTexts) -> Entry:
    entity = payload["entity"]
    by = _("written by you") if entity["description_by"] == "owner" else ""
    return Entry(
        id=key,
        kind="entity",
        at=at,
        name=entity["canonical_name"],
        text=entity["description"],
        more=by,
        page="person",
        row=entity["id"],
    )


def build_merge_entry(key: str, at: datetime, payload: Mapping[str, Any], _evidence: EvidenceTexts) -> Entry:
    return Entry(
        id=key,
        kind="merge",
        at=at,
        text=_("%(a)s is %(b)s.") % {"a": payload["merged_name"], "b": payload["entity"]["canonical_name"]},
        actions=(
            EntryAction(
                _("Undo"),
                "",
                f"memory/entities/merges/{payload['merge']}/undo/",
                done=_("%(name)s is restored.") % {"name": payload["merged_name"]},
            ),
        ),
    )


def build_mood_entry(key: str, at: datetime, payload: Mapping[str, Any], _evidence: EvidenceTexts) -> Entry:
    state = payload["episodic_state"]
    return Entry(
        id=key,
        kind="mood",
        at=at,
        text=labels.translate_mood(state["mood"]),
        more=_("energy %(energy)s of 10") % {"energy": state["energy"]},
    )


def build_session_entry(key: str, at: datetime, payload: Mapping[str, Any], texts: EvidenceTexts) -> Entry:
    events, thoughts = payload["events_count"], payload["thoughts_count"]
    counts = []
    if events:
        counts.append(ngettext("%(count)s event", "%(count)s events", events) % {"count": events})
    if thoughts:
        counts.append(ngettext("%(count)s thought", "%(count)s thoughts", thoughts) % {"count": thoughts})
    return Entry(
        id=key,
        kind="session",
        at=at,
        text=payload["title"] or texts.first_words.get(payload["closed_session"]) or _("Chat"),
        more=_(", ").join(counts) or _("Nothing to remember"),
        session=payload["closed_session"],
    )


def build_failure_entry(key: str, at: datetime, payload: Mapping[str, Any], _evidence: EvidenceTexts) -> Entry:
    return Entry(
        id=key,
        kind="failed",
        at=at,
        text=_("This chat could not be turned into memories yet. All its messages are kept."),
        more=errors.get_sentence(payload["code"], about="chat") or payload["detail"],
        actions=(EntryAction(_("Try again"), "retry", f"sessions/{payload['session']}/consolidate/"),),
    )


ENTRY_BUILDERS = {
    "memory.event.created": build_node_entry,
    "memory.fact.created": build_node_entry,
    "memory.thought.created": build_node_entry,
    "memory.entity.confirmed": build_entity_entry,
    "memory.entity.description_updated": build_description_entry,
    "memory.entity.merged": build_merge_entry,
    "chat.mood.update": build_mood_entry,
    "chat.session.boundary": build_session_entry,
    "chat.session.failed": build_failure_entry,
}
