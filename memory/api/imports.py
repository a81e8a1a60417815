"""Files that a bond's memory is drawn from."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.generics import ListAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from echovessel.materials import BYTES_MOST
from memory.importing import control, intake, proposals
from memory.models import Import
from memory.serializers.imports import EstimateSerializer, FileBody, ImportSerializer
from personas.models import Bond
from personas.rest.drf_policies import SafeJSONParser
from personas.rest.uploads import BoundedMultiPartParser, read_content
from personas.rest.views import BondView

FILES = {"multipart/form-data": FileBody, "application/json": FileBody}
UNNAMED = "text.txt"


def read_upload(request: Request) -> dict[str, Any]:
    """The name and the bytes of the file or text of a request. Raises ValidationError, Refused."""
    asked = FileBody.parse(request.data)
    if "text" in asked:
        return {"name": intake.build_text_name(asked.get("name", UNNAMED)), "content": asked["text"].encode()}
    file = asked["file"]
    return {"name": asked.get("name", file.name), "content": read_content(file, most=BYTES_MOST)}


class ImportsView(BondView, ListAPIView[Import]):
    """The bond's imports, newest first."""

    rate_of = {"POST": "costly"}
    parser_classes = (SafeJSONParser, BoundedMultiPartParser)
    upload_most = BYTES_MOST
    serializer_class = ImportSerializer

    def get_queryset(self) -> QuerySet[Import]:
        return Import.objects.for_bond(self.bond).for_serializer()

    @extend_schema(request=FILES, responses={200: ImportSerializer, 201: ImportSerializer})
    def post(self, request: Request, **_: Any) -> Response:
        """Uploads a file or a text; it is read when the import is started. The same file again is the same import, with 200."""
        imported, is_new = intake.take_in(bond=self.bond, now=timezone.now(), **read_upload(request))
        return Response(serialize_import(self.bond, imported.pk), status=201 if is_new else 200)


class EstimateView(APIView):
    rate_of = {"POST": "costly"}
    parser_classes = (SafeJSONParser, BoundedMultiPartParser)
    upload_most = BYTES_MOST

    @extend_schema(request=FILES, responses=EstimateSerializer)
    def post(self, request: Request) -> Response:
        """Estimates the cost of an import; nothing is stored."""
        found = intake.estimate(**read_upload(request))
        return Response(EstimateSerializer(found).data)


class ImportBaseView(BondView):
    serializer_class = ImportSerializer

    def imported(self) -> Import:
        return get_object_or_404(Import.objects.for_bond(self.bond).select_related("bond"), pk=self.kwargs["import_id"])


class ImportView(ImportBaseView):
    def get(self, request: Request, **_: Any) -> Response:
        return Response(serialize_import(self.bond, self.imported().pk))

    def delete(self, request: Request, **_: Any) -> Response:
        """Erases its name, its suggestions and what is left of its text, at once. Its memories stay."""
        control.erase(self.imported())
        return Response(status=204)


class StartImportView(ImportBaseView):
    rate_of = {"POST": "costly"}

    def post(self, request: Request, **_: Any) -> Response:
        """Starts it, or continues it after it was cancelled or failed. A finished one is left as it is."""
        imported = control.start(self.imported(), now=timezone.now())
        return Response(serialize_import(self.bond, imported.pk))


class CancelImportView(ImportBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Stops it. What was written stays; the rest can be read later."""
        imported = control.cancel(self.imported(), now=timezone.now())
        return Response(serialize_import(self.bond, imported.pk))


class DeclineProposalView(ImportBaseView):
    def post(self, request: Request, **_: Any) -> Response:
        """Declines a suggestion: it is shown no more, and not suggested again."""
        imported = self.imported()
        proposals.decline(get_object_or_404(imported.proposals, pk=self.kwargs["proposal_id"]), now=timezone.now())
        return Response(serialize_import(self.bond, imported.pk))


def serialize_import(bond: Bond, import_id: int) -> Any:
    return ImportSerializer(Import.objects.for_bond(bond).for_serializer().get(pk=import_id)).data
