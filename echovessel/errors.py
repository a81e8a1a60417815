from typing import Any

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
        """Return the sentence in the active language."""
        said = gettext(self.sentence)
        return said % self.values if self.values else said
