from typing import Any

from django.db.models import Choices
from django.utils.translation import gettext


class CodedError(Exception):
    """A refusal: one of the contract's codes, and a sentence for a person.

    `sentence` is one of a fixed set, so that it can be translated; `values` fill its placeholders, and `detail` is both in English.
    """

    def __init__(self, code: str, sentence: str, **values: Any) -> None:
        self.code = code
        self.sentence = sentence
        self.values = values
        self.detail = sentence % values if values else sentence
        super().__init__(self.detail)

    def translate(self) -> str:
        """Return the sentence in the active language; in another one than English a choice among the values by its label."""
        said = gettext(self.sentence)
        if said == self.sentence:
            return self.detail
        values = {name: value.label if isinstance(value, Choices) else value for name, value in self.values.items()}
        return said % values if values else said
