"""Finds the name that a question asks for in something told: the pet's, the relative's, whoever did it."""

import re

from echovessel.llm.offline.chinese import vocabulary as chinese
from echovessel.llm.offline.english import cues as english_cues
from echovessel.llm.offline.reply.asking import content_words, question_kinds
from echovessel.llm.offline.text import lexicon, mentions, names, sentences

# 跟谁说 asks to whom.
_WHO_DID = re.compile(r"\bwho\b|(?<![跟和对给被把为替向])谁", re.IGNORECASE)
# So many words, or Chinese characters, before a name say whose it is.
_NEAR_WORDS, _NEAR_HAN = 2, 4
# "Who is getting married?" is answered by "Piotr is getting married in May".
_WHO_IS_DOING = re.compile(r"^\W*who(?:'s| is| was) ([a-z]+ing [\w ]+?)\W*$", re.IGNORECASE)
_DOER = rf"(?<![给跟和对把帮替陪为向])(?<![给跟和对把帮替陪为向]我)(?:{'|'.join(chinese.KIN.values())})"


def find_doing(question: str) -> str:
    """Return what an English question asks who is doing: "getting married"; "" where it asks for no such thing."""
    asked = _WHO_IS_DOING.match(question)
    return asked[1] if asked else ""


def names_doer(text: str, question: str) -> bool:
    """Whether a text tells of what the question asks who did it, and of a relative: 我姐送了我一盒拼图."""
    if (doing := find_doing(question)) and re.search(rf"\w(?:'s| is| was) {re.escape(doing)}", text):
        return True
    verb = content_words.find_verb(question)
    if not (_WHO_DID.search(question) and verb and verb in text):
        return False
    if not lexicon.is_chinese(text):
        return bool(lexicon.find_kin(text))
    return re.search(rf"{_DOER}[^。！!？?\s]{{0,14}}?{verb}", text) is not None


def names_one(text: str, question: str) -> bool:
    """Whether a sentence names whom or what the question asks for: the animal, the relative, or whoever is spoken of."""
    asked, fitting = lexicon.find_concepts(question), _list_fitting(text, question)
    said_of = sentences.split(text)
    # A question and its answer are read as one: "What's my nan called? It's Dorothy."
    parts = [text] if said_of and sentences.is_question(said_of[0]) else said_of
    return any(not asked or _is_name_of(name, said, asked) for said in parts for name in fitting if name in said)


def _is_name_of(name: str, said: str, asked: set[str]) -> bool:
    """Whether the last clause up to the name that speaks of somebody speaks of whom is asked for; so where none does."""
    before, _, behind = said.partition(name)
    *earlier, last = _split_clauses(before)
    for part in (last + _split_clauses(behind)[0], *reversed(earlier)):
        if spoken := lexicon.widen(lexicon.find_concepts(part)):
            return bool(asked & spoken)
        if names.SOMEBODY.search(part):
            return False
    return True


def _split_clauses(text: str) -> list[str]:
    """Split at commas, and where Chinese is typed with spaces in their place."""
    return re.split(r"[,，]|(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])", text)


def find_one(text: str, question: str) -> str:
    """Find the one name in a text that a question may ask for; "" where there is none, or several, or 她 did it."""
    verb = content_words.find_verb(question)
    if verb and re.search(f"[他她]们?{verb}", text):
        return ""
    asked = lexicon.find_concepts(question) if re.search("(?<!是)谁(?!是|叫)", question) else set()
    # 谁说我孩子 is not answered with the child's name.
    fitting = [one for one in _list_fitting(text, question) if not (asked and _is_name_of(one, text, asked))]
    return fitting[0] if len(fitting) == 1 else ""


def _list_fitting(text: str, question: str) -> list[str]:
    """List the names of animals where the question asks for one's, else the others, of a relative no place's, of a shop no cousin's."""
    asked = lexicon.widen(lexicon.find_concepts(question))
    kinds = ("pet", "other") if "pet" in asked else ("person", "other")
    is_who = question_kinds.WHO.search(question) is not None
    is_thing = not asked and not is_who
    return [
        name.text
        for name in names.find(text)
        if (name.kind in kinds or (not asked and name.kind != "pet"))
        and not (name.kind == "place" and (is_who or re.search(rf"[去到在回从]{re.escape(name.text)}", text)))
        and not (is_thing and _is_behind_somebody(name.text, text))
    ]


def _is_behind_somebody(name: str, text: str) -> bool:
    """Whether the words just before a name say who bears it: "my cousin Dev", 我表弟阿强."""
    before = text.partition(name)[0]
    near = before[-_NEAR_HAN:] if lexicon.is_chinese(before) else " ".join(before.split()[-_NEAR_WORDS:])
    return bool(lexicon.find_concepts(near))


def find_capitalised(question: str, text: str) -> list[str]:
    """Return capitalised words of the question, except the first, that the text holds."""
    found = [match.group() for match in re.finditer(english_cues.NAMED, question) if match.start()]
    return [name for name in found if name.casefold() not in names.NO_NAMES and mentions.is_named(name, text)]
