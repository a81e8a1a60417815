"""How a line's terms are indexed: each marked with its bond, so that an entry of the index holds lines of one bond only."""

from django.contrib.postgres.search import SearchVectorField
from django.db.models import Value
from django.db.models.functions import Cast

from memory import text


def build_search_vector(bond_id: int, content: str) -> Cast:
    """The value of `Message.search`."""
    return Cast(Value(format_lexemes(bond_id, content)), SearchVectorField())


def format_lexemes(bond_id: int, content: str) -> str:
    """The same as PostgreSQL reads it."""
    found = sorted(set(text.extract_search_terms(content)))
    return " ".join(format_lexeme(bond_id, term) for term in found)


def format_lexeme(bond_id: int, term: str) -> str:
    """One term as PostgreSQL reads it in a search vector and in a search query."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{bond_id}:{escaped}'"
