"""The memory that a turn would be given for a text, without asking a model."""

from dataclasses import dataclass
from datetime import datetime
from uuid import uuid4

from django.conf import settings

from memory.messages import window
from memory.models import ConceptNode, Message
from memory.recall import lines as recall_lines
from memory.recall import memories, prompt_memory, query_vectors
from personas.models import Bond


@dataclass(frozen=True)
class TurnMemory:
    """`recalled` and `quotes` depend on the text; the rest is in every prompt."""

    recalled: list[ConceptNode]
    quotes: list[Message]
    always: list[ConceptNode]
    about: list[str]
    sessions: list[str]
    recent_messages: list[str]

    @property
    def texts(self) -> list[str]:
        nodes = [node.description for node in (*self.recalled, *self.always)]
        return [
            *nodes,
            *(message.content for message in self.quotes),
            *self.about,
            *self.sessions,
            *self.recent_messages,
        ]


def load_turn_memory(*, bond: Bond, said: str, now: datetime) -> TurnMemory:
    [vector] = query_vectors.embed(bond, [said])
    found = memories.search(bond=bond, query=said, vector=vector, now=now)
    loaded = prompt_memory.load(bond=bond, now=now, loaded_at=now, turn_id=uuid4())
    newest = Message.objects.for_bond(bond).visible().order_by("-id").values_list("pk", flat=True).first() or 0
    messages = window.load_recent(bond=bond, most=settings.RECENT_WINDOW_SIZE, turn_id=uuid4(), up_to=newest)
    today = bond.user.get_day(now)
    quoted = recall_lines.search(bond=bond, query=said, vector=vector, today=today, recalled=found)
    return TurnMemory(
        recalled=[item.node for item in found.kept],
        quotes=[quote.message for quote in quoted],
        always=[*loaded.own_thoughts, *loaded.user_thoughts, *loaded.intentions, *loaded.expectations],
        about=[entity.description for entity in found.named if entity.description],
        sessions=[session.summary for session in loaded.sessions],
        recent_messages=[message.content for message in messages],
    )
