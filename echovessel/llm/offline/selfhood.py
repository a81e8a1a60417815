"""Answers what is asked of the companion from the companion's own texts, said in the first person."""

import re
from collections.abc import Iterator
from types import ModuleType

from echovessel.llm.offline import chinese_cues, cueing, lexicon, sentences
from echovessel.llm.offline.context import ReplyContext

_ANSWER_MOST = 260
_OPENING = 2
_ENOUGH_SHARED = 2
_FIRST = {"is": "am", "are": "am", "has": "have", "does": "do", "was": "was", "were": "was", "goes": "go"}
_KEPT_TEXT = "would will can cannot could had did may might must should was"
_SECOND_TEXT = (
    "looks sings plays bakes keeps reads likes loves lives works mends speaks drives paints writes walks runs cooks sells grows teaches draws takes says makes "
    "knows gets goes has is gives puts drinks rides swims travels collects listens laughs remembers thinks wears does stands sleeps"
)
_KEPT, _SECOND = frozenset(_KEPT_TEXT.split()), frozenset(_SECOND_TEXT.split())
_ADVERB = r"(?: (?:\w+ly|also|still|never|always|often|now|just|even|sometimes|seldom|then))?"
_ME_BEFORE = r"(?=[.,;:!?]|$| (?:and|but|or|to|in|on|at|with|for|from|when|while|because|if|as|by|than|that)\b)"


def answers(context: ReplyContext, question: str) -> Iterator[str]:
    """What the companion's facts and texts say to a question, the best first; nothing where they say nothing."""
    words = cueing.words(question)
    told = [sentence for line in context.persona.splitlines() for sentence in sentences.split(line)]
    asked = next((name for name, pattern in words.OF_YOU.items() if cueing.search(pattern, question)), "")
    if asked == "about":
        yield _joined([as_me(sentence, context) for sentence in told[:_OPENING]])
    elif asked:
        yield from _of_fact(asked, told, context, words)
    else:
        yield from (as_me(sentence, context) for sentence in _bearing_on(question, told, words))


def story(context: ReplyContext) -> str:
    """Two sentences of the companion's text that were not told yet in this chat; "" where all were."""
    told = [as_me(sentence, context) for line in context.persona.splitlines() for sentence in sentences.split(line)]
    said = " ".join(context.said)
    fresh = [sentence for sentence in told[_OPENING:] if sentence not in said]
    return _joined(fresh[:_OPENING])


def as_me(sentence: str, context: ReplyContext) -> str:
    """A sentence about the companion as the companion would say it."""
    made = _in_chinese(sentence, context) if lexicon.is_chinese(sentence) else _in_english(sentence, context)
    made = made.strip()
    return sentences.ended(made[:1].upper() + made[1:])


def _of_fact(asked: str, told: list[str], context: ReplyContext, words: ModuleType) -> Iterator[str]:
    value = context.persona_name if asked == "name" else context.facts.get(asked, "")
    if asked == "age":
        yield from (as_me(sentence, context) for sentence in told if cueing.search(words.AGE, sentence))
    if asked in ("occupation", "location") and told:
        fitting = [
            sentence for sentence in told if len(lexicon.content(sentence) & lexicon.content(value)) >= _ENOUGH_SHARED
        ]
        yield from (as_me(sentence, context) for sentence in fitting)
    if value and asked in words.FACTS:
        article = "an" if value[:1].lower() in "aeiou" else "a"
        yield words.FACTS[asked].format(value=value, a_value=f"{article} {value}")
    elif asked == "occupation" and told:
        yield as_me(told[0], context)


def _bearing_on(question: str, told: list[str], words: ModuleType) -> list[str]:
    rows = [of_text for of_question, of_text in words.OF_YOU_WORDS.items() if cueing.search(of_question, question)]
    # What somebody likes is the least that a question can be about.
    rows = rows[1:] if len(rows) > 1 else rows
    asked = lexicon.content(question) - words.IDLE
    if words is chinese_cues:
        asked = {pair for pair in asked if "你" not in pair}
    fits = [
        (
            sum(len(cueing.compiled(row).findall(sentence)) for row in rows) + len(asked & lexicon.content(sentence)),
            sentence,
        )
        for sentence in told
    ]
    ranked = sorted((fit for fit in fits if fit[0]), key=lambda fit: -fit[0])
    return [sentence for _, sentence in ranked]


def _joined(parts: list[str]) -> str:
    gap = "" if lexicon.is_chinese("".join(parts)) else " "
    return gap.join(parts)[:_ANSWER_MOST]


def _in_chinese(sentence: str, context: ReplyContext) -> str:
    if re.search("我|你", sentence):
        return sentence.replace("你", "我") if "我" not in sentence else sentence
    pronoun = max("她他", key=context.persona.count)
    return re.sub(
        f"{re.escape(context.persona_name)}|{pronoun}(?!们)" if context.persona_name else pronoun, "我", sentence
    )


def _in_english(sentence: str, context: ReplyContext) -> str:
    if re.search(r"\b(?:I|I'm|my)\b", sentence):
        return sentence
    if re.search(r"\byou(?:r|'re)?\b", sentence, re.IGNORECASE):
        return _from_second(sentence)
    names = "|".join(re.escape(name) for name in {context.persona_name, context.persona_name.partition(" ")[0]} if name)
    she = rf"(?:she|he{'|' + names if names else ''})"
    made = re.sub(rf"\b{she}'s\b", "I'm", sentence, flags=re.IGNORECASE)
    made = re.sub(rf"\b{she}({_ADVERB}) (\w+)", _first_person, made, flags=re.IGNORECASE)
    made = re.sub(rf"\b(and|but|then|or)({_ADVERB}) (\w+s)\b", _second_verb, made)
    made = re.sub(r"\b(?:herself|himself)\b", "myself", made)
    made = re.sub(rf"\b(?:her|him)\b{_ME_BEFORE}", "me", made)
    return re.sub(r"\bTheir\b", "Our", re.sub(r"\b(?:[Hh]er|[Hh]is)\b", "my", made))


def _first_person(match: re.Match[str]) -> str:
    return f"I{match[1]} {_plain_verb(match[2])}"


def _second_verb(match: re.Match[str]) -> str:
    verb = _plain_verb(match[3]) if match[3].lower() in _SECOND else match[3]
    return f"{match[1]}{match[2]} {verb}"


def _plain_verb(verb: str) -> str:
    """The verb as it stands after "I"."""
    if verb in _FIRST:
        return _FIRST[verb]
    if verb in _KEPT or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return verb[:-2] if verb.endswith(("sses", "shes", "ches", "xes", "zzes")) else verb[:-1]


def _from_second(sentence: str) -> str:
    turned = {
        "you are": "I am",
        "you were": "I was",
        "you're": "I'm",
        "yourself": "myself",
        "your": "my",
        "yours": "mine",
        "you": "I",
    }
    return re.sub(
        r"\b(?:you (?:are|were)|you're|yourself|yours|your|you)\b",
        lambda match: turned[match.group().lower()],
        sentence,
        flags=re.IGNORECASE,
    )
