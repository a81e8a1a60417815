import socket
import ssl
from datetime import UTC, datetime

import pytest

from echovessel.llm.openai_protocol import failures

NOW = datetime(2026, 11, 21, 23, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("12", 12.0),
        ("1.5", 1.5),
        ("-3", 0.0),
        ("Sat, 21 Nov 2026 23:01:30 GMT", 90.0),
        ("Sat, 21 Nov 2026 22:00:00 GMT", 0.0),
        ("9999999", 86_400.0),
        ("soon", None),
        ("nan", None),
    ],
)
def test_retry_after(header, seconds):
    assert failures.parse_retry_after(header, now=NOW) == seconds


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        (ConnectionRefusedError(), "Nothing answers at the address of the model server."),
        (socket.gaierror(), "The name in the address of the model server is unknown."),
        (ssl.SSLError(), "A secure connection to the model server failed."),
        (ConnectionResetError(), "The model server cannot be reached."),
    ],
    ids=["refused", "no such name", "no TLS", "anything else"],
)
def test_why_there_is_no_connection(cause, sentence):
    try:
        try:
            raise cause
        except OSError as below:
            raise OSError("All connection attempts failed") from below
    except OSError as error:
        found = failures.to_connection_error(error)

    assert (str(found), found.code, found.transient) == (sentence, "model_unavailable", True)
