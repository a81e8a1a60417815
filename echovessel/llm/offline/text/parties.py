"""Finds whom a cue of feeling speaks of, by the people and animals named around it, and who is no relative of the user."""

from collections.abc import Iterable

from echovessel import lazy_re as re
from echovessel import text
from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import vocabulary as english
from echovessel.llm.offline.feeling_types import Party
from echovessel.llm.offline.text import lexicon
from echovessel.llm.offline.text.mentions import PARTY_OF_CONCEPT, Known, Mention
from echovessel.llm.offline.text.mentions.chinese import find_chinese_mentions
from echovessel.llm.offline.text.mentions.english import find_english_mentions

_EX = re.compile(r"\b[Ee]x(?:-\w+)?,? ([A-Z][a-z]+)\b")
# Somebody's relative, who is none of the user's.
RELATIVE_OF_OTHER = r"(?:[他她]们?|人家|老婆|老公|对象|[男女]友|同事|同学|室友|邻居|老板|领导|客户|病人|闺蜜|朋友|(?<!我)[老小阿][\u4e00-\u9fff]|[\u4e00-\u9fff][姐哥叔姨婶嫂总](?=家?的)|[A-Z][a-z]+)(?:娘?家)?的?[大小二]?(?:爸妈|父母|妈妈?|爸爸?|姐姐?|哥哥?|弟弟?|妹妹?|爷爷|奶奶|阿[嬷公婆]|姥[姥爷]|外公|外婆|那口子|媳妇|丈夫|妻子|老伴|闺女|老公|老婆|先生|太太|儿子|女儿|孩子|孙[子女]|外孙)"
# Who is only called so: 王阿婆, 阿may姐姐, 新叔叔, and the user by a grandchild, 问我奶奶你会不会, 我说奶奶要看.
ONLY_CALLED = rf"(?:(?<!我)[{chinese.SURNAMES.replace('于', '')}]|[A-Za-z]{{2,}}|新)(?:阿[姨婆公嬷]|叔叔?|奶奶|爷爷|大[爷妈姐哥]|姐姐?|哥哥?|妹妹?|弟弟?|伯[伯母]?|[嫂婶姨]|太太|爸爸|妈妈)|[说喊叫问]我?[，,：:\s]*(?:爸|妈|姐|哥|爷爷|奶奶|外[公婆]|姥[姥爷])[，,\s]*[你您].*|[问说喊][了着]?我[，,：:\s]*(?:姐姐|哥哥|阿姨|叔叔)[，,\s]*我.*|[问说]我?[，,：:\s]+(?:爸爸?|妈妈?)(?=为(?:什么|啥)|怎么|不要|别|去哪)|说[，,：:\s]+(?:爸爸?|妈妈?|爷爷|奶奶|外[公婆]|姥[姥爷])(?=\W*$)|写[，,：:\s]*(?:爸爸|妈妈|爷爷|奶奶|叔叔|阿姨)(?!的)|(?:娃|孩子|儿子|女儿|[他她])问(?:爷爷|奶奶|外[公婆]|姥[姥爷]|[爸妈]{{1,2}})|叫我(?:[了过]?一?声|[^，,。\s]{{0,3}})[爸妈哥姐爷奶]+|我就?说(?:爷爷|奶奶|外[公婆]|姥[姥爷]|妈妈|爸爸)[要会陪给等爱]"
# 她好像有男朋友: whose relative that is.
_OF_OTHER = re.compile(
    rf"{RELATIVE_OF_OTHER}|{ONLY_CALLED}|(?:^|[，,。\s])(?!(?:最近|终于|现在|已经|今天|我(?!同|朋友|室友|闺蜜|[哥姐弟妹]|儿子|女儿|[表堂])|也|还|又|没|刚|都|想|要|他|她))我?[^，,。\s我]{{2,8}}(?:有|谈了?|找了?|[带领换交]了?(?:个|着|新|上)*)个?(?:女朋友|男朋友|对象|老婆|老公)|(?<=[是要生])个(?:女儿|儿子)|没有?(?:对象|男朋友|女朋友|男友|女友|老婆|老公|孩子)|^我是[^，,。\s]{{0,6}}(?:妈妈?|爸爸?|奶奶|外婆|爷爷|姥姥)|[个位](?:[^，,。\s]{{1,6}}的)?(?:老|小)?(?:奶奶|爷爷|阿姨|叔叔|大爷|大妈|老太太|姐姐|哥哥|妹妹|弟弟|大[姐哥叔]|小[妹弟])|[说喊叫][，,：:\s]*(?:爸|妈|姐|哥|爷爷|奶奶)[，,\s]*我.*|管我叫[爸妈哥姐爷奶]+|(?<!我)说[^，,。\s]{{0,4}}你.*|(?:说|喊|叫)(?:叔叔|阿姨|哥哥|姐姐|大爷|爸爸你|妈妈你|[，,：:].*)|(?<!我)说(?:大姐|大哥|老师|师傅|阿姨|叔叔|奶奶|爷爷)|[喊叫](?:一?声)?(?:奶奶|爷爷|外[公婆]|姥[姥爷]|妈妈|爸爸)|[他她]们?(?![^，,。！!？?]*我)[^，,。！!？?]*"
)
# Whom a message greets: 闺女 我又来了.
_KIN = "|".join(english.KIN.values())
# A friend's dad and "the father" are nobody of the user's; of "my sister's husband" the sister is.
_OF_OTHERS = re.compile(
    rf"\b(?:his|her|their|your) (?:\w+ )?(?:{_KIN})\b|\b(?:(?P<owner>(?:my|our) \w+)|(?!(?:it|that|what|who|there|he|she|let|how|where)'s)[\w-]+)'s (?:\w+ )?(?:{_KIN})\b|\b(?:the|a|an|some|another) (?:\w+ )?(?!wife|husband|missus|in-laws)(?:{_KIN})\b(?! of mine)",
    re.IGNORECASE,
)
_OF_USER = re.compile(r"\b(?:the )?user's\b", re.IGNORECASE)
_GREETED = r"^\W*(?:闺女|姑娘|丫头|孩子|妹子|大[姐哥妹]|老?[哥弟姐妹]|兄弟)[，,\s]+(?=[我你在])"
_QUOTED = re.compile(rf"[\"“「][^\"”」]*[\"”」]|{_GREETED}")


def choose_party(concepts: set[str]) -> Party | None:
    """Return the party nearest to the user among these kin and pets."""
    order = [*Party]
    found = [PARTY_OF_CONCEPT.get(concept, Party.PET if concept in english.PETS else None) for concept in concepts]
    return min((party for party in found if party), key=order.index, default=None)


def find_mentions(text: str, *, in_chinese: bool, known: Known) -> list[Mention]:
    """Return all mentions in the order of the text; a thing in a person's place is NOBODY."""
    find = find_chinese_mentions if in_chinese else find_english_mentions
    return sorted(find(text, known), key=lambda mention: (mention.end, mention.party == Party.NOBODY))


def name_exes(text: str, told: Iterable[str]) -> str:
    """Return a text with "my ex" before whoever was told to be one: nobody is congratulated on their wedding."""
    for name in {name for line in told for name in _EX.findall(line)}:
        text = re.sub(rf"(?<!ex )\b{name}\b", f"my ex {name}", text, flags=re.IGNORECASE)
    return text


def leave_out_others(told: str) -> str:
    """Return a text without relatives of others; a Chinese one also without who is only called so, and what is quoted."""
    if lexicon.is_chinese(told):
        return _OF_OTHER.sub("", _QUOTED.sub("", told))
    return _OF_OTHERS.sub(lambda match: match["owner"] or " ", lexicon.normalise(told))


def tells_of(name: str, told: str) -> bool:
    """Whether a text names somebody; a word for a relative where it means the user's own: no friend's dad, no mother-in-law."""
    if not lexicon.is_kin_word(name):
        return text.contains_name(text.fold(told), text.fold(name))
    # A memory says "the user's dad" where the user says "my dad".
    spoken = _OF_USER.sub("my", lexicon.normalise(told)).replace("用户", "我")
    own = re.sub(rf"{re.escape(name)}[- ]in[- ]law", " ", leave_out_others(spoken), flags=re.IGNORECASE)
    return text.contains_name(text.fold(own), text.fold(name))
