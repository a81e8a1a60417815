"""Find the question that a burst which narrates may put to the companion.

Who tells of their day tells of questions, too: what others asked, and what one wondered. Only what the message ends with
is asked now, or what speaks of what the two have shared.
"""

import re

from echovessel import text
from memory.knowing import references
from memory.recall import narration, scoring

_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]+[”\"'’」]*|[^.!?。！？\n]+$")
_MARK = re.compile(r"[?？]")
_CHINESE_COMMA = re.compile("[，,](?=[^，,]*$)")


def cut_to_question(said: str) -> str:
    """Cut a burst that narrates to what it may ask: its end, and sentences about what was shared. Other bursts stay as they are."""
    if not narration.is_narration(scoring.build_term_bag(text.extract_terms(said))):
        return said
    *earlier, last = [sentence for sentence in _SENTENCE.findall(said) if sentence.strip()]
    shared = [one for one in earlier if _MARK.search(one) and references.refers_to_shared_past(text.fold(one))]
    return "".join([*shared, cut_to_last_clause(last)])


def cut_to_last_clause(sentence: str) -> str:
    """Leave the last clause of a Chinese sentence without a question mark, as its commas part what English parts by full stops."""
    if _MARK.search(sentence) or not text.has_cjk(sentence):
        return sentence
    return _CHINESE_COMMA.split(sentence)[-1]
