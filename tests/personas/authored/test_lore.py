import pytest

from echovessel import tokens
from personas.authored import lore
from personas.authored.lore import LORE_TOKENS, OfferedLore


def entry(content="Told.", *keys, **more):
    return OfferedLore(content=content, keys=keys or ("hive",), **more)


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("hive", "The hive is loud.", True),
        ("hive", "hive", True),
        ("hive", "Beehives are loud.", False),
        ("hive", "The archive.", False),
        ("hive", "Archive? No: hive.", True),
        ("hive three", "At Hive Three".casefold(), True),
        ("c++", "I write c++ now.", True),
        ("蜂箱", "我家的蜂箱很吵", True),
        ("hive", "那个hive很吵", True),
        ("蜂", "hive蜂hive", True),
        ("ねこ", "白いねこがいる", True),
        ("비밀", "그 비밀을 안다", True),
        ("", "anything", False),
        (" ", "anything", False),
        ("a", "an apple", False),
        ("a", "a", True),
    ],
)
def test_a_key_occurs_as_whole_words_and_inside_chinese(key, text, found):
    assert lore.occurs_as_word(key, text) is found


def test_keys_are_found_in_any_case_unless_they_are_case_sensitive():
    assert lore.choose([entry("A."), entry("B.", "Hive", case_sensitive=True)], "The HIVE.") == ["A."]
    assert lore.choose([entry("B.", "Hive", case_sensitive=True)], "A Hive.") == ["B."]


def test_a_selective_entry_needs_one_of_its_secondary_keys_too():
    one = entry("A.", secondary_keys=["angry", "loud"], selective=True)

    assert lore.choose([one], "The hive.") == []
    assert lore.choose([one], "The hive is loud.") == ["A."]
    assert lore.choose([entry("A.", secondary_keys=["angry"])], "The hive.") == ["A."]
    assert lore.choose([entry("A.", selective=True)], "The hive.") == ["A."]


def test_constant_entries_need_no_key():
    assert lore.choose([entry("A.", constant=True)], "Nothing.") == ["A."]


def test_entries_are_told_in_their_order():
    offered = [entry("second", insertion_order=2, priority=9), entry("first", insertion_order=1)]

    assert lore.choose(offered, "hive") == ["first", "second"]


def test_what_does_not_fit_is_left_out_by_priority_constants_first():
    half = "word " * 500
    assert LORE_TOKENS / 2 < tokens.estimate(half.strip()) <= LORE_TOKENS
    low, high = entry(f"low {half}", priority=1), entry(f"high {half}", priority=5)
    constant = entry(f"constant {half}", constant=True)

    assert [text.split()[0] for text in lore.choose([low, high], "hive")] == ["high"]
    assert [text.split()[0] for text in lore.choose([low, high, constant], "hive")] == ["constant"]


def test_a_shorter_entry_fills_what_a_longer_one_left():
    long, short = entry("word " * 2000, priority=5), entry("short", priority=1)

    assert lore.choose([long, short], "hive") == ["short"]


def test_keys_that_match_everything_fill_no_more_than_the_bound():
    offered = [entry("word " * 100, "the", "a", "e") for _ in range(100)]

    told = lore.choose(offered, "the a e " * 5000)

    assert 0 < sum(map(tokens.estimate, told)) <= LORE_TOKENS


def test_lines_for_programs_are_not_told():
    assert lore.choose([entry("@@depth 4\n@@role system\nLoud.\n@@kept")], "hive") == ["Loud.\n@@kept"]
    assert lore.choose([entry("@@depth 4")], "hive") == []
