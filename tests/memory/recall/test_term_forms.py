import pytest

from memory.recall import term_forms


@pytest.mark.parametrize(
    ("term", "common"),
    [
        ("went", "go"),
        ("goe", "go"),
        ("taught", "teach"),
        ("children", "child"),
        ("gran", "grandmoth"),
        ("op", "oper"),
        ("boat", "boat"),
        ("left", "left"),
    ],
)
def test_forms_of_a_word_share_one_term(term, common):
    assert term_forms.normalize_term(term) == common


def test_a_term_is_looked_for_in_all_its_forms():
    assert term_forms.expand_term("went") == term_forms.expand_term("go") == ["go", "goe", "gone", "went"]
    assert term_forms.expand_term("boat") == ["boat"]
    assert {"mum", "mother"} <= set(term_forms.expand_term("mother")) | {"mother"}
    assert term_forms.expand_terms(["boat", "won"]) == {"boat", "won", "win"}
