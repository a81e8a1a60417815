"""Pictures of companions. What is uploaded is never served: it is read once and drawn anew."""

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
# Each takes some 100 MB while it is drawn.
_one_at_a_time = threading.Lock()


class AvatarError(CodedError):
    """A picture that cannot be taken."""


def redraw(content: bytes, *, pixels_most: int = PIXELS_MOST) -> bytes:
    """The middle of a PNG, JPEG or WebP as a small WebP without anything else that the file held. Raises AvatarError."""
    if len(content) > BYTES_MOST:
        raise AvatarError("too_long", f"This picture is too large; at most {BYTES_MOST // 2**20} MiB are taken.")
    with _one_at_a_time:
        picture = ImageOps.fit(decode(content, pixels_most=pixels_most).convert("RGBA"), (SIDE, SIDE))
        drawn = BytesIO()
        picture.save(drawn, "WEBP", quality=85)
        return drawn.getvalue()


def decode(content: bytes, *, pixels_most: int = PIXELS_MOST) -> Image.Image:
    """The pixels of a picture, the right way up. Raises AvatarError."""
    try:
        # Pillow warns of sizes that are refused here anyway.
        with warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning):
            picture = Image.open(BytesIO(content), formats=FORMATS)
            if picture.width * picture.height > pixels_most:
                raise AvatarError("too_long", TOO_MANY)
            return ImageOps.exif_transpose(picture)
    except Image.DecompressionBombError as error:
        raise AvatarError("too_long", TOO_MANY) from error
    except (OSError, SyntaxError, ValueError, struct.error) as error:
        raise AvatarError("invalid", "This is no picture that can be read; PNG, JPEG and WebP can.") from error


@transaction.atomic
def put(*, persona: Persona, content: bytes) -> None:
    """Give a persona its picture; `content` was made anew."""
    before = Persona.objects.select_for_update(no_key=True).get(pk=persona.pk).avatar
    # The name tells nothing, and changes with the picture, so that browsers may keep what they have.
    persona.avatar.save(f"{secrets.token_hex(16)}.webp", ContentFile(content), save=False)
    Persona.objects.filter(pk=persona.pk).update(avatar=persona.avatar.name)
    delete_file(before.name, persona)


@transaction.atomic
def remove(persona: Persona) -> None:
    before = Persona.objects.select_for_update(no_key=True).get(pk=persona.pk).avatar
    Persona.objects.filter(pk=persona.pk).update(avatar="")
    delete_file(before.name, persona)


def delete_file(name: str | None, persona: Persona) -> None:
    """Once the change is certain, so that a picture that is still the persona's is never lost."""
    if name:
        transaction.on_commit(lambda: persona.avatar.storage.delete(name))


def sweep(*, now: datetime) -> int:
    """Delete files that no persona names, which changes that failed have left. Returns how many."""
    try:
        names = [f"{FOLDER}{name}" for name in default_storage.listdir(FOLDER)[1]]
    except FileNotFoundError:
        return 0
    # Of a younger one the row may not be there yet. The rows are read last, so that none is missed.
    old = {name for name in names if is_older(name, at=now - ORPHAN_AGE)}
    left = old - set(Persona.objects.exclude(avatar="").values_list("avatar", flat=True))
    for name in left:
        default_storage.delete(name)
    return len(left)


def is_older(name: str, *, at: datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) < at
    except FileNotFoundError:
        # It was just replaced.
        return False


def get_url(persona: Persona) -> str | None:
    """Where those who may see the persona find its picture; another address for another picture."""
    if not persona.avatar:
        return None
    return f"{reverse('avatar', args=[persona.pk])}?v={PurePath(persona.avatar.name or '').stem[:8]}"


def load_content(persona: Persona) -> bytes:
    """Nothing where it has none, or where its file is gone."""
    if not persona.avatar:
        return b""
    try:
        with persona.avatar.open("rb") as file:
            return bytes(file.read())
    except FileNotFoundError:
        logger.warning("the picture of persona %s is gone from the data folder", persona.pk)
        return b""


def load_readable(persona: Persona) -> bytes:
    """Its picture to take along, or nothing where the file is gone or damaged: a card or an export goes without."""
    content = load_content(persona)
    try:
        if content:
            decode(content)
    except AvatarError:
        logger.warning("the picture of persona %s is damaged", persona.pk)
        return b""
    return content
