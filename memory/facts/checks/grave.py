"""Tells what is checked before anyone relies on it: an allergy, medicine, illness, pregnancy, an address, an emergency contact."""

from functools import cache
from pathlib import Path

from echovessel import chinese_script, text
from echovessel import lazy_re as re
from echovessel.llm.offline.extraction import fact_patterns

_ENGLISH = (
    rf"\b{fact_patterns.DRUG}\b|\breaction to\b|\bnearly killed\b|"
    r"\b(?:can't|cannot|not) tolerate (?:lactose|gluten|dairy|wheat|milk|eggs|nuts)\b|\ballerg\w*|\banaphyla\w*|\bthroat (?:clos|swell)\w*|\bhives\b|\bepi-?pens?\b|\bintoleran(?:t|ce)\b|\bc(?:o)?eliac\b"
    r"|\bmedicines?\b|\bmedications?\b|\bmeds\b|\bpills?\b|\btablets?\b(?! computer)|\bprescri\w+|\bdos(?:e|es|age)\b|\binsulin\b|\binhaler\b|\bantidepressants?\b|"
    r"\blithium\b|\bwarfarin\b|\bblood thinners?\b|\bchemo\w*|\bdialysis\b|\bantibiotics?\b"
    r"|\bdiabet\w+|\bepilep\w+|\bseizures?\b|\basthma\w*|\bcancer\b|\btumou?rs?\b|\bh\.?i\.?v\b|\bhepatitis\b|\bhaemophil\w+|\bhemophil\w+|\bheart (?:disease|condition|failure|attack)\b|"
    r"\b(?:high|low) blood pressure\b|\bstroke\b|\bbipolar\b|\bschizo\w+|\bdepressi(?:on|ve)\b|\banorexi\w+|\bbulimi\w+|\bptsd\b|\bdementia\b|\balzheimer\w*|\bparkinson\w*|"
    r"\bdiagnos\w+|\bchronic\w*|\bdisease\b|\billness\b|\bpacemaker\b|\bmultiple sclerosis\b|\blupus\b|\bcrohn\w*"
    r"|\bpregnan\w+|\bexpecting (?:a|our|my|their|another|twins)\b|\bdue date\b|\bmiscarr\w+"
    r"|\baddress\b(?! (?:book|me|the user))|\bpostcode\b|\bzip code\b|\blives? at \d|\b\d+[a-z]? [A-Z]\w+ (?:street|st|road|rd|avenue|ave|lane|drive|close|court|place)\b"
    r"|\bemergency (?:contact|number)\b|\bin (?:an|case of) emergency\b|\bnext of kin\b"
)
_CHINESE = (
    r"过敏|不耐受|青霉素|头孢|阿司匹林|布洛芬|麻药|造影剂|磺胺|肾上腺素笔|药|胰岛素|吸入器|服用|剂量|化疗|透析|糖尿病|癫痫|哮喘|癌|肿瘤|艾滋|肝炎|血友病|心脏病|高血压|低血压|血压(?:偏|有点|很)?[高低]|血糖(?:偏|有点|很)?高|[肺脑胃肠肾胰]炎|中风|双相|躁郁|精神分裂|抑郁症?|厌食|暴食症|"
    r"创伤后应激|痴呆|阿尔茨海默|帕金森|确诊|诊断|慢性|疾病|(?<!毛)病史|患有|得了.{0,6}病|起搏器|红斑狼疮|怀孕|孕期|孕妇|身孕|预产期|备孕|流产|"
    r"地址|门牌|住在.{0,16}(?:路|街|号|弄|栋|单元|小区|室)|紧急联系|紧急情况"
)
_TAKES = rf"\b(?:takes?|taking|is on|(?:put|switched|changed|moved) the user (?:on|to|onto)) (?:\d+ ?m[cg] (?:of )?)?(?-i:{fact_patterns.MEDICINE})\b(?! (?:lessons?|classes|to)\b)|(?:吃|服用|打)着?(?:一[片粒颗针])?{fact_patterns.MEDICINE_CHINESE}"
_MEDICINE, _GRAVE = (re.compile(pattern, re.IGNORECASE) for pattern in (_TAKES, f"{_ENGLISH}|{_CHINESE}|{_TAKES}"))
# Who stopped "my tablets" stopped what is noted by its name, and so did whom a doctor put on another.
_ALL_MEDICINE = re.compile(
    rf"(?:(?:i|my|the|all|taking) )*(?:meds|medications?|medicines?|tablets|pills)|(?:我的?|，)*(?:吃|服)?药|(?:on)?to (?P<instead>{fact_patterns.MEDICINE})(?: instead| now)?|(?:我|，)*[换改](?:成|用|吃)?了?(?P<other>{fact_patterns.MEDICINE_CHINESE})",
    re.IGNORECASE,
)
_WORDS_FILE = Path(__file__).with_name("grave_words.txt")
_LONG = 5
_THAI = re.compile("[\u0e00-\u0e7f]")
# "And", "the" and the like are written before a word in Arabic and Hebrew.
_PUT_BEFORE = "[والبفلكהבשמכ]{0,3}"
# Words that only look it.
_LIGHT = re.compile(
    r"\ballergic to (?:mondays?|small talk|work|bullshit|nonsense|meetings)\b|\bchill pill\b|\bemail address(?:ed)?\b|\bip address\b|\bweb address\b"
    r"|\be-?mail-?adress\w*|对(?:周一|开会|加班|上班|早起)过敏|网址|邮箱地址|火药|药店上班|弹药|[芍]药|毛病|特效药水",
    re.IGNORECASE,
)


def is_grave(told: str) -> bool:
    """Whether a mistake about this could do harm. A death is not: about it nobody asks twice."""
    read = _LIGHT.sub(" ", chinese_script.simplify(told))
    return _GRAVE.search(read) is not None or _compile_words().search(text.fold(read)) is not None


@cache
def _compile_words() -> re.Pattern[str]:
    """Compile the words of other languages, also without their accents. Long ones may end a compound ("Nussallergie"), and any may where
    no spaces are written; one with a full stop has no endings.
    """
    listed = text.fold(_WORDS_FILE.read_text(encoding="utf-8").replace("\n", ", ")).split(", ")
    alone: list[str] = []
    begins: list[str] = []
    anywhere: list[str] = []
    for word in sorted({*listed, *map(text.strip_marks, listed)}):
        ends_compound = len(word) >= _LONG or text.has_cjk(word) or _THAI.match(word)
        (alone if word.endswith(".") else anywhere if ends_compound else begins).append(word.rstrip("."))
    of_words = rf"(?<!\w){_PUT_BEFORE}(?:(?:{'|'.join(alone)})(?!\w)|{'|'.join(begins)})"
    return re.compile(rf"{of_words}|{'|'.join(anywhere)}")


def tells_other_medicine(told: str, words: str) -> bool:
    """Whether it names a medicine that somebody takes, and not the one that these words put in its place: "switched me to insulin"."""
    match = _ALL_MEDICINE.fullmatch(words)
    new = (match["instead"] or match["other"] or "") if match else ""
    return _MEDICINE.search(told) is not None and not (new and new.casefold() in told.casefold())


def means_all_medicine(words: str) -> bool:
    return _ALL_MEDICINE.fullmatch(words) is not None
