"""Lists what the user told, as statements: sentences, what was told of one thing together, and questions with their answers."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

from echovessel.llm.offline.reply import question_kinds
from echovessel.llm.offline.reply.context import LOADED, Memory, ReplyContext
from echovessel.llm.offline.text import changes, clauses, lexicon, names, sentences, topics

# How many messages later something is set right.
_SET_RIGHT_WITHIN = 6
# Who asks tells nothing.
_ASKS = (sentences.is_question, clauses.asks_to_forget, partial(lexicon.matches, "REQUEST"))


def list_told(context: ReplyContext) -> Iterator[Memory]:
    """Yield what was told, the oldest first: single sentences, and those about one thing together."""
    yield from list_written(context)
    taken_back = changes.find_taken_back([line.text for line in context.user_messages])
    before = [memory.text for memory in (*context.memories, *context.quotes)]
    standing = [line for at, line in enumerate(context.user_messages) if at not in taken_back]
    for lines in (context.quotes, standing):
        joined = _join_by_topic(lines)
        for at, line in enumerate(lines):
            said = [*list_said([line])]
            yield from said
            if len(said) > 1:
                yield Memory(line.age, " ".join(one.text for one in said))
            earlier = [*before, *(one.text for one in lines[:at])] if lines is standing else []
            if earlier and (together := _join_to_line(earlier, said)):
                yield together
            yield from joined.get(at, ())


def _join_to_line(lines: Sequence[str], said: Sequence[Memory]) -> Memory | None:
    """Join what sets right the line before it, denies a word of one shortly before or puts one off; or names whom that asks for: "What's my nan called? It's Dorothy."."""
    if not said:
        return None
    *_, before = lines
    wrong = next((line for line in reversed(lines[-_SET_RIGHT_WITHIN:]) if changes.denies(said[0].text, line)), "")
    wrong = wrong or changes.find_set_right(said[0].text, lines)
    if changes.sets_right(said[0].text, before):
        wrong = before
    if wrong:
        return Memory(said[0].age, f"{sentences.end(wrong)} {said[0].text}")
    question = next((one for one in reversed(sentences.split(before)) if sentences.is_question(one)), "")
    joined = f"{question.rstrip(' ?？')}? {said[0].text}"
    is_answer = question_kinds.classify_question(question) == "called" and not lexicon.find_concepts(said[0].text)
    return Memory(said[0].age, joined) if is_answer and names.find(joined) else None


def list_written(context: ReplyContext) -> Iterator[Memory]:
    """Yield what stands written of the user: their own text, noted facts and memories."""
    yield from (Memory(None, sentence) for sentence in _split_statements(context.account))
    yield from (Memory(LOADED, fact) for fact in dict.fromkeys((*context.loaded, *context.list_saved())))
    yield from context.memories


def list_said(lines: Iterable[Memory]) -> Iterator[Memory]:
    """Yield the statements of messages."""
    yield from (Memory(line.age, sentence) for line in lines for sentence in _split_statements(line.text))


def find_last_statement(context: ReplyContext) -> Memory | None:
    """Return what the user stated last."""
    stated = ((line, [*_split_statements(line.text)]) for line in reversed(context.user_messages))
    return next((Memory(line.age, said[-1]) for line, said in stated if said), None)


def _split_statements(text: str) -> Iterator[str]:
    """Yield the sentences that ask nothing, without a wish to remember them; what answers a question is read with it."""
    whole = sentences.split(text)
    told = (
        f"{before} {said}" if clauses.answers(said) and sentences.is_question(before) else said
        for before, said in zip(["", *whole], whole, strict=False)
        if not any(asks(said) for asks in _ASKS)
    )
    return (said for said in map(clauses.strip_wish, told) if lexicon.has_words(said))


def _join_by_topic(lines: Sequence[Memory]) -> dict[int, list[Memory]]:
    """Return what was told of each thing in several sentences, by the line that told the last of it."""
    joined: dict[int, list[Memory]] = {}
    for topic in topics.group(enumerate("" if lexicon.matches("REQUEST", line.text) else line.text for line in lines)):
        if len(topic.chosen) > 1:
            joined.setdefault(topic.lines[-1], []).append(
                Memory(lines[topic.lines[0]].age, topic.text, is_joined=len(topic.lines) > 1)
            )
    return joined
