"""Take a chat back to before one of its messages: it and all that came after it go, with what was learned from them alone."""

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from memory import sessions
from memory.forgetting import acts, removal, replaced_facts, traces
from memory.forgetting.acts import ForgettingAct
from memory.models import ConceptNode, FactWrite, Forgotten, Message
from memory.models.messages import MessageQuerySet
from memory.nodes import evidence
from memory.story import withdrawal
from memory.story.withdrawal import StoryParts


@dataclass(frozen=True)
class RestOfChat:
    """What goes: messages as ids, with all variants of replies, and the memories that would stand on nothing."""

    messages: list[int]
    # From `for_serializer()`.
    nodes: list[Any]
    story: StoryParts = field(default_factory=StoryParts)


def find(message: Message) -> RestOfChat:
    """Find what goes with a message, so that it can be shown before."""
    ids = list(filter_rest(message).order_by("id").values_list("pk", flat=True))
    return RestOfChat(ids, find_unsupported_nodes(message, lines=ids), withdrawal.preview(message.bond, lines=ids))


def filter_rest(message: Message) -> MessageQuerySet:
    messages = Message.objects.for_bond(message.bond).not_deleted().exclude(role=Message.Role.SYSTEM)
    return messages.filter(session=message.session_id, pk__gte=message.pk)


def find_unsupported_nodes(message: Message, *, lines: Collection[int]) -> list[Any]:
    """Find the memories drawn from these messages alone, also where they took the place of facts that were drawn from
    others, and, at any depth, those that cite only such memories.
    """
    gone = set(acts.find_sourceless_nodes(message.bond, lines=lines, going=lines).values_list("pk", flat=True))
    changes = replaced_facts.find_changes(message.bond, lines=lines)
    gone |= {write.node_id for write in changes if write.op == FactWrite.Op.CHANGED}
    nodes = ConceptNode.objects.for_bond(message.bond).not_deleted()
    with_dependents = evidence.add_dependents(gone, bond=message.bond)
    return list(nodes.filter(pk__in=with_dependents).for_serializer().order_by("id"))


@transaction.atomic
def forget(message: Message, *, now: datetime) -> Forgotten | None:
    """Forget a message with the rest of its session, as one act of the trash, which is returned. Facts that were changed
    or ended by these messages alone hold again.

    Off the record all of it is erased at once, and there is no act. The caller makes sure that no turn runs there.
    """
    sessions.lock_bond(message.bond)
    if message.session.off_record:
        filter_rest(message).delete()
        return None
    going = find(message)
    act = ForgettingAct(message.bond, now)
    changes = replaced_facts.find_changes(message.bond, lines=going.messages)
    detached = replaced_facts.detach(changes, gone=[node.pk for node in going.nodes])
    # Before the messages, from which the tombstones are made.
    gone = removal.collect_nodes_to_forget(going.nodes, is_cascade=False)
    act.hide_nodes(gone)
    revived = replaced_facts.revive(message.bond, detached=detached, now=now)
    act.taken["revived"] += [one for one in detached if one[0] in revived]
    act.taken["writes"] += replaced_facts.undo(changes, now=now)
    act.empty_descriptions(gone)
    act.hide_messages(going.messages)
    act.empty_summaries(going.messages)
    unknown = removal.find_unsupported_entities(message.bond, gone)
    act.hide_entities(unknown)
    traces.empty(bond=message.bond, lines=going.messages, nodes=gone, entities=unknown)
    return act.write(kind=Forgotten.Kind.MESSAGE, object_id=message.pk)
