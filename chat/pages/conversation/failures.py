"""What went wrong with turns, said below their messages."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils.translation import gettext as _

from chat.models import Turn
from chat.pages.display import errors
from echovessel.llm.errors import ModelUnavailableError, TooLongError
from memory.models import Message
from personas.models import Bond

Status = Turn.Status


@dataclass(frozen=True)
class Failure:
    """Why a turn has no reply, or one that is not whole."""

    turn: Turn
    is_newest: bool

    @property
    def sentence(self) -> str:
        if self.turn.is_stopped:
            return _("Stopped")
        if not self.turn.error_code:
            return errors.get_sentence("interrupted")
        return errors.translate(self.turn.error_code, self.turn.error_detail)

    @property
    def is_of_server(self) -> bool:
        """Whether the model server is away, refuses the call or takes less, so that its settings may be wrong."""
        return self.turn.error_code in {ModelUnavailableError.code, TooLongError.code}

    @property
    def can_retry(self) -> bool:
        return self.is_newest and (self.turn.error_retryable or not self.turn.error_code)


def attach(bond: Bond, messages: Sequence[Message], *, newest: Turn | None = None) -> None:
    """Give the last message of each turn that failed its `failure`. Only the newest turn of the bond can be tried again."""
    last = {message.turn_id: message for message in messages if message.turn_id is not None}
    failed = Q(status__in=[Status.FAILED, Status.INTERRUPTED]) | ~Q(error_code="")
    turns = Turn.objects.for_bond(bond).filter(failed, pk__in=last).exclude(status__in=[Status.PENDING, Status.RUNNING])
    for turn in turns.defer("trace", "timings") if last else ():
        failure = Failure(turn, is_newest=newest is not None and turn.pk == newest.pk)
        last[turn.pk].failure = failure  # type: ignore[attr-defined]  # as an annotation would
