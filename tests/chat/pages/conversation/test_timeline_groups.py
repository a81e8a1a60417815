from chat.pages.conversation.timeline_entries import Entry
from chat.pages.conversation.timeline_groups import group_by_chat
from tests.support.factories import NOW


def entry(key, kind="event", session=None):
    return Entry(id=key, kind=kind, at=NOW, text=key, session=session)


def grouped(*entries):
    return [(one.chat and one.chat.id, [own.id for own in one.entries]) for one in group_by_chat(entries)]


def test_what_a_chat_brought_stands_below_it():
    found = grouped(
        entry("fact now", "fact", session=9),
        entry("chat 7", "session", session=7),
        entry("mood", "mood"),
        entry("cat", session=7),
        entry("Nimbus", "entity"),
        entry("chat 5", "session", session=5),
        entry("quarrel", session=5),
    )

    assert found == [(None, ["fact now"]), ("chat 7", ["mood", "cat", "Nimbus"]), ("chat 5", ["quarrel"])]


def test_what_another_chat_or_a_file_brought_stands_alone():
    found = grouped(
        entry("chat 7", "session", session=7),
        entry("cat", session=7),
        entry("late", session=3),
        entry("failed", "failed"),
        entry("chat 2", "session", session=2),
    )

    assert found == [("chat 7", ["cat"]), (None, ["late", "failed"]), ("chat 2", [])]


def test_nothing_makes_no_group():
    assert grouped() == []
