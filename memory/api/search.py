"""Search over everything a bond holds, in pages."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from memory.api.bodies import SearchQuery
from memory.search import search
from memory.search.search import LAYERS, PAGE, SearchPosition
from memory.serializers.memories import SearchPageSerializer
from personas.rest.drf_policies import NewestFirstPagination, build_page
from personas.rest.views import BondView


class SearchView(BondView):
    serializer_class = SearchPageSerializer

    @extend_schema(parameters=[SearchQuery])
    def get(self, request: Request, **_: Any) -> Response:
        """Messages, memories, people and things that match `q`, newest first."""
        asked = SearchQuery.parse(request.query_params.dict())
        after = decode_cursor(asked["cursor"]) if "cursor" in asked else {}
        layers = asked.get("layers", LAYERS)
        found = search.search(bond=self.bond, query=asked["q"], layers=layers, after=after, most=PAGE + 1)
        page = build_page(
            request, found, find_cursor=lambda page: encode_cursor(search.build_positions(page, after=after))
        )
        return Response(SearchPageSerializer(page).data)


def encode_cursor(places: Mapping[str, SearchPosition]) -> str:
    plain = {layer: [place.at.isoformat(), place.id] for layer, place in places.items()}
    return urlsafe_b64encode(json.dumps(plain, separators=(",", ":")).encode()).decode()


def decode_cursor(cursor: str) -> dict[str, SearchPosition]:
    try:
        read = json.loads(urlsafe_b64decode(cursor))
        places = {layer: SearchPosition(at=datetime.fromisoformat(at), id=int(pk)) for layer, (at, pk) in read.items()}
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise NotFound(NewestFirstPagination.invalid_cursor_message) from error
    if not all(
        layer in LAYERS and place.at.tzinfo is not None and 0 < place.id < 2**63 for layer, place in places.items()
    ):
        raise NotFound(NewestFirstPagination.invalid_cursor_message)
    return places
