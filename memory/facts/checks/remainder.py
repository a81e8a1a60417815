"""What is left of a message once what a chat asked to forget is left out of it, and the wish itself."""

from collections.abc import Sequence

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline.text import sentences
from memory.facts import changing
from memory.facts.checks import told_parts
from memory.facts.checks.grounding import extract_own_terms
from memory.facts.rules import letting_go, plain_wishes, wishes_to_forget

# Beside a wish: "That thing about the miscarriage I told you. Forget it" names what is forgotten in words of its own.
_TOLD_YOU = re.compile(
    r"\bi(?:['’]ve| have| once)? (?:told you|mentioned)\b|我.{0,4}[跟和对给]你[说讲提]", re.IGNORECASE
)


def leave_out(said: str, about: Sequence[str]) -> str:
    """Leave out the sentences that tell what is forgotten, or ask for it; "" where none tells it in the words that it has."""
    told = sentences.split(plain_wishes.part(said))
    telling = [one for one in told if is_about(one, about)]
    wishes_told = [one for one in telling if asks(one)]
    gone = [part for one in wishes_told for part in sentences.split(wishes_to_forget.add_things(one, told))]
    gone += [one for one in told if _TOLD_YOU.search(one) and any(map(asks, told))]
    rests = [leave_out_told(one, about) if one in telling else one for one in told if one not in (*gone, *wishes_told)]
    left = [*filter(None, rests)]
    # It may tell that in other words than the fact has: "been smokin again".
    return " ".join(left) if left != told else ""


def is_about(said: str, about: Sequence[str]) -> bool:
    return any(tells_or_asks(forgotten, one) for one in sentences.split(said) for forgotten in about)


def leave_out_told(sentence: str, about: Sequence[str]) -> str:
    """Leave out of a sentence the parts that tell what is forgotten: "I'm allergic to nuts, and I have MS"."""
    left = sentence
    for said in about:
        if tells_or_asks(said, sentence):
            gone, left = told_parts.divide(left, said)
            left = left if gone or left != sentence else ""
    return left


def tells_or_asks(forgotten: str, said: str) -> bool:
    own, terms = extract_own_terms(forgotten), text.extract_terms(said)
    is_wish = asks(said)
    # "Forget I said that" names nothing, so that it seems to mean what is left before it.
    names_it = not {*own}.isdisjoint(terms) or not any(one.words for one in letting_go.read(said))
    return changing.tells_same(own, terms) or (is_wish and names_it)


def asks(said: str) -> bool:
    return letting_go.lets_go(said) or wishes_to_forget.is_one(said)
