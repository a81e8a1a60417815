"""Avatars. An uploaded file is never served: it is decoded once and encoded anew."""

import logging
import secrets
import struct
import threading
import warnings
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import PurePath

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import transaction
from django.urls import reverse
from PIL import Image, ImageOps

from echovessel.errors import CodedError
from personas.models import Persona

BYTES_MOST = 4 * 1024 * 1024
PIXELS_MOST = 8_000_000
TOO_MANY = f"This picture has more than {PIXELS_MOST // 10**6} million pixels."
SIDE = 512
FOLDER = "avatars/"
ORPHAN_AGE = timedelta(days=1)
FORMATS = ("PNG", "JPEG", "WEBP")
CONTENT_TYPE = "image/webp"
logger = logging.getLogger("echovessel.avatars")
# Decoding one picture takes about 100 MB.
_one_at_a_time = threading.Lock()


class AvatarError(CodedError):
    """A picture that is not accepted."""


def redraw(content: bytes, *, pixels_most: int = PIXELS_MOST) -> bytes:
    """Crop a PNG, JPEG or WebP to its middle and encode it as a small WebP without metadata. Raises AvatarError."""
    if len(content) > BYTES_MOST:
        raise AvatarError(
            "too_long", "This picture is too large; at most %(most)s MiB are taken.", most=BYTES_MOST // 2**20
        )
    with _one_at_a_time:
        picture = ImageOps.fit(decode(content, pixels_most=pixels_most).convert("RGBA"), (SIDE, SIDE))
        drawn = BytesIO()
        picture.save(drawn, "WEBP", quality=85)
        return drawn.getvalue()


def decode(content: bytes, *, pixels_most: int = PIXELS_MOST) -> Image.Image:
    """Decode and rotate a picture. Raises AvatarError."""
    try:
        # Pillow warns about sizes that are refused here anyway.
        with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
            picture = Image.open(BytesIO(content), formats=FORMATS)
            if picture.width * picture.height > pixels_most:
                raise AvatarError("too_long", TOO_MANY)
            return ImageOps.exif_transpose(picture)
    except Image.DecompressionBombError as error:
        raise AvatarError("too_long", TOO_MANY) from error
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        raise AvatarError("invalid", "This picture cannot be read. Use PNG, JPEG or WebP.") from error


@transaction.atomic
def put(*, persona: Persona, content: bytes) -> None:
    """Store a persona's picture; `content` comes from `redraw`."""
    before = Persona.objects.select_for_update(no_key=True).get(pk=persona.pk).avatar
    # The random name changes with the picture, so browsers may cache it for good.
    persona.avatar.save(f"{secrets.token_hex(16)}.webp", ContentFile(content), save=False)
    Persona.objects.filter(pk=persona.pk).update(avatar=persona.avatar.name)
    delete_file(before.name, persona)


@transaction.atomic
def remove(persona: Persona) -> None:
    before = Persona.objects.select_for_update(no_key=True).get(pk=persona.pk).avatar
    Persona.objects.filter(pk=persona.pk).update(avatar="")
    delete_file(before.name, persona)


def delete_file(name: str | None, persona: Persona) -> None:
    """Delete a file after the commit, so that a rollback never loses the persona's picture."""
    if name:
        transaction.on_commit(lambda: persona.avatar.storage.delete(name))


def sweep(*, now: datetime) -> int:
    """Delete files that no persona uses (failed changes leave some). Returns the count."""
    try:
        names = [f"{FOLDER}{name}" for name in default_storage.listdir(FOLDER)[1]]
    except FileNotFoundError:
        return 0
    # The row of a younger file may not be committed yet. Rows are read last, so that none is missed.
    old = {name for name in names if is_older(name, at=now - ORPHAN_AGE)}
    left = old - set(Persona.objects.exclude(avatar="").values_list("avatar", flat=True))
    for name in left:
        default_storage.delete(name)
    return len(left)


def is_older(name: str, *, at: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < at
    except FileNotFoundError:
        # Another process has just deleted it.
        return False


def get_url(persona: Persona) -> str | None:
    """Return the URL of a persona's picture; it changes with the picture."""
    if not persona.avatar:
        return None
    return f"{reverse('avatar', args=[persona.pk])}?v={PurePath(persona.avatar.name or '').stem[:8]}"


def load_content(persona: Persona) -> bytes:
    """Return the file, or nothing if there is no picture or its file is missing."""
    if not persona.avatar:
        return b""
    try:
        with persona.avatar.open("rb") as file:
            return bytes(file.read())
    except FileNotFoundError:
        logger.warning("the picture of persona %s is gone from the data folder", persona.pk)
        return b""


def load_readable(persona: Persona) -> bytes:
    """Return the picture for a card or an export, or nothing if the file is missing or damaged."""
    content = load_content(persona)
    try:
        if content:
            decode(content)
    except AvatarError:
        logger.warning("the picture of persona %s is damaged", persona.pk)
        return b""
    return content
