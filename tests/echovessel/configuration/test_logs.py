import logging

from django.db import OperationalError
from psycopg.errors import DeadlockDetected
from redis.exceptions import ConnectionError as RedisAway

from echovessel.configuration.logs import OutageFilter


def test_an_outage_is_told_in_one_line_a_minute():
    outage, kept = OutageFilter(again_seconds=60), []
    away = OperationalError("connection refused\n\tIs the server running?")
    deadlock = OperationalError("deadlock detected")
    deadlock.__cause__ = DeadlockDetected()
    said = [
        ("pull", away, 0),
        ("pull", away, 1),
        ("pull", away, 60),
        ("closed", None, 61),
        ("bug", deadlock, 62),
        ("wake", RedisAway("refused"), 63),
    ]
    for text, error, at in said:
        exc_info = error and (type(error), error, None)
        record = logging.LogRecord("django-q", logging.ERROR, "", 0, text, None, exc_info)
        record.created = 1000.0 + at
        if outage.filter(record):
            kept.append((record.getMessage(), record.exc_info is not None))

    assert kept == [
        ("pull: connection refused", False),
        ("pull: connection refused", False),
        ("closed", False),
        ("bug", True),
        ("wake: refused", False),
    ]


def test_a_name_that_the_site_is_not_reached_by_is_told_in_one_line(client, caplog):
    answer = client.get("/", headers={"host": "evil.example"})

    [line] = caplog.text.splitlines()
    assert (answer.status_code, "'evil.example'" in line, line.endswith("to ALLOWED_HOSTS.")) == (400, True, True)
