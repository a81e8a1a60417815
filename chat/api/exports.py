"""Export and restore."""

import asyncio
from collections.abc import AsyncGenerator
from typing import IO, Any

from django.core.handlers.asgi import ASGIRequest
from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from chat.api import bond_counts
from chat.api.serializers import RestorationSerializer, RestoredSerializer
from chat.models import Restoration
from chat.transfer import exporting, restorations, restoring
from personas.models import Bond
from personas.rest.drf_policies import SafeJSONParser
from personas.rest.serializer_fields import StrictSerializer
from personas.rest.uploads import BoundedMultiPartParser, check_size
from personas.rest.views import BondView, get_user

CHUNK_BYTES = 64 * 1024
ZIP_RESPONSE = {(200, "application/zip"): OpenApiTypes.BINARY}


def build_zip_response(file: IO[bytes], request: Request, *, name: str) -> HttpResponseBase:
    """Send a zip as a download, piece by piece."""
    headers = {"Content-Disposition": f'attachment; filename="{name}.zip"', "Cache-Control": "no-store"}
    # Under ASGI, Django would read the whole file of a FileResponse into memory.
    if not isinstance(request._request, ASGIRequest):
        return FileResponse(file, content_type="application/zip", headers=headers)
    return StreamingHttpResponse(read_chunks(file), content_type="application/zip", headers=headers)


async def read_chunks(file: IO[bytes]) -> AsyncGenerator[bytes, None]:
    with file:
        while piece := await asyncio.to_thread(file.read, CHUNK_BYTES):
            yield piece


class ExportBondView(BondView):
    rate_of = {"GET": "costly"}

    @extend_schema(operation_id="bonds_export", responses=ZIP_RESPONSE)
    def get(self, request: Request, **_: Any) -> HttpResponseBase:
        """Exports the bond as a zip of JSON Lines, layer by layer, without what is deleted or off the record."""
        file = exporting.export_bond(self.bond, now=timezone.now())
        return build_zip_response(file, request, name=f"echovessel-bond-{self.bond.pk}")


class ExportAccountView(APIView):
    rate_of = {"GET": "costly"}

    @extend_schema(operation_id="me_export", responses=ZIP_RESPONSE)
    def get(self, request: Request) -> HttpResponseBase:
        """Exports everything that the user owns: all bonds, personas and settings."""
        return build_zip_response(
            exporting.export_account(get_user(request), now=timezone.now()), request, name="echovessel"
        )


class ArchiveBody(StrictSerializer):
    file = serializers.FileField(allow_empty_file=True)


class RestoreView(APIView):
    rate_of = {"POST": "costly"}
    parser_classes = (BoundedMultiPartParser, SafeJSONParser)
    upload_most = restoring.UPLOAD_MOST

    @extend_schema(
        operation_id="bonds_restore",
        request={"multipart/form-data": ArchiveBody},
        responses={201: RestoredSerializer, 202: RestorationSerializer},
    )
    def post(self, request: Request) -> Response:
        """Restores the bonds of an exported zip as the user's own, with new personas; all of it or nothing.

        Returns the first of them and the ids of all. Vectors are made in the background. A worker restores a large export
        (more than 2 000 rows): the answer is 202, and `bonds/import/{id}/` returns the progress.
        """
        asked = ArchiveBody.parse(request.data)
        file = check_size(asked["file"], most=restoring.UPLOAD_MOST)
        user, now = get_user(request), timezone.now()
        made = restorations.restore_or_queue(file, name=file.name or "", user=user, now=now)
        if isinstance(made, Restoration):
            return Response(RestorationSerializer(made).data, status=202)
        first = bond_counts.annotate(Bond.objects.for_user(user)).get(pk=made[0].pk)
        first.restored_ids = [bond.pk for bond in made]
        return Response(RestoredSerializer(first, context={"user": user, "now": now}).data, status=201)


class RestorationView(APIView):
    @extend_schema(operation_id="bonds_restoration", responses=RestorationSerializer)
    def get(self, request: Request, restoration_id: int) -> Response:
        """Returns the progress of a large export that a worker restores."""
        kept = get_object_or_404(Restoration, user=get_user(request), pk=restoration_id)
        return Response(RestorationSerializer(kept).data)
