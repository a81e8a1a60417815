from django.test import RequestFactory

from echovessel import errors


def test_bug_below_api_is_told_as_json():
    answer = errors.server_error(RequestFactory().get("/api/bonds/"))

    assert (answer.status_code, answer.content) == (
        500,
        b'{"code": "interrupted", "detail": "Something went wrong here; it is written in the server\'s log.", "fields": null}',
    )


def test_bug_of_a_page_is_told_as_a_page():
    answer = errors.server_error(RequestFactory().get("/"))

    assert answer.status_code == 500
    assert answer.content.lower().startswith(b"<!doctype html>")
