"""Whether two texts share a term."""

from echovessel import text
from memory.facts.checks import grounding, other_languages, wording


def shares_firm_term(said: str, content: str) -> bool:
    """Whether two texts share a word that says what they are about, of Chinese two characters side by side."""
    is_shared = any(wording.holds_part(said, part) for part in wording.list_parts(content))
    return is_shared or shares_foreign_word(said, content)


def shares_term(said: str, content: str) -> bool:
    """Whether two texts share a term, besides the words by which facts speak of the user."""
    if other_languages.is_of_other_language(content, [said]):
        return other_languages.shares_word(said, content)
    return bool(set(text.extract_terms(said)) & set(text.extract_terms(content)) - grounding.THIRD_PERSON)


def shares_foreign_word(said: str, content: str) -> bool:
    return other_languages.is_of_other_language(content, [said]) and other_languages.shares_word(said, content)
