import os
import threading
from datetime import timedelta
from io import BytesIO

import pytest
import time_machine
from PIL import Image

from personas import avatars
from personas.models import Persona
from tests.echovessel.materials.files import png, text_chunk
from tests.support.drafting import file
from tests.support.factories import NOW, BondFactory, PersonaFactory, UserFactory
from tests.support.rest import NOT_FOUND, NOT_SIGNED_IN, answered, api, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def media(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def picture(kind="PNG", *, size=(40, 20), color="red"):
    content = BytesIO()
    Image.new("RGB", size, color).save(content, kind)
    return content.getvalue()


def blank(*size):
    """A large picture in one bit a pixel, which is drawn soon."""
    content = BytesIO()
    Image.new("1", size).save(content, "PNG")
    return content.getvalue()


def put(user, persona, content, name="a.png"):
    return api(user).put(f"/api/personas/{persona.pk}/avatar/", file(name, content), format="multipart")


def kept(media):
    return [path.name for path in media.glob("avatars/*")]


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_a_picture_is_drawn_anew(kind, mara, media):
    persona = PersonaFactory(owner=mara)

    shown = put(mara, persona, picture(kind)).json()["avatar"]
    response = api(mara).get(shown)

    [name] = kept(media)
    assert shown == f"/api/personas/{persona.pk}/avatar/?v={name[:8]}"
    assert (response.status_code, response["Content-Type"]) == (200, "image/webp")
    drawn = Image.open(BytesIO(response.content))
    assert (drawn.format, drawn.size) == ("WEBP", (512, 512))


def test_what_else_a_file_holds_is_not_kept(mara):
    secret = b"48.2082,16.3738"
    content = picture()
    content = content[:33] + text_chunk(b"tEXt", b"where", secret) + content[33:] + b"<script>alert(1)</script>"
    persona = PersonaFactory(owner=mara)

    put(mara, persona, content, name="a.svg")

    drawn = avatars.load_content(Persona.objects.get())
    assert (secret in drawn, b"script" in drawn) == (False, False)


def test_another_picture_takes_the_place_of_the_first(mara, media, django_capture_on_commit_callbacks):
    persona = PersonaFactory(owner=mara)
    with django_capture_on_commit_callbacks(execute=True):
        put(mara, persona, picture())
    [first] = kept(media)

    with django_capture_on_commit_callbacks(execute=True):
        put(mara, persona, picture(color="blue"))
    [second] = kept(media)
    assert first != second

    with django_capture_on_commit_callbacks(execute=True):
        assert answered(api(mara).delete(f"/api/personas/{persona.pk}/avatar/")) == (204, None)
    assert kept(media) == []
    no_picture = refusal("not_found", "This persona has no picture.")
    assert answered(api(mara).get(f"/api/personas/{persona.pk}/avatar/")) == (404, no_picture)


UNREADABLE = "This picture cannot be read. Use PNG, JPEG or WebP."


@pytest.mark.parametrize(
    ("content", "status", "code", "detail"),
    [
        (b"", 400, "invalid", UNREADABLE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 400, "invalid", UNREADABLE),
        (picture("GIF"), 400, "invalid", UNREADABLE),
        (picture("BMP"), 400, "invalid", UNREADABLE),
        (picture(size=(400, 400))[:80], 400, "invalid", UNREADABLE),
        (png()[:40], 400, "invalid", UNREADABLE),
        (b"x" * (4 * 2**20 + 1), 413, "too_long", "This file is too large; at most 4 MiB are taken."),
    ],
    ids=["empty", "svg", "gif", "bmp", "cut off", "head alone", "too large"],
)
def test_a_file_that_is_no_picture_is_refused(content, status, code, detail, mara, media):
    persona = PersonaFactory(owner=mara)

    assert answered(put(mara, persona, content)) == (status, refusal(code, detail))
    assert (kept(media), Persona.objects.get().avatar.name) == ([], "")


@pytest.mark.parametrize("size", [(4000, 2001), (15_000, 13_000)], ids=["too many pixels", "a bomb"])
def test_a_picture_of_too_many_pixels_is_refused(size, mara, media):
    persona = PersonaFactory(owner=mara)

    assert answered(put(mara, persona, blank(*size))) == (
        400,
        refusal("too_long", "This picture has more than 8 million pixels."),
    )
    assert (kept(media), Persona.objects.get().avatar.name) == ([], "")


def test_files_that_no_persona_names_are_swept_away_at_night(mara, media):
    persona = PersonaFactory(owner=mara)
    put(mara, persona, picture())
    [named] = kept(media)
    long_ago = (NOW - timedelta(days=2)).timestamp()
    for name in ("left.webp", named):
        (media / "avatars" / name).touch()
        os.utime(media / "avatars" / name, (long_ago, long_ago))
    # Its row may be on its way.
    (media / "avatars" / "fresh.webp").touch()
    os.utime(media / "avatars" / "fresh.webp", (NOW.timestamp(), NOW.timestamp()))

    assert avatars.sweep(now=NOW) == 1
    assert sorted(kept(media)) == sorted(["fresh.webp", named])


def test_nothing_is_swept_where_there_never_was_a_picture():
    assert avatars.sweep(now=NOW) == 0


def test_a_stranger_sees_no_picture_and_changes_none(mara, client):
    persona = PersonaFactory(owner=mara)
    put(mara, persona, picture())
    charlie = api(UserFactory(username="charlie"))
    url = f"/api/personas/{persona.pk}/avatar/"

    assert answered(charlie.get(url)) == NOT_FOUND
    assert answered(charlie.put(url, file("a.png", picture()), format="multipart")) == NOT_FOUND
    assert answered(charlie.delete(url)) == NOT_FOUND
    assert answered(client.get(url)) == NOT_SIGNED_IN


def test_who_talks_with_a_persona_sees_its_picture(mara):
    shared, archived = (PersonaFactory(owner=mara, visibility="shared") for _ in range(2))
    lin = BondFactory(persona=archived).user
    for persona in (shared, archived):
        put(mara, persona, picture())
    api(mara).delete(f"/api/personas/{archived.pk}/")

    statuses = [api(lin).get(f"/api/personas/{persona.pk}/avatar/").status_code for persona in (shared, archived)]
    assert statuses == [200, 200]
    assert answered(put(lin, shared, picture())) == NOT_FOUND


def test_a_picture_of_just_eight_million_pixels_is_drawn(mara):
    assert put(mara, PersonaFactory(owner=mara), blank(4000, 2000)).status_code == 200


@pytest.mark.usefixtures("long_minute")
def test_pictures_are_costly(mara, settings):
    settings.RATES = settings.RATES | {"costly": 1}
    persona = PersonaFactory(owner=mara)
    with time_machine.travel(NOW, tick=False):
        statuses = [put(mara, persona, picture()).status_code for _ in range(2)]

    assert statuses == [200, 429]


def test_pictures_are_decoded_one_at_a_time(monkeypatch):
    begun, ended = [], []

    def load(content, **_):
        begun.append(len(ended))
        with Image.open(BytesIO(content)) as found:
            found.load()
        ended.append(1)
        return found

    monkeypatch.setattr(avatars, "decode", load)
    threads = [threading.Thread(target=avatars.redraw, args=(picture(size=(1000, 1000)),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert begun == [0, 1, 2, 3]
