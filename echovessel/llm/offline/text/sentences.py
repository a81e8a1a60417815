"""Splits text into sentences, tells questions and small talk, and removes questions that only ask for attention."""

from collections.abc import Sequence
from itertools import takewhile

from echovessel import lazy_re as re
from echovessel.llm.offline.chinese import interrogatives
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.text import lexicon, names

_SENTENCE = re.compile(
    r"[^。！？；!?\n.]+(?:(?:[.](?=\S)|(?<=\b[MD]r)[.]|(?<=\bMrs)[.]|(?<=\b[MS][st])[.]|(?<=\bProf)[.])[^。！？；!?\n.]+)*[。！？；!?.…]*[”\"'’」』）)]*"
)
_RUN_ON = re.compile(
    r"\b(any ?more|any longer|already|again|lol|haha|though|tho|(?:called|named) [\w'-]+) (?=(?:i|we|my|he|she|they|it)(?:'\w+)? \w)",
    re.IGNORECASE,
)
# Questions that only begin a talk or a piece of news: "can you talk?", "guess what?", 在吗.
_ATTENTION = re.compile(
    r"^\W*(?:兄弟|哥们儿?|老哥|老弟|老铁|姐妹|宝子?|亲爱的)[，,\s]+(?=\w)|^\W*(?:(?:hey|hi|hello|yo|so|well|ok|okay|oh|ugh|omg)\b\W*)*(?:"
    r"(?:are )?(?:you|u|ya) (?:still )?(?:there|up|awake|around|free|busy)(?: right now| now)?"
    r"|(?:can|could) (?:we|i|you) (?:talk|chat|vent)(?: to you)?(?: for a (?:sec|second|minute|moment|bit))?"
    r"|(?:do (?:you|u) have|have (?:you|u) got|you got|got) a (?:sec|second|minute|moment)"
    r"|guess what|(?:do )?(?:you|u) know what|how(?:'s| is| are) (?:it going|you|things|everything)(?: doing)?(?: today)?|what(?:'s| is) up"
    r")\s*(?:[?,.!;:…\n]|-|–)+\W*"
    r"|^\W*(?:(?:嘿|嗨|哈喽|你好|喂|哎|诶|哥们儿?|兄弟|老铁|姐妹|宝子?)\W*)*(?:你|您)?(?:在(?:吗|么|不在|不)|(?:睡|吃|忙|下班)[了完]?(?:吗|没有?)|有空(?:吗|没有?)|方便(?:聊聊?|说话)?吗|知道(?:吗|不)"
    r"|猜(?:怎么着|怎么样|猜看))[\s，。？！?!,~～…]+",
    re.IGNORECASE,
)
# "Haha no I didn't", 骗你的: with a laugh, since who only denies may answer a question.
_TAKES_BACK = re.compile(
    r"\W*(?=.*(?:\b(?:ha)+h?\b|\blol\b|kidding|joking|\bjk\b|\ba joke\b))(?:(?:(?:ha)+h?|lol|no|nah|ok|just|only|i'm|was|jk)\W+)*(?:i (?:didn't|don't|haven't|wasn't|won't)|(?:(?:i'm|i was|was|just|only|i am) )*(?:kidding|joking|jk)(?:,? (?:with you|sorry|of course|though))*|(?:that|it) was (?:just |only )?a joke(?:,? (?:not true|it's not true))?)\W*(?:(?:ha)+h?|lol|jk)?\W*"
    r"|\W*(?:哈+|嘿嘿|嘻嘻|没有?[啦了]?|不是[啦了]?|好[啦了吧]|其实)?[,，\s]*(?:我|刚才|刚刚|上面|[那这](?:个|句|些)?|都|就|是|只|随便)*(?:骗你的|(?:跟你)?开(?:个)?玩笑的?|逗你(?:玩)?的?|(?:瞎|乱|胡)(?:说|编|扯|讲)的|编的|说着玩的?)[啦了哈呢吧~。！!\s]*",
    re.IGNORECASE,
)
_IN_QUOTES = re.compile(r"[“「][^”」]*[”」]|\"[^\"]*\"")
_SUBJECT = re.compile(
    r"\b(?:i|s?he|it|they|we|you|that|this|is|are|was|were|am|has|have|had|do|does|did|will|would|can|could|\w+'\w+)\b",
    re.IGNORECASE,
)
_FEW = 8
_CLAUSE = re.compile(r"(?<=[\u4e00-\u9fff])[\s，,]+")
# So many characters before a question tell something.
_TOLD_LEAST = 6
_TAGGED = re.compile(
    r"[, ](?:(?:is|are|was|were|do|does|did|have|has|had|ca|could|wo|would)n't (?:i|we|he|she|it|they|my \w+|(?-i:[A-Z])\w+)|right|innit)\W*$",
    re.IGNORECASE,
)
_TELLS_WORDS = re.compile(
    r"^\W*(?:and |but |so )?(?:he|she|they|my \w+|i(?! asked (?!him|her|them))) (?:just )?(?:said|says|asked|asks|goes)\b(?! what\b)"
    r"|^[^?？你]{1,6}问(?![题候你])[^你]*我就?[说讲答]|^[^?？]*我(?:就|还|又)?(?:说|问)(?!过(?!年)|了|的)[^?？]*[他她](?:就|却|还)?[说回答]|^(?:.*[\s，,。])?(?!我|.{0,8}(?:[明后再周]|今晚|记得))[^你，,。\s]{0,14}问我(?![了的过]?(?:什么|啥|谁|几|哪).{0,3}$)[^你]*$|^(?:可|但|然后)?是?(?:[他她]们?|我?(?:爸|妈|哥|姐|弟|妹|同事|老板|老婆|老公|朋友){1,2})(?:就|还|又|却|总|老)?(?:说|问我?|骂我?)(?![了的过]?[句些]?(?:什么|啥|谁|几|哪).{0,6}$|我?[了过]?(?:吗|么|没有?)\W*$)[^你]*$|^(?:可|但|然后)?是?我(?:就|还|又)?(?:说(?![过了的什])|问[他她您])[^你]*$",
    re.IGNORECASE,
)
# Longer text is no sentence, and slow to match.
MOST = 1000
_TURNED = ((r"\byou're\b", "I'm"), (r"\byou've\b", "I've"), (r"\byour\b", "my"), (r"\byou\b", "I"))


def split(text: str) -> list[str]:
    """Return the sentences of a text; names alone go with the one before: "She had twins! Ida and Wout"."""
    found: list[str] = []
    for part in (part.strip()[:MOST] for part in _SENTENCE.findall(text)):
        if found and names.is_list(part):
            found[-1] = f"{found[-1]} {part}"
        elif lexicon.has_words(part):
            found.append(part)
    return found


def is_question(sentence: str) -> bool:
    # 他说"关我什么事" asks nothing.
    spoken = _IN_QUOTES.sub(" ", sentence)
    sentence = spoken if lexicon.has_words(spoken) else sentence
    if not lexicon.is_chinese(sentence):
        return lexicon.matches("QUESTION", sentence)
    told = interrogatives.leave_out_tag(sentence)
    return lexicon.matches("QUESTION", told) or interrogatives.asks(told)


def is_tagged(question: str) -> bool:
    """Whether it states something and asks whether that is so: "my sister's called Jo, isn't she?"."""
    return _TAGGED.search(question) is not None


def tells_words(said: str) -> bool:
    """Whether it tells what somebody said or asked: "he said, which one was best?"."""
    return _TELLS_WORDS.match(said) is not None and not interrogatives.asks_what_was_asked(said)


def tell_before_asking(sentence: str) -> str:
    """Return a sentence, of one in Chinese that asks what it tells before: 我画了个新机甲 叫破晓 of 我画了个新机甲 叫破晓 你要看吗."""
    told = sentence
    while told and is_question(told):
        told = told[: max((gap.start() for gap in _CLAUSE.finditer(told)), default=0)]
    return told if told == sentence or len(told) >= _TOLD_LEAST else ""


def remove_attention(plain: str) -> str:
    """Remove questions that only ask for attention from the beginning of a text: "guess what? I got the job"; one that says nothing
    else stays as it is.
    """
    while (rest := _ATTENTION.sub("", plain)) and rest != plain:
        plain = rest
    return plain


def is_small_talk(sentence: str) -> bool:
    return lexicon.matches("SMALL_TALK", sentence)


def find_taken_back(lines: Sequence[str]) -> set[int]:
    """Return the places of the lines that were a joke, and of what says so: "also i quit coffee", "haha no i didn't"."""
    found = {at for at, line in enumerate(lines) if at and takes_back(line)}
    return found | {at - 1 for at in found}


def takes_back(line: str) -> bool:
    """Whether a line says that the one before it was a joke."""
    return _TAKES_BACK.fullmatch(lexicon.normalise(line)) is not None


def add_fragments(sentence: str, said: Sequence[str]) -> str:
    """Return one of the sentences with those behind it that have neither a subject nor a verb: "The hearing's over. No suspension."."""
    return " ".join([sentence, *takewhile(_is_fragment, said[said.index(sentence) + 1 :])])


def _is_fragment(said: str) -> bool:
    words = lexicon.normalise(said).lower().split()
    has_verb = any(word.strip(".!,") in english.IRREGULAR or word.endswith("ed") for word in words)
    return len(words) <= _FEW and not (has_verb or _SUBJECT.search(lexicon.normalise(said)))


def end(sentence: str) -> str:
    """Add a full stop to a sentence without an end."""
    if re.search(r"[。！？；!?.…”\"'’」』]$|[.!?。！？][）)]$", sentence):
        return sentence
    return sentence + ("。" if lexicon.is_chinese(sentence) else ".")


def part(text: str) -> str:
    """Set a comma where a clause ends without one: "I don't play bass anymore, I switched to guitar"."""
    return _RUN_ON.sub(r"\1, ", text)


def measure_width(text: str) -> int:
    """Return the length of a text in letters: a Chinese character counts as three."""
    return sum(3 if "\u3400" <= character <= "\u9fff" else 1 for character in text)


def turn_to_user(sentence: str) -> str:
    """Turn a sentence said to the user into the user's words: "your sister" becomes "my sister"; "" where the speaker speaks of themselves."""
    if re.search(r"\b(?:i|i'm|my|me|i've|i'll|i'd)\b|我", lexicon.normalise(sentence), re.IGNORECASE):
        return ""
    turned = re.sub(r"[你您]", "我", lexicon.normalise(sentence))
    for theirs, own in _TURNED:
        turned = re.sub(theirs, own, turned, flags=re.IGNORECASE)
    return turned
