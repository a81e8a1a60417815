"""No text, however it is made, takes longer than its length warrants: whatever reads text from outside is asked with shapes that make
patterns and loops back up, at one length and at twice that length."""

from datetime import date
from itertools import product

import pytest

from echovessel import materials, periods, text
from echovessel.llm import answers
from echovessel.llm.inputs import DraftInputs, ImportInputs, NumberedEvent, ReflectedEvent, ReflectionInputs
from echovessel.llm.offline import rules
from echovessel.llm.offline.extraction import aliases
from echovessel.llm.offline.text import changes, feelings, names
from memory.consolidation.transcript import split
from memory.facts.checks import told_parts
from memory.importing import chunks
from memory.messages import secrets
from memory.models.sessions import cut_to_title
from memory.recall import line_scoring, query_intent
from memory.search import snippets
from personas.authored import placeholders
from personas.drafts import from_card
from tests.support.extracting import inputs_of
from tests.support.growth import grows_too_fast
from tests.support.reply_inputs import inputs, told

TODAY = date(2026, 11, 21)
# The longest line that can be said; and less of what takes its time whatever it reads.
LENGTH, OF_SENTENCES = 20_000, 6_000
# The offline voice hears so much of a message: of more it would read the same twice.
HEARD = 2000
# What is repeated, and what stands before and behind it, so that what almost matches does not.
SHAPES = [
    " ", "\n", "\t ", "　", "a", "A", "Aa", "Aa ", "aa ", "a-", "a'", "'s ", "我", "在", "的", "我的", "妈妈", "妈妈的", "是大家", "小名叫",
    "1", "1 ", "1-", "12.", "2026-", "3月", "(", "“", "**", "- ", "- a", "#", "# ", "a: ", ": ", "：", "<", "<START>", "{{", "{{//", "{{ char ",
    ", ", "，", ".", "! ", "哈", "haha", "嗯。", "mom's dead ", "my mother's ", "Lin's ", "I am not ", "the ", "and ", "last week of the ", "may ",
    "code is ", "password ", "-----BEGIN PRIVATE KEY-----", "our our ", "call ", "she ", "姐姐叫", "其实是", "不是", "我在", "请", "A b ",
]  # fmt: skip
FRAMES = [("", ""), ("a", "b"), ("Name:", "x*"), ("我叫", "!"), ("<START>", "\n"), ("I ", "?")]


# These are slow whatever they read: each shape has one frame.
BY_SENTENCE = {
    "reply",
    "reply about what is remembered",
    "extraction",
    "reflection",
    "import",
    "names",
    "feelings",
    "changes",
    "periods",
    "fit",
    "snippet",
    "aliases",
    "parts told",
}
# Of these half of the text takes a quarter of the floor or more.
SLOW = {"reply", "reply about what is remembered", "extraction", "import"}
READERS = {
    "reply": lambda words: rules.answer(inputs(words)),
    "reply about what is remembered": lambda words: rules.answer(inputs("my cat?", recalled=[told(words, days=1)])),
    "extraction": lambda words: rules.answer(inputs_of(words)),
    "reflection": lambda words: rules.answer(ReflectionInputs((ReflectedEvent(1, 3, words),))),
    "import": lambda words: rules.answer(ImportInputs(words)),
    "draft": lambda words: rules.answer(DraftInputs(words)),
    "feelings": feelings.find_feelings,
    "names": names.find,
    "aliases": lambda words: aliases.find_aliases(inputs_of(words)),
    "parts told": lambda words: told_parts.divide(words, words),
    "changes": lambda words: changes.find_superseded(words, [NumberedEvent(1, TODAY, words)]),
    "periods": lambda words: periods.find_periods(words, today=TODAY),
    "secrets": secrets.mask,
    "what a question asks": query_intent.detect_intent,
    "small talk": query_intent.is_small_talk,
    "fit": lambda words: line_scoring.parse_query(words, user="Mara", persona="Marian", today=TODAY),
    "words of a memory": text.split_words,
    "terms": text.extract_terms,
    "numbers": lambda words: text.find_numbers(text.fold(words)),
    "search terms": text.extract_search_terms,
    "snippet": lambda words: snippets.build_snippet(words, snippets.SnippetQuery(f"a{words[:200]}")),
    "title": cut_to_title,
    "parts of a line": lambda words: list(split(words, most=1000)),
    "pieces of a file": lambda words: chunks.cut(materials.parse("a.txt", b"a" + words.encode())),
    "a pasted chat": lambda words: materials.parse("a.txt", b"You: a\nAI: b\nYou: c\nAI: d\n" + words.encode()),
    "a table": lambda words: materials.parse("a.csv", b"a,b\nc,d" + words.encode()),
    "a card": lambda words: from_card.make_draft({"name": "Bo", "description": words, "mes_example": words, "first_mes": words}),
    "placeholders": lambda words: placeholders.fill(words, character="Bo", user="Mara"),
    "a model's answer": answers.strip_fence,
    "a model's answer that breaks off": lambda said: answers.close("{" + said),
}  # fmt: skip


def shaped(shape, frame, length):
    before, behind = frame
    return before + (shape * (length // len(shape) + 1))[:length] + behind


@pytest.mark.parametrize("name", READERS)
def test_twice_the_text_takes_at_most_three_times_as_long(name):
    reader, is_by_sentence = READERS[name], name in BY_SENTENCE
    # What is made once, as patterns are, is not counted.
    reader("My cat is called Nimbus. 我的猫叫小黑。")

    framed = (
        [(shape, FRAMES[at % len(FRAMES)]) for at, shape in enumerate(SHAPES)]
        if is_by_sentence
        else product(SHAPES, FRAMES)
    )
    length = HEARD if name == "reply" else OF_SENTENCES if is_by_sentence else LENGTH

    def grows(shape, frame):
        half, whole = shaped(shape, frame, length // 2), shaped(shape, frame, length)
        return grows_too_fast(reader, half, whole, is_slow=name in SLOW)

    assert [one for one in framed if grows(*one)] == []
