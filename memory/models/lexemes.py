"""Index terms together with their bond, so that an entry of the index holds rows of one bond only."""

from django.contrib.postgres.search import SearchVectorField
from django.db.models import Value
from django.db.models.functions import Cast

from echovessel import text


def build_search_vector(bond_id: int, content: str) -> Cast:
    return Cast(Value(format_lexemes(bond_id, content)), SearchVectorField())


def format_lexemes(bond_id: int, content: str) -> str:
    """Format terms for PostgreSQL."""
    found = sorted(set(text.extract_search_terms(content)))
    return " ".join(format_lexeme(bond_id, term) for term in found)


def format_lexeme(bond_id: int, term: str) -> str:
    """Format one term for a search vector or a search query."""
    escaped = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{bond_id}:{escaped}'"
