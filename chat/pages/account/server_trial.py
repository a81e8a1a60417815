"""Describe the trial of a model server: what went wrong, and what to check next."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from echovessel.llm.errors import BadAnswerError, LLMError, ModelRefusedError, ModelTimeoutError, ToolsRefusedError
from echovessel.llm.trial import TrialCall
from echovessel.models import ModelConnection

HINTS = {
    "400": gettext_lazy("Another answer mode may work; those that were tried are listed here."),
    "401": gettext_lazy("Enter the key again. A stored key is only sent to its own server."),
    "403": gettext_lazy("The key may not be for this model."),
    "404": gettext_lazy("Find its models, and check that the address ends in /v1."),
    "429": gettext_lazy("Its limit is reached, or the account there has no credit left."),
    "5": gettext_lazy("The log of that server may say more."),
}
UNREACHED = gettext_lazy(
    "Is it running, and can this server reach it? In a container, 127.0.0.1 is the container itself, not the machine."
)
SLOW = gettext_lazy("A large model is loaded from disk at the first call. Try again in a minute.")
NOT_JSON = gettext_lazy("Choose an answer mode that works, or a larger model.")
NO_TOOLS = gettext_lazy("Replies work without tools. What someone asks to be remembered is then noted by rules.")
NO_REPLY = gettext_lazy("This may not be the address of an API, or the model may be too small.")


@dataclass(frozen=True)
class TrialResult:
    title: str
    # Its answer, or the error.
    text: str
    hint: str
    is_well: bool
    seconds: float


def describe_trial(tried: TrialCall) -> TrialResult:
    text = tried.said if tried.error is None else describe_error(tried.error)
    return TrialResult(get_trial_title(tried), text, get_hint(tried), tried.error is None, tried.seconds)


def get_trial_title(tried: TrialCall) -> str:
    if tried.kind == "reply":
        return _("Reply of %(model)s") % {"model": tried.model}
    if tried.kind == "tools":
        return _("Tools of %(model)s") % {"model": tried.model}
    mode = ModelConnection.JsonMode(tried.mode).label
    return _("JSON of %(model)s, answer mode “%(mode)s”") % {"model": tried.model, "mode": mode}


def describe_error(error: LLMError) -> str:
    said = _(error.sentence)
    return f"{said} ({error.answered})" if error.answered else said


def get_hint(tried: TrialCall) -> str:
    error = tried.error
    if error is None or isinstance(error, ModelRefusedError):
        return ""
    if tried.kind == "tools" and isinstance(error, (BadAnswerError, ToolsRefusedError)):
        return str(NO_TOOLS)
    if isinstance(error, ModelTimeoutError):
        return str(SLOW)
    if isinstance(error, BadAnswerError):
        return str(NOT_JSON if tried.kind == "json" else NO_REPLY)
    if not error.answered:
        return str(UNREACHED)
    status = error.answered[:3]
    return str(HINTS.get(status) or HINTS.get(status[:1]) or "")
