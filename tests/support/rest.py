"""Requests to the REST API as a user."""

from django.utils import timezone
from rest_framework.test import APIClient

from personas.accounts import authentication, token_authentication


def api(user):
    """A client with a token of this user's."""
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Token {token_of(user)}")
    return client


def token_of(user):
    now = timezone.now()
    token, row = authentication.issue_token(user, now=now)
    # As if it had just been used: tests count the queries of what they ask for.
    token_authentication.recorded.add(row.token_id, now)
    return token


def answered(response):
    """Status and body, to be compared whole."""
    return response.status_code, response.json() if response.content else None


def refusal(code, detail, fields=None):
    return {"code": code, "detail": detail, "fields": fields}


NOT_FOUND = 404, refusal("not_found", "Not found.")
NOT_SIGNED_IN = (
    401,
    refusal("not_signed_in", "Nobody is signed in. Send the header “Authorization: Token …”, or the cookie of a page."),
)
