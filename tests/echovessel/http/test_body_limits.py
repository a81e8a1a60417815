"""The web process against bodies that are too large, as bytes on a socket."""

import json
import socket

import psutil
import pytest
from django.test import Client

from chat.transfer.restoring import UPLOAD_MOST
from echovessel import materials
from personas.rest.uploads import FORM_BYTES
from tests.browser.site import Site
from tests.support.factories import BondFactory, UserFactory
from tests.support.rest import token_of

MOST = 2 * 1024 * 1024
LOGIN, RESTORE, DRAFTS = "/api/auth/login/", "/api/bonds/import/", "/api/personas/drafts/"
PIECE = b"x" * 65_536


@pytest.fixture(scope="module")
def only_site(django_db_setup, static_files, tmp_path_factory):
    site = Site(tmp_path_factory.mktemp("intake"))
    yield site
    site.stop()


@pytest.fixture
def site(only_site, transactional_db):
    if not only_site.processes:
        only_site.start("web")
    only_site.wait_until_it_answers()
    return only_site


@pytest.fixture
def mara():
    return UserFactory(username="mara")


def head(path, *headers, kind="application/json"):
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Type: {kind}", *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def answer_to(site, *sent):
    """Status and body of the answer; what is not taken any more is not sent."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as line:
        for part in sent:
            line.sendall(part)
        reading = line.makefile("rb")
        status = int(reading.readline().split()[1])
        length = 0
        while (header := reading.readline().strip()) != b"":
            name, _, value = header.partition(b":")
            length = int(value) if name.lower() == b"content-length" else length
        return status, reading.read(length).decode()


def chunked(count):
    return [*([b"10000\r\n" + PIECE + b"\r\n"] * count), b"0\r\n\r\n"]


def token_header(user):
    return f"Authorization: Token {token_of(user)}"


def test_a_strangers_body_is_refused_by_its_length_before_any_of_it_comes(site):
    for path in (LOGIN, RESTORE, "/nowhere/"):
        status, body = answer_to(site, head(path, f"Content-Length: {MOST + 1}"))
        assert status == 413, path
    status, body = answer_to(site, head(LOGIN, "Content-Length: 200000000", "Expect: 100-continue"))

    assert (status, json.loads(body)["detail"]) == (413, "This body is too large; at most 2097152 bytes are read.")


def test_a_refused_body_is_refused_in_the_language_of_the_request(site):
    status, body = answer_to(site, head(LOGIN, f"Content-Length: {MOST + 1}", "Accept-Language: zh-Hans"))

    assert (status, json.loads(body)["detail"]) == (413, "请求内容太大，最多读取 2097152 字节。")


def test_a_strangers_body_without_a_length_is_counted(site):
    taken, refused = answer_to(site, head(LOGIN, "Transfer-Encoding: chunked"), *chunked(32)), None
    refused = answer_to(site, head(LOGIN, "Transfer-Encoding: chunked"), *chunked(32)[:-1], b"1\r\nx\r\n")

    assert (taken[0], refused[0]) == (400, 413)


def test_a_body_of_just_what_is_allowed_is_read(site):
    body = json.dumps({"username": "mara", "password": "x"}).encode().ljust(MOST)

    assert answer_to(site, head(LOGIN, f"Content-Length: {len(body)}"), body)[0] == 401


def test_who_is_signed_in_may_send_more_where_files_are_taken_and_only_there(site, mara):
    token = token_header(mara)
    client = Client()
    client.force_login(mara)
    cookie = f"Cookie: sessionid={client.session.session_key}"
    bond = BondFactory(user=mara)
    form, large = "multipart/form-data; boundary=b", f"Content-Length: {MOST + 1}"
    body = b"--b--".ljust(MOST + 1)

    read = [
        answer_to(site, head(RESTORE, token, large, kind=form), body)[0],
        answer_to(site, head(f"/bonds/{bond.pk}/import/", cookie, large, kind=form), body)[0],
    ]
    refused = [
        answer_to(site, head(LOGIN, token, large))[0],
        answer_to(site, head("/settings/", cookie, large))[0],
        answer_to(site, head(RESTORE, "Authorization: Token 0123", large))[0],
        answer_to(site, head(RESTORE, "Cookie: sessionid=abcdefghij", large))[0],
        answer_to(site, head(RESTORE, token, f"Content-Length: {UPLOAD_MOST + FORM_BYTES + 1}"))[0],
    ]

    # The first has no file in it, the second no CSRF token.
    assert (read, refused) == ([400, 403], [413] * 5)


def test_a_large_body_in_chunks_waits_for_the_answer_about_its_sender(site, mara):
    with_token = [token_header(mara), "Transfer-Encoding: chunked"]

    assert answer_to(site, head(RESTORE, *with_token), *chunked(100))[0] == 400


def test_a_body_in_chunks_is_refused_where_it_grows_beyond_what_its_sender_may_send(site, mara):
    with_token = [token_header(mara), "Transfer-Encoding: chunked"]
    most = (materials.BYTES_MOST + FORM_BYTES) // len(PIECE)

    assert answer_to(site, head(DRAFTS, *with_token), *chunked(most))[0] != 413
    assert answer_to(site, head(DRAFTS, *with_token), *chunked(most + 1))[0] == 413


def test_who_sends_on_after_the_refusal_can_read_it_and_costs_no_memory(site):
    process = psutil.Process(site.processes["web"].pid)
    before = process.memory_info().rss

    status, body = answer_to(site, head("/accounts/login/", "Content-Length: 100000000"), *[PIECE] * 1500)

    assert status == 413
    assert "This server reads at most 2 MiB." in body
    assert process.memory_info().rss - before < 30 * 2**20


def test_a_large_body_is_not_awaited_by_who_asked_whether_to_send_it(site, mara):
    expecting = head(RESTORE, token_header(mara), f"Content-Length: {MOST + 1}", "Expect: 100-continue")
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as line:
        line.sendall(expecting)
        first = line.makefile("rb").readline()

    assert first == b"HTTP/1.1 100 Continue\r\n"
