"""Finds the tone of a text, by its cues, else by its feelings, and the subject for which there are sayings."""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum

from echovessel import lazy_re as re
from echovessel.embeddings.feelings import Felt
from echovessel.llm.offline.feeling_types import Feeling
from echovessel.llm.offline.text import cue_matching, feelings, lexicon, sentences


class Tone(StrEnum):
    RELIEF = "relief"
    GRIEF = "grief"
    TEASING = "teasing"
    FEAR = "fear"
    FATIGUE = "fatigue"
    ANGER = "anger"
    SADNESS = "sadness"
    JOY = "joy"
    CALM = "calm"


HEAVY_TONES = (Tone.GRIEF, Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.FATIGUE)
# What a vector tells is told where words are calm; where these say the opposite, nobody knows.
# Only words tell a death: who hears of an old mother mourns nobody.
_OF_FELT = {Felt.GRIEF: Tone.SADNESS, Felt.HEAVY: Tone.SADNESS, Felt.GLAD: Tone.JOY}
_GLAD = (Tone.JOY, Tone.RELIEF)
# A death that words tell is one.
_COMFORTED = tuple(tone for tone in HEAVY_TONES if tone != Tone.GRIEF)
# Who laughs about these wants no comfort: "failed again lol".
_LAUGHED_OFF = (Tone.SADNESS, Tone.FATIGUE, Tone.ANGER)
_GOOD = (Tone.JOY, Tone.RELIEF, Tone.CALM)
_HARD = (Tone.FEAR, Tone.SADNESS, Tone.ANGER, Tone.CALM)
# The tones in which a subject has its own sayings; in others those of the tone fit better.
_FITS = {
    "moved": tuple(Tone),
    "anger": (Tone.CALM, Tone.JOY),
    "their_nerves": (Tone.FEAR,),
    "their_fatigue": (Tone.FATIGUE, Tone.SADNESS),
    "sadness": _HARD,
    "worry": (Tone.FEAR, Tone.SADNESS, Tone.CALM, Tone.FATIGUE),
    "heights": (*_HARD, Tone.FATIGUE),
    "birthday": _GOOD,
    "news": (*_GOOD, Tone.TEASING),
    "secret": _HARD,
    "funny": (Tone.CALM, Tone.JOY, Tone.TEASING),
}
# What is everyday is taken up only where a short message tells nothing weightier.
_EVERYDAY_FITS = (Tone.CALM, Tone.JOY)
_EVERYDAY_MOST = 140
# Others are answered before a new name is: "I had a row with my brother Emil".
LIGHT_SUBJECTS = ("funny",)
_OF_TAG = {
    "grief": Tone.GRIEF,
    **dict.fromkeys(("fear", "anxiety", "stress"), Tone.FEAR),
    **dict.fromkeys(("relief", "reconciliation"), Tone.RELIEF),
    "anger": Tone.ANGER,
    # Who loves the smell of bread has no news.
    "love": Tone.CALM,
}
# "Ivy asked me whether pianos get tired."
_ASKED_BY_OTHERS = re.compile(r"\basked (?:me |us )?(?:whether|if)\b[^.!?]*", re.IGNORECASE)
# A loss of theirs that somebody speaks of, who is no relative of the user: 来了个客人，他说太太走了三年了.
_OF_THEIRS = re.compile(
    r"(?:[他她]们?(?:[跟和对]我)?(?:说|讲|告诉我|提到)了?[他她自己的]{0,3}|说[他她]们?家?的?)(?:太太|老婆|妻子|媳妇|老公|丈夫|先生|老伴|儿子|女儿|孩子|父亲|母亲|爸|妈|爷|奶|外[公婆]|姥|哥|姐|弟|妹)[^，,。！!？?]*"
    r"|\b(?:he|she|they) (?:said|told me|mentioned) (?:that )?(?:his|her|their) [^,.!?]*",
    re.IGNORECASE,
)
# What an animal fears frightens nobody else: "our greyhound is scared of the stairs".
_FEARED = re.compile(
    r"\b(?:s?he|it|they|who|(?:my|our|the) [\w' ]{1,24}?)(?:'s|'re| is| are| was| were| gets?) (?:so |very |really |a bit |still |always )*"
    r"(?:scared|afraid|frightened|terrified|nervous|anxious|wary|furious|angry|livid|jealous)\b[^.!?,;]*|(?<!我)(?<!我[很好最也])害?怕(?!是)[^，,。！!？?]*",
    re.IGNORECASE,
)
_FEARLESS = re.compile(r"\b(?:afraid|scared|frightened) of (?:nothing|nobody|no ?one)\b", re.IGNORECASE)
_OF_OWN = re.compile(r"我的?(?:哥|姐|弟|妹|爸|妈|爷|奶|外|儿|女|老|丈|妻|媳)|\b(?:my|our)\b", re.IGNORECASE)
# What one says last of mixed feelings is answered: "I'm excited but I feel guilty".
_BUT = re.compile(r"\b(?:but|though)\b|但是?|可是|不过", re.IGNORECASE)
# Who feels guilty for being happy is not congratulated.
_GUILT = "shame"
# "Mum cried", and nothing else, is glad behind good news.
_ONLY_TEARS = re.compile(
    r"^\W*(?:[^,.!?]{1,40}, )?(?:\w+ ){1,3}(?:cried|crying|in tears)(?: too| as well)?\W*$|^\W*(?:(?:and|so|then) )?(?:i (?:\w+ ){0,4})?(?:cry|cried|crying|sobb(?:ed|ing))\b(?! (?:because|over|about|for|myself|all)\b)[^.!?,]{0,40}\W*$|^[^，,\s]{1,14}(?:哭(?:了|得[^，,]{1,8})|[爆大]哭)\W*$",
    re.IGNORECASE,
)
# Of tears many laugh that are another's: "had a customer cry on me lol".
_TEARS = re.compile(r"\b(?:cry|cried|crying|tears)\b|哭", re.IGNORECASE)
# Who dies of laughter mourns nobody.
_SAID_LIGHTLY = (Tone.GRIEF, Tone.FEAR, Tone.SADNESS)
# "My awful boss got fired haha", Kevin被开了哈哈: nobody who laughs at another's lot wants comfort.
_LOT_OF_OTHER = re.compile(
    r"^\W*(?:(?:omg|lol|so|and|guess what|haha|yes)\W+)*(?!(?:i|we|my (?:mum|mom|dad|mother|father|wife|husband|sister|brother|son|daughter|best friend))\b|i')(?:(?:my|the|that|our) )?[\w' ]{1,30}? (?:(?:just|finally|has|have|was|were|is|been) )*(?:got |been |was )?(?:fired|sacked|dumped|caught|told off|demoted|kicked out|beaten|suspended)\b"
    r"|^\W*(?!我[^，,。]{0,2}(?:爸|妈|哥|姐|弟|妹|老公|老婆|儿子|女儿|闺蜜)|我(?:们)?(?:今天|昨天|刚|又|也|居然|竟然)*被)[^，,。]{1,8}?(?:居然|竟然|终于|今天|昨天|刚刚?|也|又|给)*被(?:开|甩|炒|绿|骂|罚|扣|抓|裁)",
    re.IGNORECASE,
)
# No grief: a phone or a plant that died, a hero of a story, and who only left: 老公走了，出差一周.
_NO_DEATH = re.compile(
    r"(?:\b(?:my|our|the|his|her|their|this) )?(?:\w+ )?\b(?:phone|mobile|laptop|computer|pc|mac|car|van|bike|battery|tablet|ipad|tv|telly|fridge|freezer|boiler|wi-?fi|router|printer|engine|mower|plant|flower|cactus|succulent|tomatoe|lawn|grass|tree|rose|orchid|character|hero|heroine|villain|conversation|chat|party|connection|signal|watch|console|machine|dishwasher|oven|toaster|kettle|hoover|car battery)s?"
    r"(?:'s| has| have| just| finally| completely| suddenly| all| literally)* (?:died|dead|passed away|dies|dying)\b"
    r"|(?:手机|电脑|笔记本|车子?|电池|电瓶|相机|平板|空调|冰箱|路由器|服务器|男主|女主|主角|男二|女二|反派|配角|多肉|绿萝|盆栽|植物|仙人掌|芦荟|吊兰)[^，,。]{0,4}死了"
    r"|走了(?=[，,]?\s*(?:去(?!世)|回|出差|上班|先|换|跳槽|辞职|调[到去]|开会|留我|不等|没等|旅游|度假|接|送|上学|打工|加班|说(?:明天|下|过)))|差点[^，,。]{0,4}死了?",
    re.IGNORECASE,
)
# "My teacher is off sick" is told in passing.
_OFF_SICK = re.compile(r"\b(?!i\b)[\w' ]{2,30}(?:'s| is| was| are) off (?:sick|ill)\b", re.IGNORECASE)
_SUPPOSED = re.compile(
    r"\bif (?:only )?(?:i|we|he|she|they)(?:'d| had| ever)*(?: just)? (?:won|pass(?:ed)?|got|get|had|were|was|made|could)\b|\bi wish (?:i|we|he|she|they)\b|(?:要是|如果|假如|假设)[^。！!]{0,20}(?:就好了|的话|就|会|我)",
    re.IGNORECASE,
)
_WHAT_TO_DO = re.compile(r"\W*(?:(?:so|but|oh|god)\W+)*what do (?:i|we) do\W*$", re.IGNORECASE)
_MISSES = re.compile(r"\bmiss(?:ing)?\b|想(?:念|起)?我|梦[见到]", re.IGNORECASE)
_FELT = 3
_NEAR = 24


def find_tone(text: str) -> Tone:
    """Find the tone of a text. Of joy that is another's, or only supposed, nobody is sure, and who has it not is sad."""
    tone = _find_tone(text)
    if tone != Tone.JOY:
        return tone
    if _SUPPOSED.search(text) or feelings.shows("OF_EX", text):
        return Tone.CALM
    return Tone.SADNESS if feelings.shows("ENVIED", text) else tone


def _find_tone(text: str) -> Tone:
    text = text if _OF_OWN.search(text) else _OF_THEIRS.sub("", text)
    text = _NO_DEATH.sub("", _OFF_SICK.sub("", _FEARLESS.sub("", text)))
    text = _FEARED.sub("", text) if lexicon.find_pets(text) and not lexicon.find_kin(text) else text
    said = _find_by_cues(text)
    *_, last = _BUT.split(text)
    if said == Tone.JOY and last != text:
        is_hurt = any(feeling.impact <= -_FELT for feeling in _list_feelings(last))
        said = later if (later := find_tone(last)) in HEAVY_TONES else Tone.SADNESS if is_hurt else said
    if said == Tone.JOY and any(feeling.tag == _GUILT for feeling in _list_feelings(text)):
        said = Tone.SADNESS
    felt = max(_list_feelings(text), key=lambda feeling: abs(feeling.impact), default=None)
    is_peak = felt is not None and abs(felt.impact) >= feelings.PEAK
    if laughs_at_other(text) or (said in _LAUGHED_OFF and feelings.LAUGHED_AT.search(text) and not is_peak):
        return Tone.CALM
    if felt is None or abs(felt.impact) < _FELT:
        return said or Tone.CALM
    is_heavy = felt.impact <= -feelings.PEAK
    if said is None or (is_heavy and said in (Tone.JOY, Tone.TEASING)):
        said = _OF_TAG.get(felt.tag, Tone.JOY if felt.impact > 0 else Tone.SADNESS)
        # "He could have died": of what did not happen the feelings are faint.
        said = Tone.FEAR if said == Tone.GRIEF and abs(felt.impact) == _FELT else said
    # 脑梗 is what somebody died of: 黄伯走了 他女儿来说的 脑梗.
    mourns = any(one.tag == "grief" and one.impact <= -feelings.PEAK for one in _list_feelings(text))
    return Tone.GRIEF if said == Tone.FEAR and mourns else said


def laughs_at_other(text: str) -> bool:
    return bool(feelings.LAUGHED_AT.search(text) and _LOT_OF_OTHER.search(text))


def weigh(tone: Tone, felt: Felt | None, *, before: Iterable[str] = ()) -> Tone:
    """Return the tone of a message, given what its words show, what its vector tells, and the messages before it; calm where nobody
    can be sure, since one contradicts the other, or what is glad stands behind something heavy.
    """
    is_other = tone in _GLAD if felt in (Felt.GRIEF, Felt.HEAVY) else felt == Felt.GLAD and tone in _COMFORTED
    if is_other or (felt == Felt.GLAD and tone == Tone.CALM and any(find_tone(line) in HEAVY_TONES for line in before)):
        return Tone.CALM
    return _OF_FELT.get(felt, tone) if felt and tone == Tone.CALM else tone


def find_glad_tears(text: str, before: Iterable[str]) -> Tone | None:
    """Return the tone of good news behind which somebody cried, where nothing else is told."""
    told = [tone for tone in map(find_tone, before) if tone != Tone.CALM] if _ONLY_TEARS.match(text) else []
    return told[-1] if told and told[-1] in _GLAD else None


def is_at_a_loss(asked: str, before: Iterable[str]) -> bool:
    """Whether "what do I do" asks for advice: behind something heavy, not for one's work."""
    return bool(_WHAT_TO_DO.match(asked)) and any(find_tone(line) in HEAVY_TONES for line in before)


def misses_dead(text: str, told: Sequence[str]) -> bool:
    """Whether a text misses a relative of whose death was told before."""
    kin = lexicon.find_kin(text) if _MISSES.search(text) else set()
    return bool(kin) and any(kin & lexicon.find_kin(one) and find_tone(one) == Tone.GRIEF for one in told)


def find_cue_end(text: str, tone: Tone) -> int:
    """Return where the first words for a tone end, in characters; 0 where no words show it."""
    return next((end for shown, end in _list_cues(text) if shown == tone), 0)


def _find_by_cues(text: str) -> Tone | None:
    return next((tone for tone, _ in _list_cues(text)), None)


def _list_cues(text: str) -> Iterator[tuple[Tone, int]]:
    """Yield the tones that words show, the decisive first, each with where its words end."""
    words = cue_matching.choose_cues(text)
    plain = _ASKED_BY_OTHERS.sub("", lexicon.normalise(text))
    # Chinese cues leave out by themselves who dies of laughter: 后悔死了 is meant.
    meant = plain if lexicon.is_chinese(text) else feelings.blank_idioms(plain)
    for tone, pattern in words.TONES.items():
        for found in cue_matching.compile_cue(pattern).finditer(meant if tone in _SAID_LIGHTLY else plain):
            if not cue_matching.search(words.NOT, plain[max(0, found.start() - _NEAR) : found.start()]):
                yield Tone(tone.partition(",")[0]), found.end()


def _list_feelings(text: str) -> list[Feeling]:
    return [feeling for said in sentences.split(text) for feeling in feelings.find_feelings(said)]


def find_subject(text: str, tone: Tone) -> str:
    """Return the subject of a text that may be answered in its tone; "" where it has none."""
    if laughs_at_other(text):
        return "funny"
    # Nobody is wished well on what is off, denied or only hoped for.
    is_dampened = any((cue_matching.has_cue("DAMPENED", text), _SUPPOSED.search(text), feelings.shows("OF_EX", text)))
    laughed_at = filter(feelings.LAUGHED_AT.search, sentences.split(text)) if tone == Tone.CALM else ()
    if any(_find_by_cues(_TEARS.sub("", said)) == Tone.SADNESS for said in laughed_at):
        return "laughed_off"
    found = (
        kind
        for kind, pattern in cue_matching.choose_cues(text).SUBJECTS.items()
        if tone in _FITS[kind] and not (is_dampened and kind == "news") and cue_matching.search(pattern, text)
    )
    return next(found, "") or (_find_everyday(text) if tone in _EVERYDAY_FITS else "")


def _find_everyday(text: str) -> str:
    """Return the everyday subject of a short text; "" where it has none."""
    if len(text) > _EVERYDAY_MOST:
        return ""
    found = (
        kind for kind, pattern in cue_matching.choose_cues(text).EVERYDAY.items() if cue_matching.search(pattern, text)
    )
    return next(found, "")
