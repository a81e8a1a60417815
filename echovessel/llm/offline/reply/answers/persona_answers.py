"""Answers questions about the companion from its own texts, in the first person."""

from collections.abc import Iterator
from types import ModuleType

from echovessel import lazy_re as re
from echovessel.llm.offline import pronouns
from echovessel.llm.offline.chinese import cues as chinese_cues
from echovessel.llm.offline.reply.context import ReplyContext
from echovessel.llm.offline.text import cue_matching, lexicon, sentences

_ANSWER_MOST = 260
_OPENING = 2
_OF_PEOPLE = ("birth_date", "age", "nationality", "education", "relationship_status", "location")
_ENOUGH_SHARED = 2
_FIRST = {"is": "am", "are": "am", "was": "was", "were": "was"}
_SECOND_TEXT = (
    "looks sings plays bakes keeps reads likes loves lives works mends speaks drives paints writes walks runs cooks sells grows teaches draws takes says makes "
    "knows gets goes has is gives puts drinks rides swims travels collects listens laughs remembers thinks wears does stands sleeps"
)
_SECOND = frozenset(_SECOND_TEXT.split())
_OWN_CHINESE = re.compile(r"[讲说聊](?:[讲说聊]|一?下|点)?(?:关于)?你们?的?(?!们|觉得|想)[\u4e00-\u9fff]")
_HOW_IS = re.compile(
    r"\bhow(?:'s| is| are| was| were)(?: things| life| business)?(?: (?:at|in|on|with))? (?:the|your) ([a-z' -]{3,30}?)"
    r"(?: (?:today|doing|going|these days|lately|this (?:morning|week)|getting on|holding up|keeping))*\W*$"
    r"|^\W*(?:那|你们?的?)*([\u4e00-\u9fff]{1,6}?)(?:里|这边|那边|今天|最近|现在|这几天|这阵子|都|还)*(?:怎么样|如何|好[吗么]|好不好|忙[吗么]|忙不忙)[了呀啊呢]*\W*$",
    re.IGNORECASE,
)
_ADVERB = r"(?: (?:\w+ly|also|still|never|always|often|now|just|even|sometimes|seldom|then))?"
_ME_BEFORE = r"(?=[.,;:!?]|$| (?:and|but|or|to|in|on|at|with|for|from|when|while|because|if|as|by|than|that)\b)"


def asks_of_companion(context: ReplyContext, asked: str) -> bool:
    """Whether it asks of "you", or how something is that the companion's texts tell of: "how's the mill today?"."""
    if cue_matching.has_cue("TO_YOU", asked) and not cue_matching.has_cue("NOT_OF_YOU", asked):
        return True
    return bool(_find_kept_thing(context, asked))


def _find_kept_thing(context: ReplyContext, asked: str) -> str:
    """Return what of the companion's texts it asks after; "" where it asks otherwise."""
    match = _HOW_IS.search(asked)
    thing = lexicon.normalise(match[1] or match[2]) if match else ""
    return thing if thing in lexicon.normalise(context.persona) else ""


def asks_how_it_is(asked: str) -> bool:
    return _HOW_IS.search(asked) is not None


def asks_of_own(asked: str) -> bool:
    """Whether it asks to be told of something of the companion's: 给我讲讲你的书店."""
    return _OWN_CHINESE.search(asked) is not None


def choose_unknown(question: str) -> str:
    """Choose what answers a question that the companion's texts do not: an AI knows that it does not sleep, and has no age."""
    words = cue_matching.choose_cues(question)
    if cue_matching.search(words.ASKS_MY_DAY, question):
        return "my_day"
    of_people = (*(words.OF_YOU[name] for name in _OF_PEOPLE), words.OF_PEOPLE)
    return "unlike_people" if any(cue_matching.search(one, question) for one in of_people) else "unknown_me"


def find_answers(context: ReplyContext, question: str) -> Iterator[str]:
    """Yield what the companion's facts and texts answer to a question, the best first."""
    words = cue_matching.choose_cues(question)
    told = [sentence for line in context.persona.splitlines() for sentence in sentences.split(line)]
    asked = next((name for name, pattern in words.OF_YOU.items() if cue_matching.search(pattern, question)), "")
    if asked == "about":
        yield _join([speak_as_persona(sentence, context) for sentence in told[:_OPENING]])
    elif asked:
        yield from _answer_of_fact(asked, told, context, words)
    else:
        question = _find_kept_thing(context, question) or question
        yield from (speak_as_persona(sentence, context) for sentence in _find_bearing_on(question, told, words))


def tell_story(context: ReplyContext) -> str:
    """Return two sentences of the companion's text that were not told yet in this session; "" where all were."""
    told = [
        speak_as_persona(sentence, context)
        for line in context.persona.splitlines()
        for sentence in sentences.split(line)
    ]
    said = " ".join(context.replies)
    fresh = [sentence for sentence in told[_OPENING:] if sentence not in said]
    return _join(fresh[:_OPENING])


def speak_as_persona(sentence: str, context: ReplyContext) -> str:
    """Turn a sentence about the companion into the first person."""
    made = _turn_chinese(sentence, context) if lexicon.is_chinese(sentence) else _turn_english(sentence, context)
    made = made.strip()
    return sentences.end(made[:1].upper() + made[1:])


def _answer_of_fact(asked: str, told: list[str], context: ReplyContext, words: ModuleType) -> Iterator[str]:
    value = context.persona_name if asked == "name" else context.facts.get(asked, "")
    if asked == "age":
        yield from (
            speak_as_persona(sentence, context) for sentence in told if cue_matching.search(words.AGE, sentence)
        )
    if asked in ("occupation", "location") and told:
        fitting = [
            sentence
            for sentence in told
            if len(lexicon.stem_content(sentence) & lexicon.stem_content(value)) >= _ENOUGH_SHARED
        ]
        yield from (speak_as_persona(sentence, context) for sentence in fitting)
    if value and asked in words.FACTS:
        article = "an" if value[:1].lower() in "aeiou" else "a"
        yield words.FACTS[asked].format(value=value, a_value=f"{article} {value}")
    elif asked == "occupation" and told:
        yield speak_as_persona(told[0], context)


def _find_bearing_on(question: str, told: list[str], words: ModuleType) -> list[str]:
    rows = [
        of_text for of_question, of_text in words.OF_YOU_WORDS.items() if cue_matching.search(of_question, question)
    ]
    # What somebody likes is the least that a question can be about.
    rows = rows[1:] if len(rows) > 1 or cue_matching.search(words.LIKES_WHAT, question) else rows
    asked = lexicon.stem_content(question) - lexicon.stem_content(" ".join(words.IDLE)) - words.IDLE
    if words is chinese_cues:
        asked = {pair for pair in asked if "你" not in pair}
    fits = [
        (
            sum(len(cue_matching.compile_cue(row).findall(sentence)) for row in rows)
            + len(asked & lexicon.stem_content(sentence)),
            sentence,
        )
        for sentence in told
    ]
    # Of several words one is not what is asked: "Are there ghosts in your lighthouse?"
    least = 1 if rows or len(asked) == 1 or words is chinese_cues else 2
    ranked = sorted((fit for fit in fits if fit[0] >= least), key=lambda fit: -fit[0])
    return [sentence for _, sentence in ranked]


def _join(parts: list[str]) -> str:
    gap = "" if lexicon.is_chinese("".join(parts)) else " "
    return gap.join(parts)[:_ANSWER_MOST]


def _turn_chinese(sentence: str, context: ReplyContext) -> str:
    if re.search("我|你", sentence):
        return sentence.replace("你", "我") if "我" not in sentence else sentence
    pronoun = max("她他", key=context.persona.count)
    return re.sub(
        f"{re.escape(context.persona_name)}|{pronoun}(?!们)" if context.persona_name else pronoun, "我", sentence
    )


def _turn_english(sentence: str, context: ReplyContext) -> str:
    if re.search(r"\b(?:I|I'm|my)\b", sentence):
        return sentence
    if re.search(r"\byou(?:r|'re)?\b", sentence, re.IGNORECASE):
        return pronouns.turn_to_first(sentence)
    names = "|".join(re.escape(name) for name in {context.persona_name, context.persona_name.partition(" ")[0]} if name)
    she = rf"(?:she|he{'|' + names if names else ''})"
    made = re.sub(rf"\b{she}'s\b", "I'm", sentence, flags=re.IGNORECASE)
    made = re.sub(
        rf"\b{she}({_ADVERB}) (\w+)", lambda match: f"I{match[1]} {_reduce_verb(match[2])}", made, flags=re.IGNORECASE
    )
    made = re.sub(rf"\b(and|but|then|or)({_ADVERB}) (\w+s)\b", _use_second_verb, made)
    made = re.sub(r"\b(?:herself|himself)\b", "myself", made)
    made = re.sub(rf"\b(?:her|him)\b{_ME_BEFORE}", "me", made)
    return re.sub(r"\bTheir\b", "Our", re.sub(r"\b(?:[Hh]er|[Hh]is)\b", "my", made))


def _use_second_verb(match: re.Match[str]) -> str:
    verb = _reduce_verb(match[3]) if match[3].lower() in _SECOND else match[3]
    return f"{match[1]}{match[2]} {verb}"


def _reduce_verb(verb: str) -> str:
    """Return the form of the verb after "I"."""
    return _FIRST.get(verb) or pronouns.reduce_verb(verb)
