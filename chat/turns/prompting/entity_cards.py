"""Whom a prompt describes: those named in the burst, or by the user in the last turns, and under a focus those it is about."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from chat.models import Turn
from chat.turns.prompting.sections.memory_sections import render_card
from echovessel import text, tokens
from echovessel.llm.inputs import EntityCard
from memory.entities import lookup
from memory.entities.lookup import Named
from memory.models import Entity, Message
from memory.story.inclusion.loading import LoadedStory
from personas.models import Bond

# For so many turns of the user's after the one that named somebody, their card stays.
STICKY_TURNS = 4
# The newest remarks that a card shows.
REMARKS_MOST = 5


@dataclass(frozen=True, kw_only=True)
class EntityCards:
    """The entities named in the burst, by which names, and the cards that fit, by entity: those named last come first."""

    named: tuple[Entity, ...] = ()
    names: tuple[str, ...] = ()
    cards: Mapping[int, EntityCard] = field(default_factory=dict)
    # Of those that the topic is about and nobody named just now.
    of_topic: Mapping[int, EntityCard] = field(default_factory=dict)

    def list_texts(self) -> Iterator[str]:
        """List what is said of the named, sentence by sentence."""
        for card in self.cards.values():
            yield from (f"{card.name}: {told}" for told in (card.description, *card.remarks) if told)


def find(*, bond: Bond, said: str, of_topic: Sequence[int] = ()) -> EntityCards:
    """Find who is named in a burst, for a prompt without a story: their cards have no remarks and no limit."""
    return build(lookup.find_in_any(bond=bond, texts=[said], besides=of_topic), texts_count=1)


def find_told(*, turn: Turn, said: str, of_topic: Sequence[int], talks: LoadedStory, most: int) -> EntityCards:
    """Find who is named in a burst and in the last turns, with remarks, as far as their cards fit into so many tokens."""
    texts = [said, *list_last_said(talks, turn)]
    found = lookup.find_in_any(bond=turn.bond, texts=texts, besides=of_topic, remarks=REMARKS_MOST)
    return build(found, texts_count=len(texts), most=most)


def list_last_said(talks: LoadedStory, turn: Turn) -> list[str]:
    """List what the user said in each of the last turns before this one, newest first; of what is off the record, only what was
    said in the same session.
    """
    said: dict[object, str] = {}
    for message in reversed(talks.messages):
        if message.role != Message.Role.USER or (message.off_record and message.session_id != turn.session_id):
            continue
        of_turn = message.turn_id or message.id
        if of_turn not in said and len(said) == STICKY_TURNS:
            break
        said[of_turn] = f"{message.content}\n{said.get(of_turn, '')}"
    return [*said.values()]


def build(found: Sequence[Named], *, texts_count: int, most: int | None = None) -> EntityCards:
    """Build the cards that fit: of one that does not, the older remarks go first."""
    by_place = sorted(found, key=lambda one: (one.place, one.entity.pk))
    fitting: dict[int, EntityCard] = {}
    for one in by_place:
        for card in list_shorter(one):
            cost = count_tokens([card])
            if most is None or cost <= most:
                fitting[one.entity.pk] = card
                most = None if most is None else most - cost
                break
    not_named = {one.entity.pk for one in found if one.place == texts_count}
    return EntityCards(
        named=tuple(one.entity for one in found if one.place == 0),
        names=tuple(one.name for one in found if one.place == 0),
        cards={pk: card for pk, card in fitting.items() if pk not in not_named},
        of_topic={pk: card for pk, card in fitting.items() if pk in not_named},
    )


def count_tokens(cards: Iterable[EntityCard]) -> int:
    return sum(tokens.estimate(render_card(card)) for card in cards)


def list_shorter(one: Named) -> Iterator[EntityCard]:
    """Yield a card with ever fewer of its remarks, as long as it says anything."""
    described = {*text.extract_terms(one.entity.description)}
    # What the description says, no remark says again.
    remarks = tuple(
        told for told in one.remarks if not {*text.extract_terms(told.partition(": ")[2] or told)} <= described
    )
    card = EntityCard(one.entity.canonical_name, one.entity.description.strip(), remarks)
    for count in range(len(card.remarks), -1, -1):
        if card.description or count:
            yield replace(card, remarks=card.remarks[:count])
