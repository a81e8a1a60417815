"""Answers a question of the past that memory is not sure of: as something believed, as something near, or as unknown."""

from types import ModuleType

from echovessel.llm.inputs import Certainty
from echovessel.llm.offline.reply import known_facts, memory_sentences, retrieval
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.saying_choice import SayingChoice
from echovessel.llm.offline.text import lexicon

_UNSURE = (Certainty.UNSURE, Certainty.TIP, Certainty.UNKNOWN)


def hedge(context: ReplyContext, wording: SayingChoice, words: ModuleType, asked: str) -> str:
    """Answer by how sure memory is, with a question back; "" where it is sure, or a noted fact answers."""
    if context.certainty not in _UNSURE or known_facts.find_of_slot(context, asked):
        return ""
    found = retrieval.find_answers(context, asked)
    if found and (found[0].is_stated_earlier or any(one.is_noted and one.is_sufficient for one in found)):
        return ""
    if context.certainty is Certainty.UNSURE:
        return _say_of(found[0].memory, "believed", wording, words) if found else ""
    if lexicon.matches("ASKS_EVERYTHING", asked):
        return ""
    near = found[0].memory if found else retrieval.find_alike(context, asked)
    return _say_of(near, "near", wording, words) if near else wording.choose("never_told")


def _say_of(memory: Memory, kind: str, wording: SayingChoice, words: ModuleType) -> str:
    quote = memory_sentences.cite(memory.text)
    return wording.choose(kind, quote=quote, **memory_sentences.say_when(memory, words))
