"""What a session's messages state beside what stands out in them: the rest of a short message, and what nobody felt much about."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from echovessel import lazy_re as re
from echovessel.llm.offline import fillers
from echovessel.llm.offline.text import changes, cue_matching, happenings, lexicon, mentions, sentences
from echovessel.llm.offline.text.names import Name
from echovessel.llm.offline.text.topic_types import Sentence, Topic

# A message up to this width is told whole, as its sentences tell one thing: "There is Cillian. Yes, he is my boyfriend".
_SHORT_WIDTH = 240
_LEAST_WORDS = 4
# "I have to go to the dentist about my crown" is no mere farewell.
_FAREWELL_WORDS = 5
# From such a weight on a message may last, and what is exact or changes something weighs so much more. Of lines of a writer of whom no weight
# is made, in sessions of two that last and four that do not, .93 and .90 of those that last become events (English, Chinese), .86 and .86 by words alone;
# of the others .53 and .53, by words .63 and .62.
LASTS_FROM, FIRM_WEIGHT = -0.35, 0.3
# A number, a day or a month is asked for later.
_EXACT = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:january|february|april|june|july|august|september|october|november|december)\b|(?-i:\b(?:March|May)\b)"
    r"|[一二三四五六七八九十百千两半]+(?:(?:[月号日岁点块年级公斤]|个(?!多?(?:小时|钟头)))|[张只条双米尺])|周[一二三四五六日天末]|星期",
    re.IGNORECASE,
)
_OF_DAY = re.compile(
    r"\b(?:was|were|had|did|went|got|came|saw|met|let|weather|today|yesterday|tonight|(?:this|last) \w+)\b|[今昨][天晚早]|[上下]午|天气|刚才?|半天|\w(?<!不)过$",
    re.IGNORECASE,
)
# What asks the companion for something tells nothing: "tell me something about the stars", 给我讲讲你的书店.
_ASKS_FOR = re.compile(
    r"^\W*(?:(?:please|so|and|ok|now)\W+)*(?:tell me (?:a|some|something|about|more|what|how)|let's|give me a|say something|talk to me|sing)\b|^\W*(?:please )?(?:write|draft|translate|recommend|suggest|explain) (?:me|us|this|an?|some)\b|^\W*(?:请|麻烦)?你?(?:能不能|可以)?[帮给替]我(?:写|翻译|改|画|算|查|订|推荐|编)|^\W*(?:(?:那|来|快)\W*)?(?:(?:给|跟|陪)我)?[讲说聊唱](?:[讲说聊]|一?[下点个])",
    re.IGNORECASE,
)

# "Ok it's a bit true", "but that's not the point", "don't tell anyone": it tells of nothing but the talk.
_OF_TALK = re.compile(
    r"^\W*(?:(?:ok|okay|but|and|no|well|yeah|so|oh)\W+)*(?:(?:that|this|it)(?:'?s| is| was) (?:(?:not|the|an?|bit|little|so|really|just|all) )*(?:true|fine|point|lie|joke|nothing|life|weird|stupid|silly|funny|nice|hard|good|bad|thing|shame|pity)"
    r"|(?:(?:it|that|this)(?:'?s| was) )?(?:so |really |just )*(?:terrible|awful|brilliant|hilarious|rubbish|creepy)|i(?:'m| am) (?:so )?bored|what an? \w+ (?:day|evening|morning|night)|i don'?t know|we'?ll see|(?:\w+, )?i(?:'ve| have)(?: got)?(?: some)?(?: big| good| bad)? news|i(?:'m| am) (?:so |very |really )?(?:glad|grateful|happy) (?:of|for|about) (?:our|these) (?:talks?|chats?)|wish me luck(?: x+)?|(?:i'?m )?(?:going|heading) in(?: now)?|(?:i (?:think|must say),? )?(?:[a-z]+, )?you(?:'re| are) (?:so |really )?\w+|(?:我|你)?(?:好|真|太)无聊[啊了呀]?|你猜|不知道|我?会想你的?|再说吧|到时候再说"
    r"|(?:it|that|this)(?:'?s|'ll|'d)?\b[^,.]{0,30} (?:is|was|has|does|will|would|can|could)(?:n'?t)? (?:it|that|you|he|she|they)"
    r"|(?:你)?(?:别|不用|不要)(?:劝|安慰|笑|骂|管)我[^。！]{0,12}|这?(?:个|件?事)?(?:你|你可|千万|先)*(?:别|不要|不许)(?:[跟和对]|告诉)(?:别人|人|任何人|谁)(?:说|讲|提)?[啊哦呀哈]?"
    r"|in an? \w+ way|(?:please )?(?:don'?t|do not) (?:tell|worry|laugh|ask|say|judge)\b.*|you (?:don'?t|do not) (?:need|have) to\b.*|you must (?:think|find|be)\b.*)\W*$",
    re.IGNORECASE,
)


def asks_for(told: str) -> bool:
    """Whether a text asks the companion to tell or do something, and tells nothing."""
    return _ASKS_FOR.search(told) is not None


def is_chatter(sentence: str) -> bool:
    """Whether a sentence tells nothing of the user's life: it asks, greets, praises the companion, or speaks of the talk."""
    return (
        sentences.is_question(sentence)
        or fillers.is_filler(sentence)
        or _is_idle(sentence)
        or asks_for(sentence)
        or _OF_TALK.search(sentence) is not None
        or (lexicon.matches("THANKS", sentence) and lexicon.count_words(sentence) <= _FAREWELL_WORDS)
    )


def complete(
    found: Sequence[Topic],
    said: Iterable[tuple[int, str]],
    *,
    named: Sequence[Topic],
    noted: Iterable[str] = (),
    lasting: Mapping[int, float | None] = MappingProxyType({}),
) -> list[Topic]:
    """Return the topics with the rest of the short messages that they tell something of, then one for each other message that
    states something, what tells most first. `named` are all topics of the session: the names in a message are theirs, and what they
    tell is worth remembering, be it only of the day, as is what shares a word with what is `noted`, which it may change. `lasting` is how much
    each line tells of something lasting, where its vector says so.
    """
    whole, further = list(found), []
    names = {name.text: name for topic in named for name in topic.names.values()}
    things = set[str]().union(*map(changes.list_things, noted))
    heard = {(one.text, one.line): one for topic in named for one in topic.sentences}
    worth = {line for _, line in heard}
    # What a topic has no room for is told of its own.
    told = [{one.line for one in topic.chosen} for topic in whole]
    for number, text in said:
        parts = filter(None, map(sentences.tell_before_asking, sentences.split(text)))
        stated = [heard.get((one, number), Sentence(one, number)) for one in parts if not _is_idle(one)]
        homes = [at for at, lines in enumerate(told) if number in lines]
        if len(homes) == 1 and sentences.measure_width(text) <= _SHORT_WIDTH:
            whole[homes[0]] = _add(stated, whole[homes[0]])
        elif homes:
            # Of a long message a topic tells its own part.
            chosen = [one for at in homes for one in whole[at].chosen]
            further.append(_begin([one for one in stated if one not in chosen and _EXACT.search(one.text)], names))
        elif all(is_chatter(one.text) for one in stated):
            continue
        elif number in worth or _tells(text, stated, lasting.get(number)) or things & changes.list_things(text):
            further.append(_begin(stated, names))
    kept = [one for one in further if one.sentences]
    return whole + sorted(kept, key=lambda one: _rank(one, lasting.get(one.lines[0])), reverse=True)


def _begin(stated: Sequence[Sentence], names: Mapping[str, Name]) -> Topic:
    text = " ".join(one.text for one in stated)
    return Topic([*stated], {own: name for own, name in names.items() if mentions.is_named(own, text)})


def _add(stated: Sequence[Sentence], topic: Topic) -> Topic:
    """Return a topic with the sentences of one of its messages, in the order they were said."""
    line = stated[0].line if stated else 0
    at = next((at for at, one in enumerate(topic.sentences) if one.line == line), 0)
    rest = [one for one in topic.sentences if one.line != line]
    return Topic([*rest[:at], *stated, *rest[at:]], topic.names) if stated else topic


def _is_idle(sentence: str) -> bool:
    # What is said of the companion or of the talk tells nothing to remember.
    is_of_talk = any(cue_matching.has_cue(cue, sentence) for cue in ("NODS", "PRAISE", "HUSH"))
    is_farewell = lexicon.matches("FAREWELL", sentence) and lexicon.count_words(sentence) <= _FAREWELL_WORDS
    return sentences.is_small_talk(sentence) or is_of_talk or is_farewell


def _tells(text: str, stated: Sequence[Sentence], lasting: float | None) -> bool:
    """Whether a message says something exact, a happening, or what is not only of the day, by its vector or else by its words: "I drive a tower
    crane".
    """
    if asks_for(text):
        return False
    is_lasting = any(not _OF_DAY.search(one.text) for one in stated) if lasting is None else lasting > LASTS_FROM
    return (is_lasting or _is_news(text)) and lexicon.count_words(text) >= _LEAST_WORDS


def _rank(topic: Topic, lasting: float | None) -> tuple[float, bool, int]:
    text = topic.text
    return (lasting or 0.0) + FIRM_WEIGHT * _is_news(text), lexicon.matches("MYSELF", text), len(text)


def _is_news(text: str) -> bool:
    """Whether a text says something exact, a change or a happening."""
    return bool(_EXACT.search(text) or changes.is_change(text) or happenings.weigh(text))
