"""What the timeline shows of a memory: its entry, what that is based on, and its buttons."""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.pages.display import labels

# Kinds that use another kind's icon.
KIND_ICONS = {"failed": "warning", "merge": "entity", "doubt": "entity"}


@dataclass(frozen=True)
class EvidenceSource:
    """A source of a memory. Text of a file has no anchor, since it is on no page."""

    anchor: str
    text: str


@dataclass(frozen=True)
class EntryAction:
    """A button: its label and icon, what it posts to a path below the bond's in the API, and what the page says then, unless the
    entries do.
    """

    word: str
    sign: str
    path: str
    body: Mapping[str, int] | None = None
    done: str = ""

    @property
    def json(self) -> str:
        return json.dumps(self.body or {})


@dataclass(frozen=True)
class Entry:
    id: str
    kind: str
    at: datetime
    text: str
    name: str = ""
    more: str = ""
    impact: int | None = None
    evidence: tuple[EvidenceSource, ...] = ()
    actions: tuple[EntryAction, ...] = ()
    # Superseded by something learned later.
    is_past: bool = False
    # The chat that brought it, where its row says so.
    session: int | None = None
    # Noted while one talked, so that its line in the chat announces it.
    is_noted: bool = False
    # The route of its own page, where it has one, and its row.
    page: str = ""
    row: int | None = None

    @property
    def word(self) -> str:
        return str(labels.KIND_LABELS[self.kind])

    @property
    def sign(self) -> str:
        return KIND_ICONS.get(self.kind, self.kind)

    @property
    def evidence_word(self) -> str:
        if self.kind in ("event", "fact"):
            return _("From your messages") if self.evidence[0].anchor else _("From an imported file")
        return ngettext("From one event", "From %(count)s events", len(self.evidence)) % {"count": len(self.evidence)}

    @property
    def version(self) -> str:
        """A hash of what is shown."""
        shown = (self.text, self.name, self.more, self.impact, self.evidence, self.is_past, self.actions)
        return f"{zlib.crc32(repr(shown).encode()):x}"
