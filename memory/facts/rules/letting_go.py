"""Reads that the user lets go of something told, however they put it. Which fact is meant, its words must say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from echovessel import lazy_re as re
from echovessel.llm.offline.text import lexicon, passages, sentences
from echovessel.llm.offline.text.passages import Passage
from memory.facts.checks import wording
from memory.facts.rules import requests

# An order to forget, not what somebody forgets or shall not forget; and what else is said to let something go.
_ADDRESSED = r"(?:(?:and|so|ok|okay|oh|please|just|kindly|no|actually|(?:can|could|will|would) you|you (?:can|may|should|must)|you(?:'d| had) better|i(?:'d like| would like| want| need) you to)\W+)*"
ORDERED = rf"(?:^|[,;:–—])\W*{_ADDRESSED}(?:forget|delete|erase)\b"
_SAID = (
    r"\b(?:out of|off) your (?:head|mind|memory|notes|list|system|books?|record)\b"
    r"|\b(?:gone|removed|deleted|erased|wiped) (?:from|off|out of) (?:your|the) (?:head|mind|memory|notes|list|system|record)\b"
    r"|(?:^|[,;.] )(?:never mind|nvm) about\b|\byou never (?:heard|knew)\b|\b(?:don't|do not|stop) (?:hold(?:ing)? onto|keep(?:ing)? track of|track(?:ing)?)\b"
    r"|\b(?:as if|as though|pretend|imagine|let's say) (?:that )?(?:i|you|we) (?:(?:never|hadn't|had not|didn't|did not|don't|do not) )+(?:ever )?(?:say|said|tell|told|mention(?:ed)?|know|knew|hear|heard)\b"
    r"|\b(?:i never (?:said|told you|mentioned) (?:it|that|this|any(?:thing| of it)|a word)\b[^.!?]{0,40}\b(?:ok|okay|all ?right|deal|please)|let (?:it|that|this) go unsaid|(?:rather|please|just|kindly|can|could|would) (?:you )?let (?:it|that|this) go|(?:consider|leave) (?:it|that|this) unsaid|i take (?:it|that|this) (?:all )?back)\b"
    r"|\b(?:you (?:don't|do not|needn't|need not) (?:need to |have to )?|no need (?:for you )?to )(?:know|keep|remember|hold on to|hang on to|carry)\b"
    r"|\b(?:can|could|would|will) you(?: please| just| maybe)* not (?:know|keep|remember|store|save|hold on to|hang on to)\b"
    r"|\b(?:i'd|i would|i) (?:rather|prefer|wish) (?:that )?you (?:to )?(?:forgot|forget|didn't know|did not know|didn't (?:have|keep|remember))\b"
    r"|\bprefer (?:it )?if you (?:forgot|didn't (?:know|have|keep|remember))\b"
    r"|你.{0,4}忘了[吧哈啊]|(?:就|只|全|都)?当(?![时年初天晚])[^，,。]{0,6}(?:不知道|不晓得|没(?:有)?(?:听|说|提|讲))|(?:别|不要|不用|不必|甭)(?:再|往(?:心里|脑子里)?)?(?:记(?![得住错])|惦记|放在?心|[留存]着?(?![在下\u4e00-\u9fff])|留底)|撤回(?!了)|移除|算我没(?:说|提|讲)|(?:从|打)(?:你)?(?:脑子|心|记忆)里.{0,6}(?:去|掉|走|出)"
    r"|(?<![别要用会计])(?<!(?<!给)我)(?:忘|抹|删|清|划)(?:掉|去|干净)(?!了\W*$)|(?<!我)删了|收回我?(?:刚才|那|这|说)"
)
_VERBS = r"scrap|scratch|drop|un-?learn|un-?remember|bin|bury|wipe|ditch|lose|disregard|ignore|remove|strike|strip|scrub|purge|trash|discard|undo|rub out|cross out"
DROPPED = rf"(?:^|[,;:?–—])\W*(?:let's\W+)?{_ADDRESSED}(?:{_VERBS}|never mind|nvm)\b"
# What a model's call to forget needs to have heard besides: it knows whether it was asked.
_KEEP = r"(?:keep|hold|hang|remember|stor|track|sav|know|carry|retain|record|writ|not(?:e|ing)\b)\w*"
_MEMORY = r"(?:head|mind|memory|notes?|lists?|system|books?|records?|files?)"
_MAY = (
    rf"(?:^|[,;:?–—]|\b(?:then|please|let's|(?:can|could|would|will) you|you (?:can|may|should|must|had better)|you'd better|you to)\W)\W*(?:(?:please|just|kindly|and|so) )*(?:forget|delete|erase|{_VERBS}|(?:cross|rub|blot|clear)(?: (?:out|off|away))?(?= (?:the|that|this|it|them|my|h\w\w|our|their|all|any|every\w*|what\w*|those|these)\b)|get rid|let (?:it |that |this |the [\w' -]{{1,30}})?go)\b"
    r"|\b(?:want|like|prefer|need) .{1,40}\b(?:gone|removed|deleted|erased|forgotten|wiped)\b|\b(?:can|could|make) .{1,40}\b(?:go|disappear|vanish)\b(?:, please)?\W*$|^\W*(?:please )?let\b.{1,40}\b(?:go|rest)\b"
    r"|\b(?:nvm|never mind|regret telling you|(?:shouldn't have|wish i (?:hadn't|had never|never)) (?:told|said|mentioned)|none of your business)\b|\b(?:pretend|let's say|as far as you)\b.{1,40}\b(?:never|no|not|nothing)\b"
    rf"|(?<!\bi )(?<!\bwe )(?<!\bwhat )(?<!\bwho )\b(?:(?:don't|do not)(?!\W+(?:even |really )?know)|stop|no need to|mind not|you not|don't want you to|if you didn't|(?:and|please) never)\W+(?:\w+\W+){{0,2}}?{_KEEP}"
    rf"|\b(?:rather|sooner|prefer|best|better|glad|like it|appreciate it)\b.{{0,20}}\byou (?:didn't|did not|don't|knew nothing|forgot)\b"
    rf"|\b(?:don't|do not) (?:want|need|like) .{{1,40}}\b(?:remembered|kept|stored|saved|recorded|written down|on file)\b|\b(?:isn't|is not|not) (?:something|anything|one|for) .{{0,20}}(?:remember|kept|keep|stor|record)"
    r"|\b(?:must|shall|should|can|could|may|might|has to|have to|ought to|needs? to) (?:all |just |please )?be (?:forgotten|deleted|erased|removed|wiped|struck|scrubbed)\b"
    r"|\b(?:let us|can we|(?:we|you)(?:'ll| shall| should| can| could)?(?: better| just)?) (?:forget|delete|erase|strike|scratch|scrap)\b|\b(?:off|out of|from) the records?\b|\btear up\b"
    rf"|\b(?:off|out of|from|(?:wasn't|isn't|not|weren't) in) (?:your|whatever|any) (?:\w+ )?{_MEMORY}\b|\bun-?(?:say|said|tell|hear|know|learn)\b|\bif .{{1,40}}\b(?:disappeared|vanished|were gone|was gone)\b|\b(?:has|have|needs?|got) to go\W*$"
    r"|(?<!我)忘(?:光|[了掉][它他她这那])|(?:[这那]|[条句段个件]事?)撤(?:了|掉|销|回)|拿掉|当没看[到见]|[请麻烦](?:删|清|忘|抹)|抹[了去掉]|移除|清一下|[清擦](?:出去|掉)|去掉|求你忘|直接忘|放屁|收回(?!了)|翻篇|作废|左耳进|烂在肚子|不想让你知道|你?没听过.{1,8}回?事|删\W*$|从你.{0,6}消失|当[^，,。]{0,4}(?:不知情|没这|没发生)"
    r"|(?:别|不要|不用|不必|甭|莫|希望你不)[^，,。！!？?]{0,4}(?:留在你|存|(?:留|装|收|记)着|留档|保留|放[在底喺]?(?:你|心|脑))|(?:能不能|可不可以|可以|能|要不|最好)不(?:记(?![得住账错恨仇过性])|[存留](?![在钱款]))|(?:delete|pass|drop) ?掉|不(?:希望|想|愿|要)让?你[^，,。]{0,3}(?:记|存|知道|留着)|不(?:想|愿|要|用|必|需要)再?(?:留[下个]?|存|做)?(?:记录|痕迹|底|记了)"
)
# A word of keeping that is forbidden, or one of undoing that is asked of the companion, whatever is meant.
_NO = r"(?:别|不要|不许|不准|不用|不必|不能|不可以?|莫|勿|甭|唔好)(?:再|往|给我|帮我|替我|有任何|你){0,2}"
_KEPT = r"(?:记(?![得错恨仇挂账过])|(?:[留存]|保[留存])着?(?![在下]|(?![记底档痕])[\u4e00-\u9fff])|[留入]档|留底)"
_FROM = r"从你?.{0,4}(?:脑[子袋海]|心|记忆|本本?|这儿?|那儿?|那边)里?上?"
_UNDONE = (
    r"(?:给我|立刻|直接|都|也)*(?:[忘删清抹消划去退](?:[掉除光喽空]|一下)|失忆|忘了(?!\W*吗)|忘记|删了)(?![了的]?吗)"
)
_BEGINS = r"(?:^|[.,;:!?–—-]\s*|\b(?:and|so|oh|pls|kindly)\s)(?:please |pls |just |kindly |so )*"
_UNSURE_ENGLISH = (
    rf"{_BEGINS}(?:would you |could you |can you )?(?:delete|erase|remove|scrub|flush|clear out|un-?(?:know|tell|hear|say))\b(?! (?:the |that |this |my )?(?:\w+ )?(?:keys?|files?|apps?|photos?|e-?mails?|games?|folders?)\b)"
    r"|\b(?:please|pls|kindly)\W+(?:forget|let go of|let (?:that|it|this))\b(?! about it)|\bun-?(?:know|tell|hear|say)\b"
    rf"|{_BEGINS}(?:don't|do not|never|stop|don't you dare) (?:ever )?(?:keep|store|hold on to|remember) (?:it|that|this|the|my|any)\b"
    r"|\bshould(?:n't| not| never) (?:ever )?have (?:told you|said (?:that|it)|mentioned|shared|pasted)\b|\bpretend (?:that )?i (?:didn't|did not|never)\b"
    r"|\bi (?:don't|do not|can't|cannot) (?:ever )?(?:want|have|accept) (?:you|it|that|this)\b.{0,30}\b(?:have|having|keep|mention|memory|note|noted|know|knowing|remembered|kept|stored|written|again)\b"
    r"|\bi(?:'d| would) like (?:it|that|this|them) (?:removed|gone|deleted|erased|forgotten)\b|\bnot comfortable with you (?:knowing|having|keeping)\b"
)
_UNSURE = re.compile(
    rf"{_UNSURE_ENGLISH}|{_NO}{_KEPT}|(?:请你?|[你您](?:快|就|都|也|那边|直接|给我|务必|可)*|麻烦你?|务必|{_FROM}){_UNDONE}|装作[^，,。]{{0,6}}没(?:有)?(?:听|说|提|讲)",
    re.IGNORECASE,
)
# What a wish to forget has in it, whatever else it says: by its vector alone a message that tells of a death may be one. 因为我忘了纪念日 has none.
_MAY_LET_GO = re.compile(
    r"\b(?:forg[eo]t\w*|delet\w+|eras\w+|remov\w+|wip\w+|str(?:ike|uck|ip)|scra\w+|scrub|bin|ditch|drop|lose|let go|tear|cancel|clear(?! (?:of|on|from|about|to|for|and)\b|\W*$)|get rid|keep\w*|kept|stor(?:e|ed|ing)|sav(?:e|ed|ing)|record|notes?|noted|memory|hold|remember\w*|(?:(?<!n['’]t )(?<!\bto )|(?<=\byou to ))know\w*|you (?:don['’]t|didn['’]t)|hear|heard|mention\w*|private|secret|business|un-?(?:do|hear|know|learn|read|remember|said|say|see|tell)\w*)\b"
    r"|(?:(?<![我他她们])|(?<=[给帮]我))忘|[删清抹撤除]|去掉|拿掉|[别甭莫勿]|不[想要用必该许准需能记]|当[我你没]|收回|作废|没[说提讲听]",
    re.IGNORECASE,
)
# Of these words alone one cannot tell, unless they say that it was told.
_OF_TALK = r"(?=\W+(?:all )?(?:the |that |this )?(?:[\w'-]+ )?(?:stuff|thing|bit|part|business|story|info|note|entry|what i)\b)"
_LETS_GO = re.compile(f"{_MAY}|{_SAID}", re.IGNORECASE)
_ORDER = re.compile(ORDERED, re.IGNORECASE)
_OUTRIGHT = re.compile(f"{DROPPED}{_OF_TALK}|{ORDERED}|{_SAID}", re.IGNORECASE)
# Who only wants to forget, or tells why, asks for nothing.
_OF_ONESELF = re.compile(r"[想试]|打算|为了", re.IGNORECASE)
# A deed that is told asks for nothing, either: 打了又删掉, 把生产库删了，没备份, 她就当没看见.
_DEED = re.compile(
    r"^(?![^。！!？?]*[你您请吧帮给别])[^。！!？?]*(?:[他她们谁又我]|把(?!(?:它|[这那刚上前昨])))[^。！!？?]{0,9}(?:[删清抹划忘撤][了掉去回]|收回去|当没)"
)
# "What I said of Ann was unkind. Forget it": it is what was told.
_TOLD = re.compile(r"\b(?:said|told|mention\w*|know|remind)\b|[说讲提]|知道|告诉", re.IGNORECASE)
_POINTS_BACK = re.compile(
    r"^\W*(?:(?:please|just|and|so)\W+)*\w+ (?:it|that|this)\b(?:, please| please)?\W*$", re.IGNORECASE
)
_DROPPED_IT = re.compile(rf"{DROPPED}\W+(?:it|that|this|them)(?: all)?\b\W*$", re.IGNORECASE)
_IT = re.compile(r"\b(?:let's|let us|say|it|that|this|them)\b", re.IGNORECASE)
# "Delete that number", 上面那句删了吧: it is what was told last. Of an idiom one cannot be sure: "forget that".
_POINTS = re.compile(
    r"\W*(?:(?:that )?i(?:'ve| have| had| just| ever)* (?:said|told you|mentioned)(?: (?:it|that|this|so|any(?:thing| of (?:it|that))))?(?:,? (?:please|pls|ok|okay|will you|would you))?|em|both|(?:that|this|those|these) [\w']+)\W*|[把请你就\W]*(?:[这那上刚][面才刚一那]*[句条段件个]*(?:话|事儿?)?)\W*[吧呗你]?\W*",
    re.IGNORECASE,
)
_I_SAID = re.compile(r"\W*(?:that )?i\b[^,]*\b(?:said|told|mentioned)\b", re.IGNORECASE)
_IDIOMATIC = re.compile(r"\b(?:forget|scratch|strike|drop|let)\b|忘|当", re.IGNORECASE)
# "Father Moran and the wall, kindly forget that", 鞋盒那个事，你赶紧给我忘了; "I'm late, forget it" means nothing that was told.
_FRONTED = re.compile(
    r"^\W*(?:(?:about|abt|regarding|re)\b\W*)?(?P<what>(?!(?:i|we|you|he|she|they|it|there|this|let|ah|oh|no|well|ok|never|please)\b)[^,:;]{3,60}?),\W*(?:(?:kindly|please|pls|just|you|let|can|could|would|will|better|do|also|now)\W+)*forget (?:it|that|what i (?:said|told you))\b"
    r"|^(?P<thing>[^，,。]{2,16}?)(?:里|上)?(?:的事情?|的?[这那](?:件|个|档)?(?:事|件)儿?)(?:[，,\s]*(?:你|您|也|都|就|赶紧|快|给我|还是|务必|请))*[，,\s]*忘(?:了|掉)(?!\W*吗)",
    re.IGNORECASE,
)
# "My mum: 'forget the birth pool'": another says it.
_QUOTES = re.compile(r"\w[:：]\W*['\"“‘「]")
# "Do you ever forget that?", 会把我说的话删掉吗.
_ASKS_ABOUT = re.compile(
    r"^(?!.*(?:\b(?:can|could|will|would) (?:you|we)\b(?! forget)|能不能|可不可以|可以|能否|[行好]吗)).*[?？吗]\W*$",
    re.IGNORECASE,
)
# "Take it out of your head": what stands before is meant.
_POINTING = re.compile(
    r"(?:it|that|this|them)\b(?: (?:away|out|off|up|from|for|before|because|so|as)\b.*)?\W*$", re.IGNORECASE
)
_HENCEFORTH = re.compile(r"\bfrom now on\W*|[今以往]后|从现在起", re.IGNORECASE)
# In Chinese a space parts clauses, too.
MARK = re.compile(r"[,;:，；：–—]|\s+(?=[\u4e00-\u9fff])")
# "I missed the train, forget it" lets nothing go that was told.
_IDIOM = re.compile(r"\W+forget (?:it|that)\W*$", re.IGNORECASE)
# Words that say only that something was told.
_THING = re.compile(
    r"\b(?:the |that |this )?(?:whole )?(?:stuff|thing|bit|part|business|story|matter|note)s?\b(?! of mine)|\b(?:either|any ?more|please|pls|remind me|should(?:n't| not| never) (?:ever )?have (?:told you|said|mentioned|shared)(?: about)?)\b|(?:之前|以前|上次|刚才)?我?[跟和对给]你[说讲提](?:过|的)?|就?(?:别|不要)[再老往外]*[提说讲传]|[那这](?:[件个些条段]|笔)|的?事情?(?![\u4e00-\u9fff]{2})|作废|能不能|可不可以|可以|麻烦|帮我|[你您请吗吧也就都过了把]",
    re.IGNORECASE,
)
# So many of the words a fact must hold, and this share of them; of Chinese a pair and this share of the characters.
LEAST_WORDS, LEAST_SHARE, LEAST_HAN_SHARE = 2, 0.5, 0.6
# Who told it more often than this told something else, too.
MEANT_MOST = 3


@dataclass(frozen=True, kw_only=True)
class LetGo:
    """A wish to forget: the words by which to find what is meant, "" where they only point to what was told last; and what its line
    says before it.
    """

    words: str
    before: str = ""
    # Nothing may be forgotten without asking.
    is_unsure: bool = False


def lets_go(said: str) -> bool:
    """Whether a sentence may let something go: a model knows whether it does."""
    said = requests.SEAM.sub(" ", lexicon.normalise(said))
    return _LETS_GO.search(said) is not None or _find_unsure(said) is not None


def may_let_go(said: str) -> bool:
    """Whether a message has a word that wishes to forget have."""
    return _MAY_LET_GO.search(requests.SEAM.sub(" ", said)) is not None


def sounds_so(said: str) -> bool:
    """Whether a message may let something go, in its own words and not those of another."""
    return any(
        lets_go(one)
        and not any(other.search(one) for other in (_QUOTES, _OF_ONESELF, _DEED, requests.OF_A_TEXT))
        and not passages.is_reported(one.lower().replace("i said", ""))
        for one in sentences.split(said)
    )


def read(line: str) -> Iterator[LetGo]:
    """Yield what each sentence lets go of, in its words; in those before it, where it points back to them."""
    before: list[str] = []
    for sentence in map(lexicon.normalise, sentences.split(line)):
        said = requests.SIGH.sub("", _HENCEFORTH.sub("", sentence))
        outright = _FRONTED.search(said) or _OUTRIGHT.search(said) or _find_of_lead(said)
        if (
            (match := outright or _find_unsure(said))
            and not (_QUOTES.search(said[: match.end()]) or requests.OF_A_TEXT.search(said))
            and not passages.is_imagined(said.replace(match[0], ""))
            and not _OF_ONESELF.search(said[: match.start()])
        ):
            yield from _build(said, match, before, is_outright=outright is not None)
        before.append(sentence)


def _find_unsure(said: str) -> re.Match[str] | None:
    """Find what sounds like a wish to forget, in words by which nothing may be forgotten without asking."""
    return None if passages.is_reported(said) else _UNSURE.search(said)


def _build(said: str, match: re.Match[str], before: Sequence[str], *, is_outright: bool) -> Iterator[LetGo]:
    told = " ".join(before)
    if fronted := find_fronted(said):
        yield LetGo(words=fronted, before=told)
        return
    words = _cut_around(said, match)
    points_back = _POINTS_BACK.match(said) or not _THING.sub("", _IT.sub("", words)).strip()
    words = before[-1] if points_back and before and _TOLD.search(before[-1]) else words
    if points_at_last(words):
        # "Forget that I said it" quotes nobody and is no idiom.
        says_told = _I_SAID.match(words) is not None
        is_of_other = (passages.is_reported(said) and not says_told) or said[match.end() :].startswith((":", "："))
        is_idiomatic = _IDIOMATIC.search(match[0]) is not None and not says_told
        if not (is_of_other or _IDIOM.search(said) or _ASKS_ABOUT.search(said)):
            yield LetGo(words="", before=told, is_unsure=is_idiomatic)
        return
    is_of_thing = _ORDER.search(match[0]) is None or _THING.search(words)
    if not is_outright or len(list_words(words)) >= (1 if is_of_thing else LEAST_WORDS):
        yield LetGo(words=words, before=told, is_unsure=not is_outright)


def find_fronted(said: str) -> str:
    """Return what a sentence begins with and then asks to forget; "" where it does not."""
    match = _FRONTED.search(said)
    return (match["what"] or match["thing"]) if match else ""


def points_at_last(words: str) -> bool:
    """Whether the words of a wish name nothing."""
    return not list_words(words) or _POINTS.fullmatch(words) is not None


def _find_of_lead(said: str) -> re.Match[str] | None:
    """Find a wish whose "it" is what its sentence begins with: "What I said about the pallet, would you scrub that?"."""
    match = _DROPPED_IT.search(said)
    return match if match and _TOLD.search(said[: match.start()]) else None


def _cut_around(said: str, match: re.Match[str]) -> str:
    """Return the clauses before a wish and the rest of its own: a reason may follow."""
    if _IDIOM.match(said[match.start() :]):
        return ""
    lead, behind = MARK.split(said[: match.start()]), MARK.split(said[match.end() :])[0]
    # A Chinese wish has what it means before its verb.
    is_told = lexicon.is_chinese(said) and list_words(lead[-1])
    told = lead if is_told else lead[:-1] or lead
    return " ".join(f"{','.join(told)} {behind}".split())


def name_pointed(words: str, passage: Passage) -> str:
    """Return what stands before a wish whose words only point to it, in its sentence or the one before; else these words."""
    if not _POINTING.match(words):
        return words
    lead = passage.text[: max(0, passage.text.find(words))].rpartition(",")[0]
    told = (lead, *reversed(sentences.split(passage.before)))
    return next((said for said in told if list_words(said)), words)


def is_of_telling(said: str) -> bool:
    """Whether a clause speaks of what was told, and tells nothing: "the visa matter"."""
    return bool(_THING.search(requests.PARTICLE.sub("", said)) or _TOLD.search(said))


def list_words(words: str) -> list[str]:
    return wording.list_firm_words(_THING.sub(" ", words))


def find_meant(facts: Sequence[str], words: str) -> list[int]:
    """Return the position of the one fact that holds most words of what is let go of, or else the most part; none where several do."""
    weighed = [weigh(told, words) for told in facts]
    weighed = weighed if any(weighed) else [shares_words(told, words) for told in facts]
    meant = [at for at, held in enumerate(weighed) if held == max(weighed) > 0]
    return meant if len(meant) == 1 else []


def find_telling(told: Sequence[str], words: str) -> list[int]:
    """Return the positions of the texts that hold most words of what is let go of, of those that any holds, a rare one among
    them; none where they hold different ones.
    """
    own = [wording.list_firm_words(one) for one in told]
    held = {word: {at for at, one in enumerate(own) if wording.holds_words(one, [word])} for word in list_words(words)}
    counted = {at: {word for word, places in held.items() if at in places} for at in range(len(told))}
    most = max(map(len, counted.values()), default=0)
    best = [at for at, found in counted.items() if len(found) == most > 0]
    is_one = all(counted[at] == counted[best[0]] for at in best)
    is_rare = is_one and any(len(held[word]) <= MEANT_MOST for at in best for word in counted[at])
    has_pair = not lexicon.is_chinese(words) or all(
        any(pair in told[at] for pair in wording.list_pairs(words)) for at in best
    )
    least = LEAST_HAN_SHARE if lexicon.is_chinese(words) else LEAST_SHARE
    is_enough = most >= least * sum(map(bool, held.values()))
    return best if is_rare and has_pair and is_enough and len(best) <= MEANT_MOST else []


def shares_words(told: str, words: str) -> bool:
    """Whether a fact holds more than half of the words, of Chinese half of the pairs of characters."""
    if lexicon.is_chinese(words):
        pairs = wording.list_pairs(_THING.sub(" ", words))
        return 0 < len(pairs) <= 2 * sum(pair in told for pair in pairs)
    said = list_words(words)
    return 2 * count_held(told, said) > len(said)


def weigh(told: str, words: str) -> int:
    """Count the words of what is let go of that a fact holds; 0 where they are too few to mean it."""
    said = list_words(words)
    held = count_held(told, said)
    if lexicon.is_chinese(words):
        # 欠我爸钱 of 用户欠用户爸四千块钱: three characters say as much as a pair.
        has_pair = held > LEAST_WORDS or any(pair in told for pair in wording.list_pairs(words))
        return held if has_pair and held >= LEAST_HAN_SHARE * len(said) else 0
    return held if held >= max(LEAST_WORDS, LEAST_SHARE * len(said)) else 0


def count_held(told: str, words: Sequence[str]) -> int:
    own = wording.list_firm_words(told)
    return sum(wording.holds_words(own, [word]) for word in words)
