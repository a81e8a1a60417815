"""Tells whether a sentence asks something, and what kind of thing a question asks for."""

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.reply.asking import question_times
from echovessel.llm.offline.text import cue_matching, lexicon, sentences

# Questions about the user that only such words answer.
OWN = (
    "name", "job", "own_age", "own_grade", "home", "origin", "study", "partner", "forbidden", "medicine",
    "own_illness", "household", "likes",
)  # fmt: skip
# A question that shows by its words what the answer must hold.
NEEDS_EVIDENCE = (
    "their_job", "when", "age", "how_many", "where", "called", "illness", "colour", "surname", "side", "grade", "their_likes",
)  # fmt: skip
EXACT = ("when", "age", "own_age", "how_many", "grade", "where")
# Questions for a view.
VIEWS = {"NAMING": "naming", "YEARNS": "yearned", "HOPES": "hoped", "SUPPOSES": "opinion", "WORTH": "worth"}
VIEWS |= {"SEEKS": "advice", "ADVICE": "advice", "OPINION": "opinion"}
# These are answered also where the question is heavy.
COMFORTING = ("yearned", "hoped", "worth")
WHO = re.compile(r"\bwho\b|谁", re.IGNORECASE)
SAID_BY_OTHER = re.compile(
    r"\b(?:did|does|has|had) (?!i\b|we\b|you\b)(?:the |my |our )?\w+ (?:say|said|think|tell|told|mention|ask)",
    re.IGNORECASE,
)
# Where the spare key is nobody knows but the user.
_WHERE_THING = re.compile(
    r"\bwhere(?:'s| is| are)\b|\b(?:any|every|some)(?:one|body)\b.*\bknows?\b|[在放]哪", re.IGNORECASE
)
_TAGGED_ORDER = re.compile(
    r"^\W*(?:(?:please|and|but|so|just)[\s,]+)*(?:don't|do not|never|keep|promise|let's)\b.*\b(?:ok|okay|deal|alright|all right|yeah)\s*\?+\W*$"
    r"|^\W*(?:请|求你|千万|可|你)*(?:别|不要|不许).*(?:好吗|好不好|行吗|行不行|可以吗|哈|哦|啊)\s*[?？]*\W*$"
    r"|^\W*(?:please )?(?:can|could|would|will) you (?:please |just )?(?:not|stop)\b|^\W*(?:求你|那)?你(?:能不能|可不可以|能|可以)(?:先)?(?:别|不要)",
    re.IGNORECASE,
)
_TELLS_NEWS = re.compile(
    r"^\W*(?:(?:hey|so|and|but) )?(?:can|could) you (?:keep a secret|believe (?:it|this|that))\W*$|^\W*can i (?:just )?tell you (?:something|a secret|one thing)\W*$|^\W*(?:你)?(?:能|可以)?(?:帮我)?保(?:守|个)?(?:个)?秘?密吗\W*$|^\W*(?:(?:but|and|so|oh god)\W+)?what if (?:i|he|she|they|we|it|nobody|everyone|someone|my|the)\b|^\W*(?:hey,? )?did you know\b(?! (?:my|our|me)\b)|^\W*can you (?:believe|imagine)\b|^\W*what(?:'?s| is) the (?:point|use)(?: (?:of|in) [^?]*)?\W*$|^\W*(?:is|was|are)n'?t (?:that|it|this|he|she|they) \w+\W*$|^\W*(?!(?:do|does|did|is|are|was|can|could|what|who|when|where|how)\b).{10,}\bbut (?:who|what|how|where)(?:'d| would| could| will|'ll)\b|^\W*(?:(?:and|but|so) )?i (?:just |still )?(?:feel|felt|guess|think|thought|hope|suppose|mean)\b(?!.*\b(?:you|right|what|where|who|when|or|is it|am i|did i)\b)[^?]*\?\W*$|^(?:.*[\s，,])?(?:你知道吗|知道吗)[，,\s].{4,}|^.{4,}[，,\s]你?(?:懂吗|明白吗|懂的?吧|知道吧|能理解吗)\W*$",
    re.IGNORECASE,
)
# 我爸跟我说过什么 asks for his words.
ASKS_WORDS = re.compile(r"^(?!.*(?:[跟和对]你|(?:^|[^跟和对给])[我你]说)).*[说讲][过了]?(?:些|的)?(?:什么|啥)(?!时候)")
# A relative of a Chinese text who does something: 我教弟弟游泳 and 我给妈妈送花 tell of whom it was done to.
KIN = re.compile("|".join(chinese.KIN.values()))
ASKS_WHY = re.compile(r"为(?:什么|啥|何)|^\W*(?:(?:and|so|but)\W+)?why\b", re.IGNORECASE)
SAYING = re.compile(r"^\W*(?:\w+ ){1,4}(?:says?|said|thinks?|reckons?|told me)\b", re.IGNORECASE)
# "I've got an exam. Dreading it.": the sentence before says of what.
SAYS_OF_WHAT = re.compile(r"^\W*(?:\w+ ){1,3}(?:it|that|them)\W*$", re.IGNORECASE)
_SHORT_END = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?<![有是要能])(?:没有?|不)(?=[呀啊呢\W]*$)")
# Asks whether something is so, or how somebody is: "Do I have a dog?"
IS_SO_ENGLISH = re.compile(r"^\W*(?:(?:and|so|but|well) )?(?:do|does|am|is|are|have|has)\b(?! you\b)", re.IGNORECASE)
OF_SELF = re.compile(r"\bI\b", re.IGNORECASE)
# "Do I have a dog?", with what is asked for.
ASKS_HAVING = re.compile(
    r"^\W*(?:(?:and|so|but) )?(?:do|have) (?:i|we) (?:still )?(?:have|got) (?:(?:any|an?|some) )*([a-z]+)",
    re.IGNORECASE,
)
IS_SO = re.compile(
    rf"{IS_SO_ENGLISH.pattern}|^\W*(?:(?:and|so|but) )?how(?:'?s| is| are)\b|吗|怎么样|有没有|是不是|还有",
    re.IGNORECASE,
)
# "Do I still work at Tesco?"
STILL_SO = {
    "job": re.compile(
        r"\bdo i still (?:work|have (?:my|a|the) job)\b|我[^，,。]{0,3}还[^，,。]{0,8}(?:上班|工作)吗", re.IGNORECASE
    ),
    "home": re.compile(r"\bdo i still live\b|我[^，,。]{0,3}还[^，,。]{0,4}住[^，,。]{0,6}吗", re.IGNORECASE),
}


def ask_in_full(question: str) -> str:
    """Return 我能吃虾不 and 我有对象没 as 我能吃虾吗 and 我有对象吗."""
    return _SHORT_END.sub("吗", question)


def classify_question(question: str) -> str:
    asks = cue_matching.choose_cues(question).ASKS
    timeless = question_times.leave_out_time(question)
    found = (kind for kind, pattern in asks.items() if cue_matching.search(pattern, timeless))
    # 我姐姐做什么工作 and "what did Joel say about my job" ask for nothing of one's own.
    is_of_other = lexicon.find_concepts(question) or SAID_BY_OTHER.search(question)
    return next((kind for kind in found if not (is_of_other and kind in OWN and kind != "partner")), "")


def is_asked(said: str, *, is_of_memory: bool = False) -> bool:
    """Whether a sentence asks something of the companion; with `is_of_memory` memory knows an answer to it."""
    # "Don't tell anyone, ok?", "did you know octopuses have three hearts" and 他说画画能当饭吃吗 ask for nothing that is known.
    if _TAGGED_ORDER.match(said) or _TELLS_NEWS.match(said) or sentences.tells_words(said):
        return False
    return (
        is_of_memory
        or sentences.is_question(said)
        or cue_matching.has_cue("SEEKS", said)
        or any(
            lexicon.matches(name, said)
            for name in ("ASKS_MEMORY", "ASKS_WHAT_IS_KNOWN", "ASKS_WHO", "ASKS_HOW_YOU_ARE", "REQUEST", "REMINDER")
        )
        or cue_matching.find_product_kind(said) != ""
        or asks_who_companion_is(said)
    )


def asks_who_companion_is(said: str) -> bool:
    return bool(cue_matching.search(cue_matching.choose_cues(said).OF_YOU["about"], said))


def asks_of_world(question: str) -> bool:
    """Whether a question asks for no more than anybody may know: neither of the user nor of somebody."""
    is_of_somebody = any(lexicon.matches(name, question) for name in ("MYSELF", "THIRD_PERSON"))
    is_of_somebody = is_of_somebody or bool(lexicon.find_concepts(question) or _WHERE_THING.search(question))
    is_in_books = cue_matching.has_cue("HOW_TO", question) or lexicon.matches("DEFINITION", question)
    return is_in_books or not is_of_somebody


def asks_of_one(question: str) -> bool:
    """Whether a question asks for one thing: "am I allergic to anything?" does not ask for all."""
    return classify_question(question) in (*OWN, "when", "age")


def asks_one_thing_of_kin(question: str) -> bool:
    """Whether a question asks what a relative is called or said, or why, of which nothing else that was told of them comes near."""
    is_of_name = classify_question(question) == "called" and not WHO.search(question)
    is_of_one = is_of_name or ASKS_WORDS.match(question) or ASKS_WHY.search(question)
    return bool(is_of_one and lexicon.find_kin(question))
