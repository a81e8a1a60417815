import re
from importlib import import_module

import pytest

from echovessel import lazy_re


def test_a_pattern_acts_as_a_compiled_one():
    said = "Lin met lin and Lina."
    pattern, compiled = (module.compile(r"\b(?P<name>lin)\b", re.IGNORECASE) for module in (lazy_re, re))

    for _ in range(2):
        assert (pattern.pattern, pattern.flags, pattern.groups) == (compiled.pattern, compiled.flags, compiled.groups)
        assert pattern.search(said, 4)["name"] == compiled.search(said, 4)["name"] == "lin"
        assert (pattern.fullmatch(said), pattern.match(said).span()) == (None, (0, 3))
        assert [found.span() for found in pattern.finditer(said)] == [found.span() for found in compiled.finditer(said)]
        assert (pattern.findall(said), pattern.split(said)) == (compiled.findall(said), compiled.split(said))
        assert (pattern.sub("Mo", said), pattern.subn("", said)) == (compiled.sub("Mo", said), compiled.subn("", said))
        with pytest.raises(AttributeError):
            pattern.find(said)


def test_an_error_shows_when_a_pattern_is_used_or_all_are_compiled():
    broken = lazy_re.compile("(")

    with pytest.raises(re.error, match="unterminated"):
        broken.search("a")
    with pytest.raises(re.error, match="unterminated"):
        lazy_re.compile_all()


def test_every_pattern_compiles():
    # What pages, sockets and turns import.
    import_module("echovessel.urls")

    lazy_re.compile_all()
