"""Leaves out of an answer what has nothing to do with the question."""

import re
from dataclasses import replace

from echovessel.llm.offline.reply.asking import content_words, evidence, question_kinds
from echovessel.llm.offline.reply.recall import weighing
from echovessel.llm.offline.reply.recall.weighing import FoundAnswer
from echovessel.llm.offline.text import changes, lexicon, names, referents, sentences

# A sentence of more letters is cut to so many clauses.
_LONG, _KEPT, _BARE = 240, 2, 3
_CLAUSE = re.compile(r"(?<=[,，;；])")
OF_SOMEBODY = re.compile(r"\W*(?:she|he|they)\b|[他她]", re.IGNORECASE)


def narrow(told: FoundAnswer, question: str, kind: str) -> FoundAnswer:
    """Leave out what has nothing to do with the question, but for who is told of behind it: "Didn't get the promotion. It went to Brad."."""
    narrowed = _narrow(told, question, kind)
    text, said = narrowed.memory.text, sentences.split(told.memory.text)
    if not question_kinds.WHO.search(question) or text not in said[:-1] or _tells_somebody(text):
        return narrowed
    behind = said[said.index(text) + 1]
    gap = "" if lexicon.is_chinese(text) else " "
    return (
        replace(narrowed, memory=replace(narrowed.memory, text=text + gap + behind))
        if _tells_somebody(behind)
        else narrowed
    )


def _narrow(told: FoundAnswer, question: str, kind: str) -> FoundAnswer:
    """Leave out the sentences of an answer that have nothing to do with the question; "he is called Nimbus" goes with those before."""
    said = sentences.split(told.memory.text)
    if sentences.is_question(said[0]):
        # A question and its answer, and nothing that was said later.
        text = told.memory.text if len(said) < _BARE or not told.memory.is_joined else " ".join(said[:2])
        return replace(told, memory=replace(told.memory, text=text))
    if kind == "their_likes" and (liked := [one for one in said if evidence.has_evidence(one, kind)]):
        # "She likes old maps", whatever else was told of her.
        return replace(told, memory=replace(told.memory, text=" ".join(liked)))
    bearing: list[str] = []
    if alone := evidence.find_whole_answer(said, told.memory.text, question, kind):
        text = alone if kind else sentences.add_fragments(alone, said)
        return replace(told, memory=replace(told.memory, text=text))
    asked = content_words.list_all(question)
    # A day or a name in another sentence says nothing where the one that bears on the question has its own.
    standing = [one for one in said if weighing.score(one, question) and not changes.tells_end(one)]
    is_said = any(evidence.has_evidence(one, kind) for one in standing)
    for at, one in enumerate(said):
        is_near = bearing[-1:] == said[at - 1 : at] or asked & content_words.list_all(one)
        is_reply = question_kinds.SAID_BY_OTHER.search(question) and question_kinds.SAYING.search(one)
        goes_on = bool(bearing and is_near) and (
            is_reply or referents.refers_to(bearing[-1], one, is_named=told.is_named)
        )
        is_beside = is_said and not (changes.is_correction(one) or changes.puts_off(one))
        has_evidence = evidence.has_evidence(one, kind)
        bears = weighing.score(one, question) and (
            has_evidence or not (is_beside and kind in question_kinds.NEEDS_EVIDENCE)
        )
        if bears or (not is_beside and has_evidence) or goes_on:
            is_who = question_kinds.WHO.search(question) and OF_SOMEBODY.match(one)
            is_of_last = is_who or question_kinds.SAYS_OF_WHAT.search(one)
            if at and is_of_last and said[at - 1] not in bearing:
                bearing.append(said[at - 1])
            bearing.append(one)
    verb = content_words.find_verb(question)
    if verb and (doing := [one for one in bearing if verb in one or changes.is_correction(one)]):
        before = bearing[: bearing.index(doing[0])] if not weighing.score(doing[0], question) else []
        bearing = [*[one for one in before if weighing.score(one, question)][-1:], *doing]
    gap = "" if lexicon.is_chinese(told.memory.text) else " "
    text = gap.join(_cut_out(one, question, kind) for one in bearing or said)
    # "So the camping." says nothing without what follows.
    is_bare = lexicon.count_words(text) <= _BARE and not evidence.has_evidence(text, kind)
    is_whole = is_bare or (len(bearing) in (0, len(said)) and all(one in text for one in said))
    return told if is_whole else replace(told, memory=replace(told.memory, text=text))


def _tells_somebody(sentence: str) -> bool:
    return bool(names.find(sentence) or lexicon.find_kin(sentence))


def _cut_out(sentence: str, question: str, kind: str) -> str:
    """Return of a very long sentence what bears on the question: the clause that says most of it, and what follows."""
    if sentences.measure_width(sentence) <= _LONG:
        return sentence
    clauses_of = _CLAUSE.split(sentence)
    fits = [
        weighing.score(one, question) + weighing.EVIDENCE_FIT * evidence.has_evidence(one, kind) for one in clauses_of
    ]
    at = fits.index(max(fits))
    return "".join(clauses_of[at : at + _KEPT]).strip(" ,，;；") if fits[at] else sentence
