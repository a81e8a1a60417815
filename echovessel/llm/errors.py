from django.utils.translation import gettext


class LLMError(Exception):
    """A call to a model failed. Its text is a sentence for people and holds no key; `retry_after` is in seconds.

    `sentence` is one of a fixed set, so that it can be translated; `answered` is the server's status and code: `404, model_not_found`.
    """

    code = "model_unavailable"

    def __init__(
        self, sentence: str, *, transient: bool = False, retry_after: float | None = None, answered: str = ""
    ) -> None:
        super().__init__(f"{sentence.removesuffix('.')} ({answered})." if answered else sentence)
        self.sentence = sentence
        self.answered = answered
        self.transient = transient
        self.retry_after = retry_after

    def translate(self) -> str:
        """Return its text in the active language."""
        said = gettext(self.sentence)
        return f"{said[:-1]} ({self.answered}){said[-1]}" if self.answered else said


class ModelUnavailableError(LLMError):
    """The server cannot be reached, is overloaded, or does not accept the call."""


class ToolsRefusedError(ModelUnavailableError):
    """The server, or its template for the model, cannot take tools; without them it may answer."""

    def __init__(self, answered: str = "") -> None:
        super().__init__("The model server takes no tools.", answered=answered)


class OptionsRefusedError(ModelUnavailableError):
    """The server does not take the model or the settings that a reply was asked with; `said` is its message, for no page.

    `is_too_long`: the prompt leaves no room for them.
    """

    def __init__(self, said: str, *, answered: str, is_too_long: bool = False) -> None:
        super().__init__("The model server did not accept the request.", answered=answered)
        self.said = said
        self.is_too_long = is_too_long


class TooLongError(LLMError):
    """What was sent is longer than the model's window."""

    code = "too_long"

    def __init__(self, answered: str = "") -> None:
        super().__init__("This is too long for the model. Make it shorter, or enlarge its context.", answered=answered)


class ModelTimeoutError(LLMError):
    code = "model_timeout"

    def __init__(self, sentence: str, *, transient: bool = True, retry_after: float | None = None) -> None:
        super().__init__(sentence, transient=transient, retry_after=retry_after)


class ModelRefusedError(LLMError):
    code = "model_refused"


class BadAnswerError(LLMError):
    code = "model_bad_answer"


class EmptyAnswerError(BadAnswerError):
    """The model said nothing and called no tool."""

    def __init__(self, *, transient: bool = True) -> None:
        super().__init__("The model's answer was empty.", transient=transient)
