"""The memory timeline as the conversation's page shows it: a sign, a word and a text for each thing learned, and its evidence."""

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.models import ConceptNode, Message
from personas.models import Bond

WORDS = {
    "event": gettext_lazy("Event"),
    "thought": gettext_lazy("Thought"),
    "intention": gettext_lazy("Intention"),
    "expectation": gettext_lazy("Expectation"),
    "entity": gettext_lazy("Entity"),
    "mood": gettext_lazy("Mood"),
    "session": gettext_lazy("Session"),
    "failed": gettext_lazy("Session"),
}
KINDS = {
    "person": gettext_lazy("a person"),
    "place": gettext_lazy("a place"),
    "org": gettext_lazy("an organisation"),
    "pet": gettext_lazy("an animal"),
    "other": gettext_lazy("a thing"),
}


@dataclass(frozen=True)
class Source:
    anchor: str
    text: str


@dataclass(frozen=True)
class Entry:
    id: str
    kind: str
    at: datetime
    text: str
    name: str = ""
    more: str = ""
    impact: int | None = None
    evidence: tuple[Source, ...] = ()
    retry_session: int | None = None

    @property
    def word(self) -> str:
        return str(WORDS[self.kind])

    @property
    def sign(self) -> str:
        return "warning" if self.kind == "failed" else self.kind

    @property
    def evidence_word(self) -> str:
        if self.kind == "event":
            return _("From your words")
        return ngettext("From one event", "From %(count)s events", len(self.evidence)) % {"count": len(self.evidence)}

    @property
    def version(self) -> str:
        """Changes when what is shown does."""
        shown = (self.text, self.name, self.more, self.impact, self.evidence)
        return f"{zlib.crc32(repr(shown).encode()):x}"


def entries(bond: Bond) -> list[Entry]:
    return []
