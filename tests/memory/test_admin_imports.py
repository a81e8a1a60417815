import pytest
from django.contrib.auth.models import Permission

from memory.importing import control
from memory.models import Import, ImportChunk
from tests.memory.importing.files import CAT, read, said, started, taken, thought, told
from tests.support.factories import NOW, UserFactory

pytestmark = pytest.mark.django_db

PROPOSED = {"content": "Has a cat.", "source_quote": "I have a white cat called Nimbus."}


@pytest.fixture
def operator(client):
    client.force_login(UserFactory(username="lin", is_staff=True, is_superuser=True))
    return client


def limited(client, *codenames):
    user = UserFactory(username="teo", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=codenames))
    client.force_login(user)


def act(client, action, *rows):
    ticked = {"action": action, "_selected_action": [row.pk for row in rows]}
    return client.post("/admin/memory/import/", ticked, follow=True).content.decode()


def state(imported):
    return Import.objects.get(pk=imported.pk).state


def test_an_import_shows_what_was_written_and_proposed(operator):
    imported = read(said(told(), thoughts=[thought()], about_user=[PROPOSED]))

    page = operator.get(f"/admin/memory/import/{imported.pk}/change/").content.decode()

    told_there = (
        "diary.txt",
        "1 of 1",
        "1 events, 0 facts, 1 thoughts",
        CAT,
        "They are fond of the cat.",
        "Has a cat.",
    )
    assert [one in page for one in told_there] == [True] * 6
    assert "He jumps on my face at night." not in page


def test_an_import_shows_which_pieces_failed_and_why(operator):
    imported = taken()
    imported.chunks.update(state=ImportChunk.State.FAILED, error="model_bad_answer: no JSON", title="Nimbus")
    imported.fail(code="model_bad_answer", detail="1 of 1 pieces could not be read.", now=NOW, again=False)
    imported.save()

    page = operator.get(f"/admin/memory/import/{imported.pk}/change/").content.decode()

    assert [one in page for one in ("1 of 1 pieces could not be read.", "model_bad_answer: no JSON", "Nimbus")] == [
        True
    ] * 3


def test_imports_are_found_by_name_state_and_number(operator):
    diary = taken()
    letters = control.start(taken("Dear Ann,", bond=diary.bond, name="letters.md"), now=NOW)

    found = []
    for query in ("q=LETTER", f"q={diary.pk}", "state__exact=running", "state__exact=failed"):
        page = operator.get(f"/admin/memory/import/?{query}").content.decode()
        found.append([f"/import/{one.pk}/change/" in page for one in (diary, letters)])

    assert found == [[False, True], [True, False], [False, True], [False, False]]


def test_imports_are_stopped_and_read_on(operator):
    imported = started()

    assert "1 stopped" in act(operator, "cancel", imported)
    assert state(imported) == "cancelled"
    assert "Importing again: 1." in act(operator, "read_on", imported)
    assert state(imported) == "running"


def test_what_is_done_or_not_kept_is_not_read_again(operator):
    done = read(said(told()))
    emptied = taken("Dear Ann,", bond=done.bond, name="letters.md")
    emptied.chunks.update(text="")

    page = act(operator, "read_on", done, emptied)

    assert ("Importing again: 0." in page, "is no longer stored" in page) == (True, True)
    assert (state(done), state(emptied)) == ("done", "waiting")


def test_those_who_may_only_look_start_and_stop_nothing(client):
    imported = started()
    limited(client, "view_import", "see_others_memory")

    page = act(client, "cancel", imported)

    assert (f"/import/{imported.pk}/change/" in page, state(imported)) == (True, "running")
