"""What a session began with: what the user said first, and the reply to it. Its automatic title is made of it.

Who begins with a greeting has not said yet what the chat is about: what follows belongs to the beginning, too.
"""

from echovessel.llm.offline.text import lexicon, naming, sentences
from memory.messages import tombstones
from memory.models import Message, Session

# How many of the user's bursts are read for one that does more than greet.
BURSTS_MOST = 3


def load(session: Session) -> list[Message]:
    """Load the beginning, oldest first, without what was forgotten: up to the first burst that does more than greet, with its reply."""
    said = Message.objects.for_bond(session.bond).visible().filter(session=session).exclude(role=Message.Role.SYSTEM)
    gone = tombstones.find_forgotten_messages(session.bond, said.only("id"))
    left = said.exclude(pk__in=gone).without_heavy_columns().order_by("id")
    begun: list[Message] = []
    last = 0
    for _ in range(BURSTS_MOST):
        first = left.filter(role=Message.Role.USER, pk__gt=last).first()
        if first is None:
            break
        burst = [first] if first.turn_id is None else list(left.filter(turn_id=first.turn_id))
        begun += burst
        # What was said while the reply was written stands before it; the first may be forgotten between the two queries.
        last = max(message.pk for message in (first, *burst) if message.role == Message.Role.USER)
        if not only_greets(burst):
            break
    return begun


def only_greets(messages: list[Message]) -> bool:
    """Whether the user does no more in these messages than greet and say who they are."""
    said = [
        one for message in messages if message.role == Message.Role.USER for one in sentences.split(message.content)
    ]
    return all(sentences.is_small_talk(one) or _introduces(one) for one in said)


def _introduces(sentence: str) -> bool:
    found = naming.find(lexicon.normalise(sentence))
    return found is not None and found.is_introduction
