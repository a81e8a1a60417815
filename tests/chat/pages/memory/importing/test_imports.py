import re

import pytest
import time_machine
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils import timezone, translation

from chat.broadcast import frames
from echovessel import events
from echovessel.materials import BYTES_MOST
from memory.importing import control
from memory.models import Import, Proposal
from personas import blocks
from tests.memory.importing.files import CAT, DIARY, model, read, read_on, said, started, taken, thought, told
from tests.support.factories import NOW, BondFactory, UserFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db
LINE = {"content": "Has a white cat.", "source_quote": "a white cat"}


@pytest.fixture
def bond():
    return BondFactory(user__username="mara", persona__name="Marian")


def text(answer):
    return markup_of(answer)


def page(imported, name="import", *more):
    return reverse(name, args=[imported.bond_id, imported.pk, *more])


def send(client, bond, **fields):
    return client.post(reverse("imports", args=[bond.pk]), fields)


def test_the_page_says_what_will_be_there(mara, bond):
    shown = text(mara.get(reverse("imports", args=[bond.pk])))

    assert "Import notes or a diary" in shown
    assert "No imports yet." in shown


def test_a_file_is_shown_with_what_it_takes_and_then_read(mara, bond):
    answer = send(mara, bond, file=SimpleUploadedFile("diary.txt", DIARY.encode()), text="")
    imported = Import.objects.get()
    waiting = text(mara.get(answer["Location"]))

    started_at = mara.post(page(imported, "start_import"))

    assert answer["Location"] == started_at["Location"] == page(imported)
    # Rules use no tokens, and cost nothing.
    assert (re.findall(r"<dt>(.*?)</dt>", waiting), "Tokens" in waiting) == (["Pieces to read"], False)
    assert "hx-get" not in waiting
    assert f'hx-get="{page(imported, "import_progress")}"' in text(mara.get(page(imported)))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("It rained.", ["the offline rules read this file", "No dates were found"]),
        (
            "2024-02-30\nIt rained.\n\n2024-03-01\nIt ended.",
            ["the offline rules read this file", "do not exist", "2024-02-30", "1 of 2 pieces has no date."],
        ),
        ("2024-03-01\nIt ended.", ["the offline rules read this file"]),
    ],
)
def test_before_reading_by_rules_the_page_says_what_they_will_miss(mara, bond, content, said):
    imported = taken(content, bond=bond)

    shown = text(mara.get(page(imported)))

    known = [
        "the offline rules read this file",
        "No dates were found",
        "do not exist",
        "2024-02-30",
        "1 of 2 pieces has no date.",
    ]
    assert [part for part in known if part in shown] == said


def test_a_pasted_text_has_a_name_that_says_nothing_of_it(mara, bond):
    send(mara, bond, text=DIARY)

    assert Import.objects.get().name == "Pasted text"


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": ""}, "Paste text or choose a file."),
        ({"text": "a", "file": SimpleUploadedFile("a.txt", b"a")}, "Choose a file or paste text, not both."),
        ({"file": SimpleUploadedFile("a.txt", b"")}, "This file is empty or has no text."),
        ({"file": SimpleUploadedFile("a.txt", "ü".encode("latin-1"))}, "This file is not in UTF-8."),
        ({"text": "a" * 500_001}, "at most 500000 characters"),
    ],
)
def test_what_cannot_be_taken_is_said_on_the_page(fields, sentence, mara, bond):
    answer = send(mara, bond, **fields)

    assert (answer.status_code, sentence in text(answer), Import.objects.count()) == (422, True, 0)


def test_a_file_that_is_too_large_is_not_read(mara, bond, monkeypatch):
    monkeypatch.setattr("chat.pages.memory.importing.import_form.BYTES_MOST", 3)

    answer = send(mara, bond, file=SimpleUploadedFile("a.txt", b"abcd"))

    assert "This file is too large; at most 50 MiB are read." in text(answer)
    assert BYTES_MOST == 50 * 2**20


@pytest.mark.usefixtures("long_minute")
def test_files_are_costly_here_too(mara, bond, settings):
    settings.RATES = settings.RATES | {"costly": 1}
    with time_machine.travel(NOW, tick=False):
        first = send(mara, bond, text=DIARY)
        second = send(mara, bond, text="Another text.")
        started_at = mara.post(f"{first['Location']}start/")

    assert (second.status_code, started_at.status_code) == (429, 429)
    assert ["Wait a minute" in text(answer) for answer in (second, started_at)] == [True, True]
    assert Import.objects.get().state == "waiting"


def test_refusals_are_translated(mara, bond):
    with translation.override("zh-hans"):
        answer = mara.post(
            reverse("imports", args=[bond.pk]),
            {"file": SimpleUploadedFile("a.txt", b" ")},
            headers={"Accept-Language": "zh-CN"},
        )

    assert "这个文件是空的，或者没有文字。" in text(answer)


def test_what_was_read_is_shown_piece_by_piece_with_its_words(mara, bond):
    fact = {"content": "The user has a white cat.", "source_quote": "I have a white cat called Nimbus."}
    imported = read(said(told(), thoughts=[thought()], facts=[fact]), bond=bond)

    shown = text(mara.get(page(imported)))

    for words in (
        CAT,
        "I have a white cat called Nimbus.",
        "They are fond of the cat.",
        "You have a white cat.",
        "1 event · 1 fact · 1 thought",
    ):
        assert words in shown
    # A fact has no importance.
    assert shown.count('class="impact"') == 2
    assert "hx-get" not in shown


def test_a_page_of_pieces_takes_the_same_queries_however_many(mara, bond, django_assert_num_queries):
    few = read(said(told()), bond=bond)
    paragraphs = [f"Page {number}. " + "x" * 1900 for number in range(25)]
    many = read(
        *[said(told(f"Page {number}.", quote=f"Page {number}.")) for number in range(25)],
        content="\n\n".join(paragraphs),
        bond=bond,
    )

    for imported in (few, many):
        with django_assert_num_queries(9):
            assert "?page=2" in text(mara.get(page(imported))) or imported == few


def test_progress_is_a_part_of_the_page_and_at_the_end_the_page_is_loaded_anew(mara, bond):
    imported = started(bond=bond)

    running = mara.get(page(imported, "import_progress"))
    read_on(imported, model(said(told())))
    done = mara.get(page(imported, "import_progress"))

    assert ("0 of 1 piece" in text(running), "HX-Refresh" in running) == (True, False)
    assert ("1 of 1 piece" in text(done), done["HX-Refresh"]) == (True, "true")


def test_a_piece_that_was_just_read_is_listed_once(mara, bond):
    imported = started(bond=bond)
    imported.chunks.update(state="done", read_at=timezone.now(), title="Notebook, page 1")

    assert text(mara.get(page(imported))).count("Notebook, page 1") == 1


def test_progress_goes_out_as_an_event_of_the_bond(bond):
    read(said(told()), bond=bond)

    told_of = [row for row in events.load_since(bond.pk, 0) if row.type == "memory.import.progress"]

    imported = Import.objects.get()
    assert frames.serialize_events(bond=bond, rows=told_of[-1:], now=NOW) == [
        {
            "type": "memory.import.progress",
            "at": frames.format_timestamp(NOW),
            "seq": told_of[-1].seq,
            "bond": bond.pk,
            "import": imported.pk,
            "done": 1,
            "total": 1,
            "writes": {"events": 1, "facts": 0, "thoughts": 0, "entities": 0, "dropped": 0},
            "state": "done",
        }
    ]


def test_stopping_and_going_on(mara, bond):
    imported = started(bond=bond)

    mara.post(page(imported, "cancel_import"))
    stopped = text(mara.get(page(imported)))
    mara.post(page(imported, "start_import"))

    imported.refresh_from_db()
    assert ("Stopped" in stopped, "Continue" in stopped, imported.state) == (True, True, "running")
    assert "Stop the import first." in text(mara.post(page(imported, "erase_import")))

    mara.post(page(imported, "cancel_import"))
    mara.post(page(imported, "erase_import"))

    assert not Import.objects.exists()


def test_a_failure_is_shown_with_its_reason(mara, bond):
    imported = read("no", "json", bond=bond)

    shown = text(mara.get(page(imported)))

    assert "1 of 1 piece could not be read." in shown
    assert "Try again" in shown
    assert "could not be read" in shown


def test_what_is_not_kept_cannot_go_on_and_says_so(mara, bond):
    imported = taken(bond=bond)
    imported.chunks.update(text="")

    answer = mara.post(page(imported, "start_import"))

    assert (answer.status_code, "The text of this file is no longer stored." in text(answer)) == (409, True)


def proposed(bond, **line):
    imported = read(said(about_user=[LINE | line]), bond=bond)
    return imported, Proposal.objects.get()


def test_a_message_is_added_to_the_text_by_a_click(mara, bond):
    blocks.save(holder=bond, label="user", content="Mara keeps bees.\n", user=bond.user, now=NOW)
    imported, proposal = proposed(bond)

    part = mara.post(page(imported, "accept_proposal", proposal.pk), headers={"HX-Request": "true"})
    again = mara.post(page(imported, "accept_proposal", proposal.pk))

    block = blocks.find(bond, "user")
    assert (block.content, block.version, block.updated_by) == (
        "Mara keeps bees.\nHas a white cat.",
        2,
        bond.user,
    )
    assert "Added" in text(part)
    assert again["Location"] == f"{page(imported)}#proposals"


def test_a_message_to_which_one_says_no_is_gone(mara, bond):
    imported, proposal = proposed(bond)

    part = mara.post(page(imported, "decline_proposal", proposal.pk), headers={"HX-Request": "true"})

    assert text(part).strip() == ""
    assert LINE["content"] not in text(mara.get(page(imported)))
    assert blocks.find(bond, "user") is None


def test_a_full_text_takes_no_message_and_says_so(mara, bond):
    blocks.save(holder=bond, label="user", content="a" * 4990, user=bond.user, now=NOW)
    imported, proposal = proposed(bond)

    part = mara.post(page(imported, "accept_proposal", proposal.pk), headers={"HX-Request": "true"})

    assert "The text about you is full. Shorten it first." in text(part)
    assert blocks.find(bond, "user").content == "a" * 4990


def test_what_a_file_says_is_text(mara, bond):
    nasty = "I have a <script>alert(1)</script> cat."
    imported = read(
        said(told(nasty, quote=nasty), about_user=[LINE | {"content": nasty, "source_quote": nasty}]),
        content=nasty,
        bond=bond,
        name='"><script>.txt',
    )

    shown = text(mara.get(page(imported)))

    assert "<script>alert" not in shown
    assert "&lt;script&gt;alert(1)" in shown


def test_the_timeline_shows_the_words_of_the_file(mara, bond):
    read(said(told()), bond=bond)

    shown = text(mara.get(reverse("bond_memories", args=[bond.pk])))

    assert "From an imported file" in shown
    assert '<q class="evidence__quote" dir="auto">I have a white cat called Nimbus.</q>' in shown


def test_a_stranger_finds_nothing(client, bond):
    imported, proposal = proposed(bond)
    charlie = BondFactory(user=UserFactory(username="charlie"))
    client.force_login(charlie.user)
    names = ["import", "import_progress"]
    wishes = [
        ("start_import",),
        ("cancel_import",),
        ("erase_import",),
        ("accept_proposal", proposal.pk),
        ("decline_proposal", proposal.pk),
    ]

    found = [client.get(page(imported, name)).status_code for name in names]
    found += [client.post(page(imported, *wish)).status_code for wish in wishes]
    found += [client.get(reverse("imports", args=[bond.pk])).status_code]
    for name, *more in [("import",), *wishes]:
        address = reverse(name, args=[charlie.pk, imported.pk, *more])
        found.append((client.get if name == "import" else client.post)(address).status_code)

    assert found == [404] * 14
    assert blocks.find(bond, "user") is None
    assert control.start(imported, now=NOW).state == "done"


def test_nobody_is_sent_to_sign_in(client, bond):
    answer = client.get(reverse("imports", args=[bond.pk]))

    assert answer["Location"].startswith(reverse("account_login"))
