"""Decide whether a content was said in a language without rules: words in any of their forms, compared letter by letter."""

from collections.abc import Collection, Iterable, Sequence
from datetime import date

from echovessel import lazy_re as re
from echovessel import text
from echovessel.languages import detection
from memory.facts.checks import foreign_dates

SAID_SHARE = 0.5
# How a content speaks of the user in other languages; nobody says it of themselves.
_USER = re.compile(
    r"\b(?:be)?nutzer(?:in)?s?\b|\busuári[oa]s?\b|\busuari[oa]s?\b|\butilisat(?:eur|rice)\b|\butenti?\b|\bgebruik(?:er|ster)\b|\banvändar\w*|\bbruger\w*|\bbruker\w*"
    r"|\bkäyttäjä\w*|\bkullanıcı\w*|\bużytkowni\w*|\buživatel\w*|\bfelhasználó\w*|\butilizator\w*|\bpengguna\b|\bngười dùng\b|\bпользовател\w*|\bкористувач\w*"
    r"|\bχρήστη\w*|\b(?:و|ل|ب)?ا?لمستخدمة?\b|\bהמשתמשת?\b|ユーザーさん|ユーザー|사용자",
    re.IGNORECASE,
)
# Who asks to forget, delete, erase or take away something says one of these; no rule reads more than that.
_FORGETS = re.compile(
    r"(?:\b(?:vergi(?:ss|ß)|vergess|vergeß|lösch|streich|entfern|olv[ií]d|borr[aeá]|bórra|elim[ií]n|esque[cç]|apag[au]|oubli|effac|supprim|dimentic|scord|cancell|vergeet|verwijder"
    r"|glöm|radera|glem|slett?|zapomn|usuń|skasuj|wymaż|zapome[nň]|smaž|vymaž|забуд|забыт|удали|сотри|видали|unut|sil(?:in)?\b|uită|uita|șterge|felejt|töröl|unohda|poista"
    r"|ξέχασ|ξεχάσ|διέγραψ|σβήσ|(?:ا|أ|ت|ن)نس|امسح|احذف|(?:ת|ל)?שכח|(?:ת|ל)?מחק|فراموش|پاک|भूल|हटा|मिटा|quên|xo[áa]|xóa|lupakan|hapus|kalimut|burahin)"
    r"|忘れ|消して|消去|削除|잊|지워|삭제|ลืม|ลบ)(?:(?![\u3040-\u30ff\u3400-\u9fff])\w)*",
    re.IGNORECASE,
)
# Only an order begins with one of these, and none that is told: "olvidé las llaves", 忘れ物をした.
_ORDERS = re.compile(
    r"^\W*(?:(?:por favor|bitte|s'il te plaît|per favore|пожалуйста|من فضلك)\W+)?(?:(?:vergi(?:ss|ß)|vergesst|streich|oubliez?|efface|vergeet|glöm|zapomnij|usuń|zapomeň|smaž|забудь(?:те)?|сотри|удали(?:те)?|unut|uită|felejtsd|unohda|lupakan|hapus|quên)\b(?!,? (?:\w+ )?(?:nicht|niet|inte|ikke)\b)"
    r"|lösche?\b|(?:olv[ií]da|borra|bórra|esque[cç][ea]|apaga|dimentica|scorda|cancella)(?:te|lo|la|los|las|lo|mi|telo)?\b|انس|امسح|احذف|תשכח|שכח)"
    r"|忘れて(?:ください|くれ|ほしい|\W*$)|消して(?:ください|くれ|\W*$)|(?:잊어|지워) ?(?:줘|주세요|줄래)",
    re.IGNORECASE,
)
_LEAST_WORDS = 3
# What such a word begins with that English ones do, too: "cancelled", "eliminate".
_ENGLISH_TOO = ("cancell", "elimin", "effac", "oubli")
_HIRAGANA = re.compile(r"[\u3041-\u309f]+")
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")
_WORD = re.compile(r"[^\W\d_\u3040-\u30ff\u3400-\u9fff]+")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
# Languages of these scripts put endings before a word, too: "and", "the", "he".
_BEGINS_TOO = re.compile(r"[\u0590-\u06ff]")
_BEGINNINGS_MOST = 3
_NUMBER = re.compile(r"\d+")
# Shorter words join others; a syllable of Korean may be a word. Two words are forms of one where this share of the one begins the other.
_LEAST_LETTERS, _LEAST_SYLLABLES = 3, 2
_STEM_SHARE = 0.6
# A name has shorter endings; and what is so long may be half of a compound: "Biologielehrer".
_LONGEST_ENDING = 3
# "Jürgen" is typed "Juergen" or "Jurgen", and "Løkke" "Loekke".
_TYPED = re.compile(r"(?<=[aou])e")
_STROKES = str.maketrans({"æ": "a", "ø": "o", "ł": "l", "đ": "d", "ı": "i"})
_LEAST_PART = 5


def is_of_other_language(content: str, said: Sequence[str]) -> bool:
    return detection.is_foreign(content) or detection.is_foreign("\n".join(said))


def leave_out_dates(content: str, said: Sequence[str], *, today: date) -> str:
    """Leave out days of a year that is near, where the lines may name them: who names a weekday means one of them."""
    years = frozenset(str(today.year + away) for away in (-1, 0, 1))
    return foreign_dates.leave_out(content, "\n".join(said), years=years)


def asks_to_forget(said: str) -> bool:
    """Whether a sentence of another language has a word that wishes to forget have; whether it is one, a model has to know."""
    match = _FORGETS.search(said)
    is_telling = match is not None and not match[0].casefold().startswith(_ENGLISH_TOO)
    return match is not None and (detection.is_foreign(said) or (is_telling and not text.has_cjk(said)))


def orders_to_forget(said: str) -> bool:
    """Whether a sentence of another language tells the companion to forget something, beyond doubt."""
    # "Vergiss es" and "olvídalo" are idioms.
    is_long = len(said.split()) >= _LEAST_WORDS or text.has_cjk(said)
    return is_long and _ORDERS.search(said) is not None and asks_to_forget(said)


def points_back(wish: str, known: str) -> bool:
    """Whether a wish of another language names nothing that is known, and so means what was told right before: "olvídalo"."""
    return asks_to_forget(wish) and not shares_word(_FORGETS.sub(" ", wish), known)


def shares_word(said: str, content: str) -> bool:
    """Whether two texts share a word in one form or another."""
    one, other = text.fold(said), _USER.sub(" ", text.fold(content))
    beginnings = list_beginnings(list_words(one))
    is_shared = any(is_form(word, beginnings) for word in list_words(other))
    pairs = {term for term in list_japanese_terms(other) if len(term) > 1}
    return is_shared or not pairs.isdisjoint(list_japanese_terms(one))


def is_said(content: str, said: Sequence[str], *, known: str = "", own: Collection[str] = ()) -> bool:
    """Whether half of the words of a content, in any of their forms, were said; of what is `known` it must say more. `own` are names of
    those who talk.
    """
    plain, heard = _USER.sub(" ", text.fold(content)), text.fold("\n".join(said))
    words, heard_words = list_words(plain), list_words(heard)
    beginnings = list_beginnings(heard_words)
    told = [word for word in words if is_form(word, beginnings) or is_compound(word, heard_words)]
    terms, heard_terms = (set(list_japanese_terms(one)) for one in (plain, heard))
    if known:
        known_folded = text.fold(known)
        of_known = list_beginnings(list_words(known_folded))
        is_new = any(not is_form(word, of_known) for word in told)
        return is_new or bool((terms & heard_terms) - {*list_japanese_terms(known_folded)})
    own_beginnings = list_beginnings(map(spell, own))
    counted = [word for word in words if not is_form(word, own_beginnings)]
    held = sum(word in told for word in counted) + len(terms & heard_terms)
    return held >= SAID_SHARE * (len(counted) + len(terms))


def are_names_said(names: Iterable[str], content: str, said: Sequence[str]) -> bool:
    """Whether names, or all nouns where these have capitals, and all figures of a content were said in one form or another."""
    heard = text.fold("\n".join(said))
    words = set(list_words(heard))
    beginnings = list_beginnings(words)
    unsaid = [
        name
        for name in names
        if not (
            _USER.fullmatch(name)
            or is_form(spell(name), beginnings, ending=_LONGEST_ENDING)
            or is_compound(spell(name), words)
        )
    ]
    return not unsaid and {*_NUMBER.findall(text.fold(content))} <= {*_NUMBER.findall(heard)}


def list_words(folded: str) -> list[str]:
    """List words without those that only join others."""
    found = dict.fromkeys(_WORD.findall(folded))
    is_long = (word for word in found if _HANGUL.search(word) or len(word) >= _LEAST_LETTERS)
    return [spell(word) for word in is_long if word not in text.STOP_WORDS and word not in detection.ARTICLES]


def spell(word: str) -> str:
    """Spell a folded word as one does without its accents and umlauts."""
    return _TYPED.sub("", text.strip_marks(word).translate(_STROKES))


def list_japanese_terms(folded: str) -> list[str]:
    """List the terms of the parts that are written without spaces, without endings in hiragana where there is more."""
    joined = " ".join(_JAPANESE.findall(folded))
    return text.extract_terms(_HIRAGANA.sub(" ", joined)) or text.extract_terms(joined)


def list_beginnings(words: Iterable[str]) -> set[str]:
    """List all with which these words begin, also without what is put before them."""
    starts = {word[at:] for word in words for at in range(_BEGINNINGS_MOST + 1 if _BEGINS_TOO.search(word) else 1)}
    return {start[:end] for start in starts for end in range(1, len(start) + 1)}


def is_form(word: str, beginnings: Collection[str], *, ending: int | None = None) -> bool:
    """Whether a word begins as another one does, but for an ending; of a name, one of so few letters."""
    forms = [word[at:] for at in range(_BEGINNINGS_MOST + 1)] if _BEGINS_TOO.search(word) else [word]
    least = _LEAST_SYLLABLES if _HANGUL.search(word) else _LEAST_LETTERS
    share = int(_STEM_SHARE * len(word)) if ending is None else len(word) - ending
    return word in beginnings or any(
        len(form) >= least and form[: max(least, share - (len(word) - len(form)))] in beginnings for form in forms
    )


def is_compound(word: str, words: Collection[str]) -> bool:
    return any(word[:at] in words or word[-at:] in words for at in range(_LEAST_PART, len(word)))
