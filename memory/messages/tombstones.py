"""Tombstones: a forgotten text is not learned again from old messages.

A tombstone has a keyed hash of the text and the ids of its messages. A later message clears it.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime

from django.db.models import Max, Q, QuerySet
from django.utils.crypto import salted_hmac

from echovessel import text
from memory.messages import retelling
from memory.models import ConceptNode, EntityAlias, Message, NodeSource, Tombstone
from personas.models import Bond

# The name of an old module: with another one no stored mark could be found again.
SALT = "memory.tombstones"
# For statements of the hot path, with the id of the bond behind it: see `MessageQuerySet.not_hidden`.
HIDDEN = "SELECT unnest(hidden) FROM memory_tombstone WHERE bond_id ="
# What a prompt holds of a message that a wish does not hide whole.
PROMPTED = "coalesce(nullif(line.remainder, ''), line.content)"


def hash_text(bond: Bond, said: str) -> str:
    """Hash a text with the install's key: nobody else can guess it by trying."""
    return salted_hmac(SALT, f"{bond.pk}:{text.fold_case(said)}", algorithm="sha256").hexdigest()


def create_for_nodes(
    *,
    bond: Bond,
    nodes: Iterable[ConceptNode],
    told_in: Collection[int] = (),
    asked_in: Mapping[int, str] | None = None,
    spared: Collection[int] = (),
    with_lines: bool,
    now: datetime,
) -> set[int]:
    """Create the tombstones of forgotten nodes, under the bond's lock. Returns the tombstoned messages.

    Their messages are tombstoned with them, but for those that are spared, the replies to these alone, which say the same again, the
    further ones that tell them, and those that asked for it. Without its lines only the text is, and what else its messages tell can
    still be learned.
    """
    texts = {node.pk: node.description for node in nodes}
    messages: dict[int, list[int]] = {pk: [*told_in] for pk in texts}
    edges = NodeSource.objects.filter(node__in=texts) if with_lines else NodeSource.objects.none()
    for node, message in edges.exclude(message__in=spared).order_by("id").values_list("node", "message"):
        messages[node].append(message)
    for sources, replies in zip(messages.values(), retelling.find_replies(bond, [*messages.values()]), strict=True):
        sources.extend(replies)
    asked = asked_in or {}
    hidden = find_hidden(bond, texts, told=messages, asked=asked) if asked else {}
    for pk, remainder in asked.items():
        Message.objects.filter(pk=pk).exclude(content=remainder).update(remainder=remainder)
    told_in_all = {pk for told in messages.values() for pk in told}
    Message.objects.filter(pk__in=told_in_all).exclude(remainder="").update(remainder="")
    stones = [
        Tombstone(
            of=Tombstone.Of.NODE,
            object_id=pk,
            mark=hash_text(bond, said),
            lines=list(dict.fromkeys([*messages[pk], *asked])),
            hidden=hidden.get(pk, []),
        )
        for pk, said in texts.items()
    ]
    create(bond, stones, now=now)
    return {message for stone in stones for message in stone.lines}


def apply_to_reply(reply: Message) -> None:
    """Tombstone a new reply with its turn's messages, if a memory of these was forgotten while it was written; hide one that tells
    again what its chat asked to forget: "Forgotten. Ann's till, 200 pounds, what till?".
    """
    bond = reply.bond
    messages = Message.objects.for_bond(bond)
    of_chat = messages.filter(session=reply.session_id).values("id")
    of_turn = messages.filter(turn_id=reply.turn_id, role=Message.Role.USER).values_list("id", flat=True)
    stones = Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE)
    of_lines = [*stones.filter(hidden=[], lines__overlap=of_turn)]
    for stone, replies in zip(of_lines, retelling.find_replies(bond, [one.lines for one in of_lines]), strict=True):
        if reply.pk in replies:
            Tombstone.objects.filter(pk=stone.pk).update(lines=[*stone.lines, reply.pk])
    stones = stones.filter(hidden__overlap=of_chat)
    gone = ConceptNode.objects.for_bond(bond).filter(pk__in=[stone.object_id for stone in stones])
    texts = dict(gone.values_list("pk", "description"))
    for stone in stones:
        told = [line for line in stone.lines if line in stone.hidden]
        least = retelling.LEAST if {*of_turn}.isdisjoint(stone.lines) else retelling.LEAST_OF_ANSWER
        said = dict(messages.filter(pk__in=told, role=Message.Role.USER).values_list("pk", "content"))
        forgotten = texts.get(stone.object_id, "")
        if reply.pk in retelling.find(bond, forgotten, said=said, lines=stone.lines, least=least):
            Tombstone.objects.filter(pk=stone.pk).update(hidden=[*stone.hidden, reply.pk])


def find_hidden(
    bond: Bond, forgotten: Mapping[int, str], *, told: Mapping[int, Collection[int]], asked: Mapping[int, str]
) -> dict[int, list[int]]:
    """Find the messages that no prompt holds once a chat asked to forget what these told, for each node: they themselves, the replies
    to them, what the companion said of it later, and those that asked. Of these `asked` says what is left: where all is, it asked nothing.
    """
    messages, lines = Message.objects.for_bond(bond), {line for its in told.values() for line in its}
    wished = [pk for pk, said in messages.filter(pk__in=asked).values_list("pk", "content") if said != asked[pk]]
    turns = messages.filter(pk__in=lines).exclude(turn_id=None).values("turn_id")
    rows = [*messages.filter(Q(pk__in=lines) | Q(turn_id__in=turns)).only("role", "turn_id", "content")]
    found = {}
    for node, its in told.items():
        of_turns = {row.turn_id for row in rows if row.pk in its} - {None}
        replies = [row.pk for row in rows if row.turn_id in of_turns and row.role == Message.Role.PERSONA]
        said = {row.pk: row.content for row in rows if row.pk in its and row.role == Message.Role.USER}
        later = retelling.find(bond, forgotten[node], said=said, lines=[*its, *asked])
        found[node] = sorted({*its, *replies, *wished, *later})
    return found


def create_for_names(*, bond: Bond, aliases: Iterable[EntityAlias], now: datetime) -> None:
    """Create the tombstones of the names of forgotten entities, under the bond's lock. They are marked as folded: a name is compared
    without its script.
    """
    names = [
        Tombstone(of=Tombstone.Of.NAME, object_id=alias.entity_id, mark=hash_text(bond, alias.folded))
        for alias in aliases
    ]
    create(bond, names, now=now)


def mark_name(bond: Bond, name: str) -> set[str]:
    """Return the marks that a name may have: as folded, and in its own script, as older versions marked it."""
    return {hash_text(bond, one) for one in (name, text.fold(name))}


def create(bond: Bond, gone: Sequence[Tombstone], *, now: datetime) -> None:
    newest = Message.objects.for_bond(bond).aggregate(newest=Max("id"))["newest"] or 0
    for stone in gone:
        stone.bond, stone.last_message_id, stone.created_at = bond, newest, now
    Tombstone.objects.bulk_create(gone)


def delete_for(*, bond: Bond, of: Tombstone.Of, ids: Iterable[int]) -> None:
    delete(bond, Tombstone.objects.filter(of=of, object_id__in=ids))


def delete(bond: Bond, stones: QuerySet[Tombstone]) -> None:
    """Delete tombstones of a bond; prompts hold again the whole of each message that no other one hides."""
    of_bond = stones.filter(bond=bond)
    shown = {pk for hidden in of_bond.values_list("hidden", flat=True) for pk in hidden}
    of_bond.delete()
    cut = Message.objects.filter(pk__in=shown).exclude(remainder="")
    cut.not_hidden(bond).update(remainder="")


def are_forgotten(*, bond: Bond, told: Sequence[tuple[str, Collection[int]]]) -> list[bool]:
    """Whether each text, given with the ids of its messages, was forgotten and not said anew.

    It was if all its messages are tombstoned, or if its text is and no message is newer. A text said anew clears its
    tombstones. The caller has locked the bond.
    """
    if not told:
        return []
    marks = [hash_text(bond, said) for said, _ in told]
    all_lines = sorted({message for _, messages in told for message in messages})
    stones = list(
        Tombstone.objects.filter(Q(mark__in=marks) | Q(lines__overlap=all_lines), bond=bond, of=Tombstone.Of.NODE)
    )
    gone = {message for stone in stones for message in stone.lines}
    found = []
    for its_mark, (_, messages) in zip(marks, told, strict=True):
        same = [stone for stone in stones if stone.mark == its_mark]
        anew = [stone.pk for stone in same if any(message > stone.last_message_id for message in messages)]
        delete(bond, Tombstone.objects.filter(pk__in=anew))
        found.append((bool(messages) and set(messages) <= gone) or len(anew) < len(same))
    return found


def has_any(bond: Bond) -> bool:
    """Whether anything that was remembered or said was ever forgotten: what asks for more of it need not where nothing was."""
    return Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE).exists()


def find_forgotten_messages(bond: Bond, lines: Iterable[Message]) -> set[int]:
    """Find the messages from which something was forgotten, and those that a chat's wish hides with them."""
    ids = {message.pk for message in lines}
    # All of the bond are read: to look for thousands of ids takes far longer, and a story may have as many messages.
    stones = Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE).values_list("lines", "hidden") if ids else []
    return {message for told, hidden in stones for message in (*told, *hidden)} & ids


def find_wishes(bond: Bond, lines: Iterable[Message]) -> list[tuple[Tombstone, str]]:
    """Find the tombstones of what a chat asked to forget that hide one of these messages or were asked for in one, each with the text
    that is forgotten; "" once it is purged.
    """
    ids = [message.pk for message in lines]
    stones = [
        stone
        for stone in Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE).exclude(hidden=[])
        if not {*stone.lines, *stone.hidden}.isdisjoint(ids)
    ]
    if not stones:
        return []
    gone = ConceptNode.objects.for_bond(bond).filter(pk__in=[stone.object_id for stone in stones])
    texts = dict(gone.values_list("pk", "description"))
    return [(stone, texts.get(stone.object_id, "")) for stone in stones]


def find_forgotten_facts(bond: Bond, lines: Iterable[Message]) -> list[tuple[Tombstone, ConceptNode]]:
    """Find the forgotten facts, until they are purged, that were told or asked to be forgotten in one of these messages, or
    after all of them; of what was undone, which has no lines, none.
    """
    ids = sorted({message.pk for message in lines})
    if not ids:
        return []
    told = Q(lines__overlap=ids) | Q(last_message_id__gte=min(ids), lines__len__gt=0)
    stones = Tombstone.objects.filter(told, bond=bond, of=Tombstone.Of.NODE)
    by_node = {stone.object_id: stone for stone in stones}
    if not by_node:
        return []
    gone = ConceptNode.objects.for_bond(bond).facts().filter(pk__in=by_node, deleted_at__isnull=False)
    return [(by_node[fact.pk], fact) for fact in gone.without_heavy_columns().order_by("id")]


def find_facts_gone_before(bond: Bond, *, message: int) -> list[tuple[Tombstone, ConceptNode]]:
    """Find the facts about the user that were forgotten or undone before a message, until they are purged."""
    stones = Tombstone.objects.filter(bond=bond, of=Tombstone.Of.NODE, last_message_id__lt=message).order_by("id")
    by_node = {stone.object_id: stone for stone in stones}
    if not by_node:
        return []
    facts = ConceptNode.objects.for_bond(bond).facts().filter(subject=ConceptNode.Subject.USER)
    gone = facts.filter(pk__in=by_node, deleted_at__isnull=False)
    return [(by_node[fact.pk], fact) for fact in gone.select_related("bond").defer("sketch", "search").order_by("-id")]


def is_forgotten_thought(*, bond: Bond, said: str, filling: Collection[int]) -> bool:
    """Whether a thought was forgotten and cites nothing learned since. The caller has locked the bond."""
    stones = Tombstone.objects.filter(bond=bond, mark=hash_text(bond, said), of=Tombstone.Of.NODE)
    newest = stones.aggregate(newest=Max("created_at"))["newest"]
    return newest is not None and not ConceptNode.objects.filter(pk__in=filling, created_at__gt=newest).exists()


def find_forgotten_names(*, bond: Bond, names: Collection[str], lines: Iterable[Message]) -> set[str]:
    """Find the names that were forgotten and are in no newer one of these messages, which would clear the tombstone.

    The caller has locked the bond.
    """
    by_mark = {mark: name for name in names for mark in mark_name(bond, name)}
    stones = list(Tombstone.objects.filter(bond=bond, mark__in=by_mark, of=Tombstone.Of.NAME))
    said = [(message.pk, text.fold(message.content)) for message in lines] if stones else []
    anew = [stone.pk for stone in stones if is_said_since(by_mark[stone.mark], said, after=stone.last_message_id)]
    Tombstone.objects.filter(pk__in=anew).delete()
    return {by_mark[stone.mark] for stone in stones if stone.pk not in anew}


def is_said_since(name: str, said: Iterable[tuple[int, str]], *, after: int) -> bool:
    return any(pk > after and text.contains_name(line, text.fold(name)) for pk, line in said)


def clear_names(*, bond: Bond, names: Iterable[str]) -> None:
    """Clear the tombstones of names that a person has entered."""
    Tombstone.objects.filter(
        bond=bond, mark__in=[mark for name in names for mark in mark_name(bond, name)], of=Tombstone.Of.NAME
    ).delete()
