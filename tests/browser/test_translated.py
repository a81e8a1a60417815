"""That no page in Chinese says anything in English: what people wrote is veiled in Cyrillic, so that all Latin letters are the pages' own."""

import re
import string
from pathlib import Path
from zoneinfo import available_timezones

import pytest
from django.conf import settings
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from echovessel.llm.presets import PRESETS
from tests.browser import pages, reading
from tests.browser.pages import ADA, LIN, LIN_AT_THE_DOOR, MARA, MARA_BY_EMAIL, NOBODY
from tests.support import sample

VEIL = str.maketrans(
    string.ascii_letters,
    "".join(chr(first + number) for first in (0x430, 0x410) for number in range(26)),
)
# What stays in Latin letters, with the reason.
ALLOWED = (
    r"EchoVessel|Marian Hale|Teo",  # its own name and those of its characters
    r"English",  # a language by its own name
    r"TA",  # "he or she", as people write it
    r"API|ChatGPT|CSV|csv|JavaScript|JPEG|https?|JSON|json|Markdown|md|PNG|png|schema|Token|token|[Tt]op p|txt|WebP|zip",  # techniques
    r"Ctrl|Enter|Esc|F8|Shift",  # keys
    r"manage\.py changepassword NAME",  # a command
    r"OPENAI_[A-Z_]+",  # names of settings
    r"GiB|kB|MiB",  # units
    r"\w+@example\.org|ada|lin|mara",  # who signs in, and addresses
    *(re.escape(preset.name) for preset in PRESETS),  # the names of model servers
    r"qwen3-8b",  # the name of a model
    r"\{\{(?:char|user)\}\}",  # what a text is written with
    r"[A-Z2-7]{32}|[0-9a-f]{8}",  # a secret to be typed into an app, the beginning of a token
)
LATIN = re.compile(r"[A-Za-z][A-Za-z'’]+")
KNOWN = re.compile(rf"(?<![A-Za-z])(?:{'|'.join(ALLOWED)})(?![A-Za-z])")
# Cities have no Chinese names in the zone database.
PLACES = {place for zone in available_timezones() for place in (zone, *zone.replace("_", " ").split("/"))}


def veiled(words):
    return words.translate(VEIL)


def english(texts):
    """Those with Latin letters that nothing allows."""
    return [text for text in texts if LATIN.search(KNOWN.sub("", text)) and not PLACES.issuperset(text.split(", "))]


@pytest.fixture
def life(db):
    return sample.live(veiled)


def is_for_people(page):
    # Whoever builds pages reads of them in English.
    return page.name != "design"


def chinese(life, reader):
    return pages.signed_in(life, reader, headers={"Accept-Language": "zh-CN"})


# A blank after a mark of Chinese, a mark of English after a Chinese word, and the pronoun that no other page says.
UGLY = re.compile(r"[。，；：！？] +[^ ]| [（]|[\u4e00-\u9fff][:,;]|您")
# Its three sentences are joined by a template that is not ours.
JOINED = "mfa_generate_recovery_codes"


def foreign(texts):
    """Those in English, and those in Chinese that no other page would write so."""
    return [*english(texts), *filter(UGLY.search, texts)]


def test_no_page_says_anything_in_english_or_punctuates_chinese_as_english(life):
    clients = {reader: chinese(life, reader) for reader in {page.reader for page in pages.PAGES}}

    found = {}
    for page in filter(is_for_people, pages.PAGES):
        answer = clients[page.reader].get(page.address(life))
        texts = reading.texts(answer.content.decode())
        if left := english(texts) if page.name == JOINED else foreign(texts):
            found[page.name] = left

    assert found == {}


def file(name="a.bin", content=b"\x00\x01"):
    return SimpleUploadedFile(name, content)


WRONG = {"login": "lin", "password": "wrong", "code": "000000"}
# Who sends what to which route, so that it is refused or told to have been done.
SENT = [
    (NOBODY, "account_login", {}),
    (NOBODY, "account_login", WRONG),
    (NOBODY, "account_signup", {}),
    (NOBODY, "account_signup", {"username": "mara", "email": "x", "password1": "12", "password2": "13"}),
    (NOBODY, "account_signup", {"username": "ma ra!", "password1": "password", "password2": "password"}),
    (NOBODY, "account_signup", {"username": "quentin", "password1": "quentin1", "password2": "quentin1"}),
    (NOBODY, "account_reset_password", {}),
    (NOBODY, "account_reset_password", {"email": "nobody"}),
    (NOBODY, "account_reset_password", {"email": "mara@example.org"}),
    (MARA, "account_change_password", {}),
    (MARA, "account_change_password", {"oldpassword": "wrong", "password1": "1", "password2": "2"}),
    (MARA, "account_reauthenticate", WRONG),
    (MARA, "account_email", {"action_add": "", "email": "x"}),
    (MARA, "account_email", {"action_add": "", "email": "new@example.org"}),
    (MARA, "account_email", {"action_remove": "", "email": "mara@example.org"}),
    (MARA_BY_EMAIL, "account_reset_password_from_key", {"password1": "1", "password2": "2"}),
    (ADA, "mfa_activate_totp", WRONG),
    (LIN, "mfa_reauthenticate", WRONG),
    (LIN, "mfa_generate_recovery_codes", {}),
    (LIN, "account_email", {"action_add": "", "email": "new@example.org"}),
    (LIN, "mfa_deactivate_totp", {}),
    (LIN, "account_logout", {}),
    (LIN_AT_THE_DOOR, "mfa_authenticate", WRONG),
    (MARA, "settings", {"display_name": "я" * 81, "email": "x", "time_zone": "я", "language": "я"}),
    (MARA, "settings", {"display_name": "", "email": "", "time_zone": "UTC", "language": "zh-hans"}),
    (MARA, "make_token", {}),
    (MARA, "erase_account", {}),
    (MARA, "erase_account", WRONG),
    (MARA, "write_companion", {}),
    (MARA, "write_companion", {"name": "я" * 81, "persona": "я" * 5001, "avatar": "data:image/png;base64,xx"}),
    (MARA, "material_companion", {"draft": ""}),
    (MARA, "material_companion", {"draft": "", "file": file()}),
    (MARA, "ready_companion", {"user": "я" * 5001}),
    (MARA, "bring_back", {}),
    (MARA, "bring_back", {"file": file("a.zip")}),
    (MARA, "persona", {}),
    (MARA, "persona", {"name": "я" * 81, "avatar": file()}),
    (MARA, "people", {}),
    (MARA, "people", {"canonical_name": veiled("Nimbus"), "kind": "pet", "aliases": "я" * 121}),
    (MARA, "people", {"canonical_name": veiled("Nimbus"), "kind": "pet"}),
    (MARA, "person", {"canonical_name": veiled("Scott"), "kind": "pet"}),
    (MARA, "imports", {}),
    (MARA, "imports", {"file": file()}),
    (MARA, "erase_bond", {}),
    (MARA, "erase_bond", {"confirm": "wrong"}),
    (MARA, "erase_companion", {"confirm": "wrong"}),
    (MARA, "forget_memory", {"dependents": "x"}),
    (MARA, "forget_memory", {"dependents": "cascade", "lines": "forget"}),
]


def test_nothing_is_refused_or_confirmed_in_english(life):
    address = {page.route: page for page in reversed(pages.PAGES)}
    found = {}
    for number, (reader, route, body) in enumerate(SENT):
        page = address.get(route)
        path = page.address(life) if page else reverse(route)
        answer = chinese(life, reader).post(path, body, follow=True)
        assert (answer.status_code < 500, answer.status_code != 405) == (True, True), (route, body)
        if left := foreign(reading.texts(answer.content.decode())):
            found[f"{number} {route}"] = left

    assert found == {}


def acts(life):
    """What is done or refused in passing: route, ids, body."""
    bond, nodes, people = life.bond.pk, life.nodes, life.people
    nimbus, scott, yiyang = (people[name].pk for name in ("Nimbus", "Scott", "Yiyang"))
    return [
        ("settle_memory", (bond, nodes["ask"].pk), {"state": "kept"}),
        ("settle_memory", (bond, nodes["ask"].pk), {"state": "broken"}),
        ("correct_memory", (bond, nodes["cat"].pk), {}),
        ("correct_memory", (bond, nodes["cat"].pk), {"description": "", "emotional_impact": "99"}),
        ("correct_memory", (bond, nodes["old cat"].pk), {"description": veiled("A cat"), "emotional_impact": "1"}),
        ("merge_people", (bond, nimbus), {"other": nimbus}),
        ("merge_people", (bond, scott), {"other": yiyang}),
        ("keep_apart", (bond, nimbus), {"other": nimbus}),
        ("forget_person", (bond, nimbus), {}),
        ("forget_many", (bond,), {}),
        ("forget_many", (bond,), {"node": [nodes["work"].pk, nodes["waltz"].pk]}),
        ("restore_forgotten", (bond, life.acts[1].pk), {}),
        ("erase_forgotten", (bond, life.acts[0].pk), {}),
        ("start_import", (bond, life.imports["done"].pk), {}),
        ("cancel_import", (bond, life.imports["running"].pk), {}),
        ("accept_proposal", (bond, life.imports["done"].pk, life.imports["done"].proposals.first().pk), {}),
        ("persona", (bond,), {"persona-content": veiled("Other.")}),
        ("persona", (bond,), {"persona-content": "я" * 5001}),
        ("restore_text", (bond, "persona", 1), {}),
        ("share_persona", (bond,), {"shared": ""}),
    ]


def test_nothing_is_done_in_english(life):
    client = chinese(life, MARA)
    found = {}
    for number, (route, ids, body) in enumerate(acts(life)):
        answer = client.post(reverse(route, args=ids), body, follow=True)
        assert answer.status_code not in (404, 405, 500), (route, body)
        if left := foreign(reading.texts(answer.content.decode())):
            found[f"{number} {route}"] = left

    assert found == {}


def test_no_error_page_and_no_letter_is_in_english(life, client, settings):
    settings.EMAIL_BACKEND, settings.SENDS_MAIL = "django.core.mail.backends.locmem.EmailBackend", True
    with translation.override("zh-hans"):
        told = [render_to_string(f"{name}.html") for name in ("400", "403", "403_csrf", "404", "429", "500")]
    for address in ("mara@example.org", "nobody@example.org"):
        asked = chinese(life, NOBODY).post(reverse("account_reset_password"), {"email": address}, follow=True)
        assert english(reading.texts(asked.content.decode())) == []
    changed = chinese(life, MARA).post(
        reverse("account_email"), {"action_add": "", "email": "new@example.org"}, follow=True
    )
    letters = [
        re.sub(r"https?://\S+|\S*example\.com|testserver", "", f"{one.subject}\n{one.body}") for one in mail.outbox
    ]

    assert [english(reading.texts(page)) for page in told] == [[]] * 6
    assert english(reading.texts(changed.content.decode())) == []
    assert [english(letter.splitlines()) for letter in letters] == [[]] * 3


SENTENCE = re.compile(r"""(["'`])([A-Z][a-z]+(?: [a-z']+)+[.…!?]?)\1""")


def test_no_script_holds_a_sentence():
    scripts = sorted(Path(settings.BASE_DIR / "static/js").rglob("*.js"))
    code = {path.name: re.sub(r"^\s*//.*$", "", path.read_text(), flags=re.MULTILINE) for path in scripts}

    assert {name: found for name, text in code.items() if (found := SENTENCE.findall(text))} == {}
