"""The search of all messages and memories."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from chat.pages.display import second_person
from chat.pages.requests import own_bond_page
from memory.models import ConceptNode, Forgotten
from memory.search import search
from personas.models import Bond


@own_bond_page("GET")
def search_memories(request: HttpRequest, bond: Bond) -> HttpResponse:
    query = request.GET.get("q", "")[:200].replace("\x00", "")
    found = [SearchItem(one) for one in search.search(bond=bond, query=query)] if query.strip() else []
    return render(
        request, "chat/memories/search.html", {"bond": bond, "layer": "words", "searched": query, "found": found}
    )


@dataclass(frozen=True)
class SearchItem:
    """A match, with its marks separate from its text."""

    row: search.SearchHit

    @property
    def word(self) -> str:
        return str(Forgotten.Kind("entity" if self.row.layer == "L5" else self.row.type).label)

    @property
    def sign(self) -> str:
        return {"L2": "words", "L5": "entity"}.get(self.row.layer, self.row.type)

    @property
    def pieces(self) -> list[tuple[bool, str]]:
        """The snippet as pairs of (is marked, text)."""
        snippet = self.row.snippet
        if self.row.type == ConceptNode.Type.FACT:
            # Only a fact about the user begins with them.
            snippet = second_person.reword(snippet, facet=ConceptNode.Facet.ABOUT_YOU)
        parts = snippet.replace("]]", "[[").split("[[")
        return [(at % 2 == 1, part) for at, part in enumerate(parts) if part]
