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
        ("my mother-in-law died", ["mother-in-law"]),
        ("my brother Peter works nights. his wife is Sandra", ["Peter", "Sandra"]),
        ("will you ring the bell in Victoria Street on a may morning", []),
        ("ma wrist is swollen", []),
        ("my brothers forgot my birthday", []),
        ("Saw my sister Ana in town. Called our dad and cried", ["Ana", "dad"]),
        ("Biscuit our dog died. Ben my brother came", ["Biscuit", "Ben"]),
        ("we don't talk much, me and Graham", ["Graham"]),
        ("Last week Tom rang and I cried for an hour", ["Tom"]),
        ("I teach year 4 in Leeds and I've got a class of thirty, they are exhausting", ["Leeds"]),
        ("My new lad at the bakery, Josh, is useless", ["Josh"]),
        ("April is my sister", ["April"]),
        ("May came round for tea", ["May"]),
        ("I'll see Will tomorrow and I'm scared", ["Will"]),
        ("Rose was furious with me", ["Rose"]),
        ("我发小大壮要当爸爸了", ["大壮"]),
        ("Big Dave ate my cheese", ["Big Dave"]),
        ("Auntie Pat came for dinner", ["Auntie Pat"]),
        ("Luis made me tacos and his grandma, abuela Carmen, cried", ["Luis", "Carmen"]),
        ("I'm reading Emma by Jane Austen and I love it", []),
        ("I love Für Elise", []),
        ("I argued with Ingrid about the bins", ["Ingrid"]),
        ("班主任刘老师找我谈话了", ["刘老师"]),
        ("同桌王浩抄我作业", ["王浩"]),
        ("老李在小区当保安队长", ["老李"]),
        ("月嫂不做了，我去家政学校当老师", []),
        ("婆婆今天又跟我吵架了", ["婆婆"]),
        ("刘姐请我吃饭", ["刘姐"]),
        ("张总又骂人了", ["张总"]),
        ("对方总是迟到，我很生气", []),
        ("同事芳姐给我介绍了工作", ["芳姐"]),
        ("我空姐没考上，很难过", []),
        ("昨天跟阿May吵架了", ["阿May"]),
        ("二胖说我配不上她，这孙子", ["二胖"]),
        ("家里催我找对象，好烦", []),
        ("小李大叫一声，吓死我了", ["小李"]),
        ("阿珍的女儿考上大学了，我好羡慕", ["阿珍"]),
        ("我老公的妹妹要来住一个月", ["老公"]),
        ("Stephen came round and I cried for an hour", ["Stephen"]),
        ("Everyone said no and Nobody rang. Wife said go on", ["wife"]),
        ("I cried: I promised mum I would call her every Sunday", ["mum"]),
        ("Kola says it is because of a boy in his year called Ryan Pike", ["Ryan Pike", "Kola"]),
    ],
)
def test_who_does_what_only_people_do_is_known(said, people):
    assert [one["canonical_name"] for one in extract(said)["mentioned_entities"]] == people


@pytest.mark.parametrize(
    ("said", "kinds"),
    [
        ("my car, Betty, broke down", {"Betty": "other"}),
        ("Monty, Gill's cat, sleeps on me", {"Monty": "pet", "Gill": "person"}),
        ("I drove to Limerick to see my sister", {"Limerick": "place", "sister": "person"}),
        ("I work at a bank in Charlotte", {"Charlotte": "place"}),
        ("I got a job at Marks and Spencer", {"Marks and Spencer": "org"}),
        (
            "My nan is in a care home in York called Willow House",
            {"nan": "person", "Willow House": "org", "York": "place"},
        ),
        ("I cried at Emma's in July", {"Emma": "person"}),
        ("我女儿考上了武汉大学", {"武汉大学": "org", "女儿": "person"}),
        ("我在星巴克上班", {"星巴克": "org"}),
        ("我的车叫小白，开了十年了", {"小白": "other"}),
        ("我姐夫是德国人", {"姐夫": "person"}),
    ],
)
def test_what_a_name_is_of_is_told_by_the_words_around_it(said, kinds):
    assert {one["canonical_name"]: one["kind"] for one in extract(said)["mentioned_entities"]} == kinds


def test_what_a_thing_is_called_names_no_relative_that_is_spoken_of():
    found = extract("I cried: we picked a care home for my mum, it's called Ashgrove")["mentioned_entities"]

    assert {one["canonical_name"]: one["kind"] for one in found} == {"Ashgrove": "other", "mum": "person"}
