"""Groups the timeline by what one chat brought."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from chat.pages.conversation.timeline_entries import Entry


@dataclass
class EntryGroup:
    """Entries that one chat brought, below the entry of that chat; without one, entries that stand alone."""

    chat: Entry | None
    entries: list[Entry] = field(default_factory=list)


def group_by_chat(entries: Iterable[Entry]) -> Iterator[EntryGroup]:
    """Group entries, newest first. A chat's entry is written when its close ends, so what it brought stands behind it.

    People, moods and merges name no chat: they belong to the one they stand behind.
    """
    group = EntryGroup(None)
    for entry in entries:
        if entry.kind == "session":
            yield from [group] if group.chat or group.entries else []
            group = EntryGroup(entry)
        elif belongs(entry, group):
            group.entries.append(entry)
        else:
            yield group
            group = EntryGroup(None, [entry])
    if group.chat or group.entries:
        yield group


def belongs(entry: Entry, group: EntryGroup) -> bool:
    if group.chat is None:
        return True
    return entry.kind != "failed" and entry.session in (None, group.chat.session)
