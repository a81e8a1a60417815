import pytest
from django.urls import reverse

from personas.authored import lore_entries
from personas.models import LoreEntry
from personas.models.lore import LORE_MOST
from tests.support.factories import BondFactory, PersonaFactory, UserFactory
from tests.support.markup import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def bond():
    return BondFactory(user__username="mara")


@pytest.fixture
def entry(bond):
    fields = {"keys": ["Hive Three", "蜂箱"], "content": "The angry one.", "case_sensitive": None, "use_regex": False}
    return lore_entries.add(persona=bond.persona, fields=fields)


def address(name, bond, *more):
    return reverse(name, args=[bond.pk, *more])


def given(prefix, **fields):
    return {f"{prefix}-{name}": value for name, value in fields.items()}


def test_an_entry_is_added_with_a_key_on_each_line(mara, bond):
    sent = given("new", keys=" Hive \r\n\r\n蜂箱", content="One.\r\nTwo.", enabled="on", priority="3")

    assert mara.post(address("add_lore", bond), sent).status_code == 302

    added = LoreEntry.objects.get()
    assert (added.keys, added.folded_keys, added.content) == (["Hive", "蜂箱"], ["hive", "蜂箱"], "One.\nTwo.")
    assert (added.place, added.priority, added.enabled, added.constant, added.selective) == (0, 3, True, False, False)
    assert (added.case_sensitive, added.kept) == (None, {})


def test_an_entry_is_changed_and_what_the_page_does_not_show_stays(mara, bond, entry):
    LoreEntry.objects.update(insertion_order=7, kept={"position": "after_char"}, selective=True)

    mara.post(
        address("save_lore", bond, entry.pk),
        given(f"entry-{entry.pk}", keys="hive", content="Calm.", constant="on", case_sensitive="on"),
    )

    entry.refresh_from_db()
    assert (entry.keys, entry.content, entry.constant, entry.enabled) == (["hive"], "Calm.", True, False)
    assert (entry.case_sensitive, entry.insertion_order, entry.selective) == (True, 7, True)
    assert entry.kept == {"position": "after_char"}


def test_an_entry_is_deleted(mara, bond, entry):
    assert mara.post(address("delete_lore", bond, entry.pk)).status_code == 302
    assert LoreEntry.objects.count() == 0


def test_entries_are_found_by_key_and_content(mara, bond, entry):
    lore_entries.add(persona=bond.persona, fields={"keys": ["cellar"], "content": "Dark."})

    for query, found in (("HIVE", 1), ("dark", 1), ("nothing", 0), ("", 2)):
        answer = mara.get(address("lore", bond), {"q": query})
        assert len(answer.context["entries"]) == found


def test_a_page_has_twenty_entries(mara, bond, django_assert_max_num_queries):
    for n in range(21):
        lore_entries.add(persona=bond.persona, fields={"keys": [f"k{n}"], "content": "x"})

    with django_assert_max_num_queries(12):
        first = mara.get(address("lore", bond))

    assert [len(mara.get(address("lore", bond), {"page": n}).context["entries"]) for n in (1, 2)] == [20, 1]
    assert "Page 1 of 2" in markup_of(first)


@pytest.mark.parametrize(
    ("fields", "name", "said"),
    [
        (
            {"keys": "k", "content": "x" * 2001},
            "content",
            "Ensure this value has at most 2000 characters (it has 2001).",
        ),
        ({"keys": "k", "content": " "}, "content", "This field is required."),
        ({"keys": "k" * 101, "content": "x"}, "keys", None),
        ({"keys": "k\n" * 51, "content": "x"}, "keys", None),
        ({"keys": "k", "content": "x", "priority": "high"}, "priority", "Enter a whole number."),
    ],
)
def test_what_an_entry_cannot_be_is_told_at_its_field(fields, name, said, mara, bond, entry):
    keys = "At most 50 keys of 100 characters are allowed, one on each line."
    for url, prefix in (("add_lore", "new"), ("save_lore", f"entry-{entry.pk}")):
        more = [entry.pk] if url == "save_lore" else []
        answer = mara.post(address(url, bond, *more), given(prefix, **fields))

        forms = [answer.context["new"], *(form for _, form in answer.context["entries"])]
        assert answer.status_code == 422
        assert [form.errors for form in forms if form.errors] == [{name: [said or keys]}]
    assert LoreEntry.objects.get().content == "The angry one."


def test_a_persona_has_a_thousand_entries_and_no_more(mara, bond):
    LoreEntry.objects.bulk_create(LoreEntry(persona=bond.persona, place=n, content="x") for n in range(LORE_MOST - 1))
    sent = given("new", keys="k", content="x", enabled="on")

    assert mara.post(address("add_lore", bond), sent).status_code == 302
    answer = mara.post(address("add_lore", bond), sent)

    assert (answer.status_code, LoreEntry.objects.count()) == (422, LORE_MOST)
    assert "A companion can have 1000 lore entries. Delete one first." in markup_of(answer)


def test_keys_that_are_patterns_are_said_to_be_unused(mara, bond, entry):
    lore_entries.change(entry=entry, fields={"use_regex": True})

    assert "regular expressions" in markup_of(mara.get(address("lore", bond)))
    assert LoreEntry.objects.get().folded_keys == []


def test_nobody_else_reads_or_writes_lore(client, entry):
    bond = BondFactory(user__username="charlie", persona=entry.persona)
    entry.persona.visibility = "shared"
    entry.persona.save()
    own = BondFactory(user=bond.user, persona=PersonaFactory(owner=bond.user))
    client.force_login(bond.user)

    assert client.get(address("lore", bond)).status_code == 404
    for name, more in (("add_lore", []), ("save_lore", [entry.pk]), ("delete_lore", [entry.pk])):
        assert client.post(address(name, bond, *more), {}).status_code == 404
    for name in ("save_lore", "delete_lore"):
        assert client.post(address(name, own, entry.pk), {}).status_code == 404
    client.force_login(UserFactory(username="dora"))
    assert client.get(address("lore", bond)).status_code == 404
    assert LoreEntry.objects.count() == 1
