"""Translate error codes into sentences in the reader's language."""

from django.utils.translation import get_language, gettext_lazy

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
    "name_taken": gettext_lazy("Someone or something else has this name now."),
}


def translate_sentences() -> dict[str, str]:
    """Return all sentences for scripts. In English there are none: the server's own sentence says more."""
    if (get_language() or "en").startswith("en"):
        return {}
    return {code: str(sentence) for code, sentence in SENTENCES.items()}
