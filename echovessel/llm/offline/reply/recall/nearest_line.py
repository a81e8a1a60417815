"""Reads what the user said that is nearest to a question by its vector: it may answer in words that no list knows."""

from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel import times
from echovessel.llm.inputs import NearMessage
from echovessel.llm.offline.reply.asking import evidence, question_kinds
from echovessel.llm.offline.reply.context import Memory, ReplyContext
from echovessel.llm.offline.reply.recall import user_statements, weighing
from echovessel.llm.offline.text import changes, lexicon, names

# From these cosines on a line answers whatever kind of answer is asked for, or but a number or a place; before other lines; answers; or
# comes near.
_OF_ANY_KIND, _OF_MOST_KINDS, _BEFORE_OTHERS, _ANSWERS, _NEAR = 0.62, 0.48, 0.55, 0.42, 0.33
# 修车花了多少 asks of the user, and 店叫“半夏” names what no list knows.
_DONE, _SAYS_NAME = re.compile("[\u4e00-\u9fff][了过]"), re.compile('叫[“"「《]')


@dataclass(frozen=True)
class NearestLine:
    """How it reads with what set it right since, and what is to be told of it."""

    text: str
    memory: Memory
    cosine: float

    @property
    def is_answer(self) -> bool:
        return self.cosine >= _ANSWERS

    @property
    def goes_before(self) -> bool:
        """Whether it goes before other lines that hold fewer words of the question."""
        return self.cosine >= _BEFORE_OTHERS


def find(context: ReplyContext, asked: str) -> NearestLine | None:
    """Return the line nearest to a question; None where it is not near, of another kind or of others."""
    nearest = context.inputs.nearest
    if nearest is None or nearest.cosine < _NEAR or not _may_answer(nearest, asked):
        return None
    text = user_statements.find_standing(context, nearest.text)
    told = (one for one in user_statements.list_told(context) if text in one.text and changes.is_correction(one.text))
    memory = Memory(times.measure_age(nearest.at, context.inputs.now), text, at=nearest.at)
    # With what set it right since.
    return NearestLine(text, next(reversed([*told]), memory), nearest.cosine)


def _may_answer(nearest: NearMessage, asked: str) -> bool:
    """Whether it could give the kind of answer that a question of the user's life asks for, and is of whom it asks."""
    text, kind, concepts = nearest.text, question_kinds.classify_question(asked), lexicon.find_concepts(asked)
    is_of_named = any(one.text in asked for one in names.find(text))
    is_of_life = is_of_named or lexicon.matches("MYSELF", asked) or bool(concepts) or _DONE.search(asked) is not None
    is_of_other = concepts and not concepts & lexicon.widen(lexicon.find_concepts(text))
    # 谁说我没带好孩子 asks of whom it does not name.
    is_who = question_kinds.WHO.search(asked) is not None and nearest.cosine >= _BEFORE_OTHERS
    if not is_of_life or (is_of_other and not is_who) or evidence.is_opposite(text, asked):
        return False
    if kind == "called" and not question_kinds.WHO.search(asked):
        return any(one.text not in asked for one in names.find(text)) or _SAYS_NAME.search(text) is not None
    is_of_kind = kind not in (*question_kinds.OWN, *question_kinds.NEEDS_EVIDENCE) or evidence.has_evidence(text, kind)
    is_hard = kind in (*weighing.OF_NAMED, "own_age")
    return is_of_kind or nearest.cosine >= (_OF_ANY_KIND if is_hard else _OF_MOST_KINDS)
