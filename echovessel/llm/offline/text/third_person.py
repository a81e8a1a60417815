"""Turns what the user says of themselves to the third person, as other memories are worded: "The user is allergic to nuts"."""

from collections.abc import Iterable

from echovessel import lazy_re as re
from echovessel.llm.offline import fillers
from echovessel.llm.offline.text import clauses, lexicon, sentences

_ADVERBS = r"(?:\s+(?:no longer|also|always|never|still|often|usually|really|just|only|sometimes|actually|now|then|even|absolutely|\w+ly))*"
_SUBJECT = re.compile(
    rf"(?P<and>\band\s+)?\b(?P<who>i|we)(?P<short>'(?:m|ve|ll|d|re))?(?![\w.'])(?P<adverbs>{_ADVERBS})(?P<verb>\s+[a-z]+(?:'t)?)?(?!\w)",
    re.IGNORECASE,
)
_SHORT = {"'m": "is", "'re": "is", "'ve": "has", "'ll": "will", "'d": "would"}
_FORMS = {
    "am": "is", "are": "is", "were": "was", "have": "has", "haven't": "hasn't", "do": "does", "don't": "doesn't", "aren't": "isn't", "go": "goes",
    "ain't": "isn't", "weren't": "wasn't",
}  # fmt: skip
# Verbs that do not change, and words that are no verbs.
_KEPT_TEXT = (
    "can can't cannot could couldn't will won't would wouldn't should shouldn't may might must mustn't did didn't had hadn't was wasn't is "
    "has ate drank went got gave took came saw met broke lost said told left felt found kept knew made meant put quit read ran sent slept "
    "spoke spent stood taught thought understood woke wore won wrote bought brought built began became chose fell grew heard held hurt led "
    "lent let paid sold sang sat swam drove flew forgot forgave had been rang swung shook drank rode stole tore threw caught fed hid lit shot slid stuck struck wept blew bled dug fought hung laid leapt learnt lay meant rose sank shrank stank swore sprang cost born and or but who that which to in at on with from for as too not"
)
_KEPT = frozenset(_KEPT_TEXT.split())
_PRESENT_IN_ED = frozenset(("need", "feed", "bleed", "breed", "speed", "succeed", "exceed", "proceed"))
_VERBS = (
    "work|live|like|love|hate|prefer|have|need|want|study|play|eat|drink|speak|take|go|do|don't|am|use|keep|sleep|get|wake|run|teach|write|"
    "read|make|drive|call|see|feel|know|think"
)
_SECOND_VERB = re.compile(
    rf"\b(and|but)((?:\s+(?:also|never|always|still|mostly))?)\s+({_VERBS})(?![\w'])", re.IGNORECASE
)
_OBJECTS = {
    "me": "the user",
    "us": "the user",
    "my": "the user's",
    "our": "the user's",
    "mine": "the user's",
    "ours": "the user's",
}
_LATER = {"me": "them", "us": "them", "my": "their", "our": "their", "mine": "theirs", "ours": "theirs"}
_OBJECT = re.compile(r"\b(?:me|us|my|our|mine|ours|myself|ourselves)\b|\bthe user\b", re.IGNORECASE)
_OURSELVES = re.compile(r"(?<!自)(?:我们?|咱们?)")
# Of one user it is no class that all of them are.
_OUR_CLASS = re.compile(r"[我咱]们班(?![上里级主长])")
# What came before "also" is another memory's.
_ALSO = re.compile(r"^((?:i|we)(?:'m| am|'ve| have)?) also\b(?! known)", re.IGNORECASE)
# "It is so that I don't", which stands against something that was said and not alone.
_STRESS = re.compile(r"^((?:我|咱)们?)是(?=[不没])")
_EDGES = " \t\r\n,，:：、-–—….。!！~～"

# 我妈 is 用户的妈妈.
_OWN_KIN = re.compile(r"(?<!自)我([妈爸姐哥弟妹])(?!\1)")


def turn(said: str) -> str:
    """Return a statement of the user as one sentence of a memory, with a full stop; "" for a text without words."""
    plain = " ".join(fillers.strip(sentences.part(lexicon.normalise(said))).strip(_EDGES).split())
    if not lexicon.has_words(plain):
        return ""
    turned = _turn_chinese(plain) if lexicon.is_chinese(plain) or plain[0] == "我" else _turn_english(plain)
    return sentences.end(turned[:1].upper() + turned[1:])


def _turn_chinese(plain: str) -> str:
    plain = _OWN_KIN.sub(r"我的\1\1", plain)
    return _OURSELVES.sub("用户", _OUR_CLASS.sub(r"\g<0>上", _STRESS.sub(r"\1", plain)))


def _turn_english(plain: str) -> str:
    plain = _ALSO.sub(r"\1", clauses.add_speaker(plain))
    turned = _SUBJECT.sub(_turn_subject, plain)
    if turned != plain and not re.search(r"\bthe user (?:is|was|will|would|\w+ed|can|can't)\b", turned):
        turned = _SECOND_VERB.sub(lambda match: f"{match[1]}{match[2]} {_conjugate(match[3])}", turned)
    return _turn_objects(turned)


def _turn_subject(match: re.Match[str]) -> str:
    verb, adverbs = match["verb"] or "", match["adverbs"]
    if match["short"]:
        return f"{match['and'] or ''}the user {_SHORT[match['short'].lower()]}{adverbs}{verb}"
    if match["and"] and not verb:
        return "and the user"
    is_joined = bool(match["and"]) and bool(re.search(r"\w\s*$", match.string[: match.start()]))
    # "Sam and I like": the verb goes with both.
    made = verb if is_joined and _is_plural(match) else f" {_conjugate(verb.strip())}" if verb else ""
    return f"{match['and'] or ''}the user{adverbs}{made}"


def _is_plural(match: re.Match[str]) -> bool:
    """Whether the words before "and I" are a name alone: "Sam and I", not "I cook and I clean"."""
    return len(match.string[: match.start()].split()) <= 2


def _conjugate(verb: str) -> str:
    plain = verb.lower()
    if plain in _FORMS:
        return _FORMS[plain]
    if plain in _KEPT or (plain.endswith("ed") and plain not in _PRESENT_IN_ED):
        return verb
    if re.search(r"[^aeiou]y$", plain):
        return verb[:-1] + "ies"
    return verb + ("es" if re.search(r"(?:s|x|z|ch|sh|o)$", plain) else "s")


def _turn_objects(text: str) -> str:
    """Turn "me" and "my": the first mention of the user by name, the later ones by "them" and "their"."""
    is_named = False

    def choose(match: re.Match[str]) -> str:
        nonlocal is_named
        word = match.group().lower()
        chosen = match.group()
        if word in ("myself", "ourselves"):
            chosen = "themselves"
        elif word != "the user":
            chosen = (_LATER if is_named else _OBJECTS)[word]
        is_named = True
        return chosen

    return _OBJECT.sub(choose, text)


def replace_user_name(told: str, names: Iterable[str]) -> str:
    """Say "the user" for a name of theirs that begins a fact or owns something, as a model writes it: "Mara is allergic to nuts"."""
    written = "|".join(re.escape(name) for name in names if name)
    if not written:
        return told
    if lexicon.is_chinese(told):
        return re.sub(rf"(?<![A-Za-z叫是为名称喊])(?:{written})(?![A-Za-z])", "用户", told, flags=re.IGNORECASE)
    told = re.sub(
        rf"^((?:\W*- (?:~ ?)?)?)(?:{written})(?=['’]s\b| (?-i:[a-z]))", r"\1The user", told, flags=re.IGNORECASE
    )
    return re.sub(rf"\b(?:{written})(?=['’]s\b)", "the user", told, flags=re.IGNORECASE)
