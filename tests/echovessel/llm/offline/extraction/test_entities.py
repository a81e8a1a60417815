"""Which people and things of a session are known by which name."""

import pytest

from tests.support.extracting import extract

PLAIN = (
    "My husband Lars got a diagnosis of parkinsons on wednesday and I cried in the car",
    "I was so happy when our dog Pepper came home from the vet",
    "I hate my job at the post office so much that I cry every morning",
)


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("my sister Berit says wait until christmas but berit says wait about everything", "Berit"),
        ("my ex-wife Claire moved to Portugal afterwards. we don't speak much", "Claire"),
        ("the neurologist was a young man, Dr Okafor. kind", "Dr Okafor"),
    ],
)
def test_who_is_named_in_a_message_that_nobody_feels_much_about(said, name):
    people = [one["canonical_name"] for one in extract(*PLAIN, said)["mentioned_entities"] if one["kind"] == "person"]

    assert people == ["Lars", name]


def test_a_word_in_place_of_a_name_names_nobody():
    assert extract("my wife wants to call it something else, I love the old name")["mentioned_entities"] == [
        {"canonical_name": "wife", "kind": "person", "aliases": [], "in_events": [0], "description": None}
    ]


@pytest.mark.parametrize(
    ("said", "people"),
    [
        ("Priya dumped me over text", ["Priya"]),
        ("楼上的王阿姨天天给我送饺子", ["王阿姨"]),
        ("my favourite is Walter, he's 91", ["Walter"]),
        ("our Kelly's having a baby, i'll be a nan", ["Kelly"]),
        ("my friend's dad died", []),
        ("a girl at work told her mum she's pregnant", []),
        ("the father fainted and I was so scared", []),
        ("my sister's husband left her", ["sister"]),
        ("my mother-in-law died", []),
        ("my brother Peter works nights. his wife is Sandra", ["Peter", "Sandra"]),
        ("will you ring the bell in Victoria Street on a may morning", []),
        ("ma wrist is swollen", []),
        ("my brothers forgot my birthday", []),
        ("Saw my sister Ana in town. Called our dad and cried", ["Ana"]),
        ("Biscuit our dog died. Ben my brother came", ["Biscuit", "Ben"]),
        ("we don't talk much, me and Graham", ["Graham"]),
        ("Last week Tom rang and I cried for an hour", ["Tom"]),
        ("I teach year 4 in Leeds and I've got a class of thirty, they are exhausting", []),
        ("Stephen came round and I cried for an hour", ["Stephen"]),
        ("Everyone said no and Nobody rang. Wife said go on", ["wife"]),
        ("I cried: I promised mum I would call her every Sunday", ["mum"]),
        ("Kola says it is because of a boy in his year called Ryan Pike", ["Ryan Pike", "Kola"]),
    ],
)
def test_who_does_what_only_people_do_is_known(said, people):
    assert [(one["canonical_name"], one["aliases"]) for one in extract(said)["mentioned_entities"]] == [
        (name, []) for name in people
    ]


def test_what_a_thing_is_called_names_no_relative_that_is_spoken_of():
    found = extract("I cried: we picked a care home for my mum, it's called Ashgrove")["mentioned_entities"]

    assert {one["canonical_name"]: one["kind"] for one in found} == {"Ashgrove": "other", "mum": "person"}
