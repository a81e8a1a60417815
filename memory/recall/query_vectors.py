"""Embed what is looked for.

Who talks says "I" and rarely a name, so a name of the two draws the vector of a question away from what was said. In
the text that is embedded both are "I"; a name that only addresses somebody is left out.
"""

import re
from collections.abc import Iterable

from echovessel import text
from echovessel.embeddings import embedding
from personas.models import Bond


def embed(bond: Bond, queries: Iterable[str]) -> list[list[float] | None]:
    """Embed queries of a bond, None where its model cannot read one. Raises EmbeddingError."""
    return embedding.embed([build_text(bond, query) for query in queries], of_question=True)


def build_text(bond: Bond, query: str) -> str:
    """Build the text of a query that is embedded."""
    built = query
    for name in filter(None, (bond.user.shown_name, bond.persona.name)):
        built = replace_name(built, name)
    return built or query


def replace_name(query: str, name: str) -> str:
    if text.has_cjk(name):
        return query.replace(name, "我") if len(name) > 1 else query
    # With a capital, so that whoever is called Will may still ask what will be.
    written = re.escape(name[:1].upper() + name[1:])
    unaddressed = re.sub(rf"^{written}\s*[,，!！]\s*|\s*[,，]\s*{written}(?=\s*[?？.。!！]*$)", "", query)
    of_oneself = re.sub(rf"(?<!\w){written}['’]s(?!\w)", "my", unaddressed)
    return re.sub(rf"(?<!\w){written}(?!\w)", "I", of_oneself)
