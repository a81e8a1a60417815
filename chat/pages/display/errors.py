"""Errors as sentences in the reader's language."""

from django.utils.translation import get_language, gettext, gettext_lazy

from echovessel.errors import CodedError
from echovessel.llm.errors import LLMError

SENTENCES = {
    "turn_running": gettext_lazy("A reply is being written. Stop it, or wait until it is done."),
    "too_late": gettext_lazy("The chat has continued after this reply, so it can no longer be changed."),
    "rate_limited": gettext_lazy("Too many messages in one minute. Wait a moment."),
    "interrupted": gettext_lazy("The reply was interrupted."),
    "model_unavailable": gettext_lazy("The model server cannot be reached, or does not accept the call."),
    "model_timeout": gettext_lazy("The answer took too long."),
    "model_refused": gettext_lazy("The model refused to answer this."),
    "model_bad_answer": gettext_lazy("The model gave no usable answer."),
    "too_long": gettext_lazy("This is too long for the model. Make it shorter."),
    "changed": gettext_lazy("This was changed or forgotten meanwhile."),
    "secret": gettext_lazy("Passwords, card numbers and keys are not kept in memory."),
    "unsafe": gettext_lazy("This would keep help, honesty or protection away from someone. It is not kept."),
    "full": gettext_lazy("There are 1 000 facts already. Forget one first."),
    "name_taken": gettext_lazy("Someone or something else has this name now."),
}
SEVERAL_TIMES = gettext_lazy("The work on it was interrupted several times.")
BROKEN_EXPORT = gettext_lazy("This export is broken or incomplete.")
OUTCOME_RECORDED = gettext_lazy("The outcome is already recorded.")
# What a code means where it is about one of these.
SENTENCES_ABOUT = {
    "chat": {"model_refused": gettext_lazy("The model refused to read this chat."), "interrupted": SEVERAL_TIMES},
    "file": {"model_refused": gettext_lazy("The model refused to read this file."), "interrupted": SEVERAL_TIMES},
    "export": dict.fromkeys(("invalid", "too_long", "conflict", "interrupted"), BROKEN_EXPORT),
    "names": {
        "invalid": gettext_lazy("One of the names is yours, the companion's, or not a name."),
        "name_taken": gettext_lazy("Someone or something else already has one of these names."),
    },
    "edit": {"conflict": gettext_lazy("The memories of this chat are being saved. Try again in a moment.")},
    "outcome": {"invalid": OUTCOME_RECORDED, "conflict": OUTCOME_RECORDED},
}


def get_sentence(code: str, *, about: str = "") -> str:
    """Return the sentence of an error's code, also where it is `about` something particular; "" if it has none."""
    return str((SENTENCES | SENTENCES_ABOUT.get(about, {})).get(code, ""))


def translate(code: str, detail: str, *, about: str = "") -> str:
    """Translate an error's own sentence. One that holds a name or a number has no translation: then its code's is returned.

    What a model server answered stands in brackets at the end of a sentence.
    """
    told, has_answered, answered = detail.removesuffix(").").partition(" (")
    translated = LLMError(f"{told}.", answered=answered).translate() if has_answered else detail and gettext(detail)
    if translated and (is_english() or translated != detail):
        return translated
    return get_sentence(code, about=about) or detail


def translate_error(error: CodedError, *, about: str = "") -> str:
    """Translate an error's own sentence; one that has no translation stands for its code's."""
    translated = error.translate()
    if is_english() or translated != error.detail:
        return translated
    return get_sentence(error.code, about=about) or error.detail


def translate_sentences() -> dict[str, str]:
    """Return all sentences for scripts. In English there are none: the server's own sentence says more."""
    return {} if is_english() else {code: str(sentence) for code, sentence in SENTENCES.items()}


def is_english() -> bool:
    return (get_language() or "en").startswith("en")
