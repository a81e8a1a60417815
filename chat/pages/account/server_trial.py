"""Describe the trial of a model server: what went wrong, and what to check next."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from echovessel.llm import trial
from echovessel.llm.connection import Connection
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
UNLISTED = gettext_lazy("It may still answer: some servers list nothing, or only a part.")
NO_REPLY = gettext_lazy("This may not be the address of an API, or the model may be too small.")


SETTINGS = {
    "temperature": gettext_lazy("temperature"),
    "top_p": gettext_lazy("top p"),
    "max_tokens": gettext_lazy("longest reply"),
}
TITLES = {
    "address": gettext_lazy("Address"),
    "key": gettext_lazy("Key"),
    "models": gettext_lazy("List of models"),
    "reply": gettext_lazy("Reply of %(model)s"),
    "tools": gettext_lazy("Tools of %(model)s"),
    "options": gettext_lazy("Settings of %(model)s"),
    "json": gettext_lazy("JSON of %(model)s, answer mode “%(mode)s”"),
}


@dataclass(frozen=True)
class TrialResult:
    title: str
    # Its answer, or the error.
    text: str
    hint: str
    is_well: bool
    seconds: float
    # Whether the text is what the model said.
    is_said: bool = False
    # For the form that is saved next: the model, and what it is asked without. None where nothing was found out.
    model: str = ""
    avoided: tuple[str, ...] | None = None


def describe_trial(tried: TrialCall) -> TrialResult:
    return TrialResult(
        get_title(tried.kind, model=tried.model, mode=tried.mode),
        describe_outcome(tried) if tried.error is None else describe_error(tried.error),
        get_hint(tried),
        tried.error is None,
        tried.seconds,
        is_said=tried.kind == "reply" and tried.error is None,
        model=tried.model,
        avoided=tried.avoided if tried.kind == "options" and tried.error is None else None,
    )


def describe_outcome(tried: TrialCall) -> str:
    if tried.kind == "options" and tried.refused:
        names = _(", ").join(str(SETTINGS[name]) for name in tried.refused)
        return _("It refuses: %(names)s. Replies are asked for without.") % {"names": names}
    if tried.kind == "options":
        return _("It takes temperature, top p and longest reply.")
    if tried.kind == "models" and not tried.said:
        return _("It lists no models.")
    return tried.said


def get_title(kind: str, *, model: str, mode: str = "") -> str:
    named = {"model": model, "mode": ModelConnection.JsonMode(mode).label if mode else ""}
    return str(TITLES[kind]) % named


def get_check_title(check: str, asked: Connection) -> str:
    """Return what a check looks at, for the line that stands until it ends."""
    if check in (trial.MODELS, trial.REPLY, trial.TOOLS, trial.OPTIONS):
        return get_title("address" if check == trial.MODELS else check, model=asked.main)
    role, mode = trial.parse_json_check(check)
    return get_title("json", model=asked.model(role), mode=mode)


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
    if tried.kind == "models":
        return str(UNLISTED)
    if isinstance(error, BadAnswerError):
        return str(NOT_JSON if tried.kind == "json" else NO_REPLY)
    if not error.answered:
        return str(UNREACHED)
    status = error.answered[:3]
    return str(HINTS.get(status) or HINTS.get(status[:1]) or "")
