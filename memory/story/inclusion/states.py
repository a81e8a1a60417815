"""What becomes of any messages of a bond in its next prompt, also of those that no prompt looks at any more."""

from collections.abc import Sequence

from django.conf import settings

from memory.messages import tombstones
from memory.models import Message
from memory.story.inclusion import included, loading
from memory.story.inclusion.loading import LoadedMessage
from memory.story.inclusion.message_states import State
from personas.models import Bond


def load_states(bond: Bond, messages: Sequence[Message], *, firm_tokens: int) -> dict[int, State]:
    """Load the states of messages by their ids; `firm_tokens` as in `included.load_inclusion`.

    A deleted message and a reply that is not chosen have none, nor has any message where no story is told.
    """
    if not settings.STORY_ENABLED:
        return {}
    loaded = loading.load(bond)
    if not loaded.is_told:
        return {}
    shown = included.include(loaded, firm_tokens=firm_tokens)
    older = [one for one in messages if one.chosen and not one.deleted_at and one.pk not in shown.messages.states]
    gone = tombstones.find_forgotten_messages(bond, older)
    rows = [build_loaded(one, forgotten=one.pk in gone) for one in older]
    outside = included.find_outside_states(loaded, rows, shown=shown)
    return shown.messages.states | {pk: state or State.OVER_LIMIT for pk, state in outside.items()}


def build_loaded(message: Message, *, forgotten: bool) -> LoadedMessage:
    return LoadedMessage(
        id=message.pk,
        session_id=message.session_id,
        role=message.role,
        content=message.content,
        turn_id=str(message.turn_id or "") or None,
        token_count=message.token_count,
        said_at=message.created_at.isoformat(),
        left_out=message.left_out,
        forgotten=forgotten,
        # A session off the record is open, so its messages are among those that are loaded.
        off_record=False,
        recap=None,
    )
