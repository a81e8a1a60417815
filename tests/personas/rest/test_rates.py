import threading
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import override_settings

from personas.models import RateCount
from personas.rest import rates
from tests.support.factories import NOW, UserFactory

BACKENDS = [pytest.param(False, id="database"), pytest.param(True, id="cache")]


def take(user_id, kind="costly", now=NOW):
    return rates.count_request(user_id=user_id, kind=kind, now=now)


@pytest.fixture
def two_a_minute(settings):
    settings.RATES = settings.RATES | {"costly": 2}


@pytest.mark.django_db
@pytest.mark.parametrize("in_cache", BACKENDS)
def test_each_person_has_so_many_of_each_kind_in_a_minute(in_cache, settings, two_a_minute):
    settings.RATES_IN_CACHE = in_cache
    mara, lin = UserFactory().pk, UserFactory().pk
    now = NOW.replace(second=20)

    assert [take(mara, now=now), take(mara, now=now), take(mara, now=now)] == [0, 0, 40]
    assert [take(lin, now=now), take(mara, "reads", now)] == [0, 0]
    assert take(mara, now=now + timedelta(seconds=40)) == 0


@pytest.mark.django_db
def test_the_database_counts_while_redis_is_away(settings, two_a_minute):
    settings.CACHES = {
        "default": {"BACKEND": "django.core.cache.backends.redis.RedisCache", "LOCATION": "redis://127.0.0.1:1"}
    }
    settings.RATES_IN_CACHE = True
    mara = UserFactory().pk

    assert [bool(take(mara)) for _ in range(3)] == [False, False, True]


@pytest.mark.django_db
@pytest.mark.parametrize("jump", [timedelta(days=400), -timedelta(days=400)], ids=["forth", "back"])
@pytest.mark.parametrize("in_cache", BACKENDS)
def test_a_clock_that_jumps_locks_nobody_out(jump, in_cache, settings, two_a_minute):
    settings.RATES_IN_CACHE = in_cache
    mara = UserFactory().pk
    for _ in range(3):
        take(mara)

    after = [take(mara, now=NOW + jump) for _ in range(3)]

    assert [bool(wait) for wait in after] == [False, False, True]


@pytest.mark.django_db
def test_a_person_has_a_row_of_each_kind_and_none_after_the_account(settings):
    settings.RATES_IN_CACHE = False
    mara = UserFactory()
    for hours in range(3):
        take(mara.pk, now=NOW + timedelta(hours=hours))
    kept = RateCount.objects.count()

    mara.delete()

    assert (kept, RateCount.objects.count()) == (1, 0)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("in_cache", BACKENDS)
def test_requests_at_once_count_as_many(in_cache):
    mara = UserFactory().pk
    begin = threading.Barrier(6)
    waits = []

    def ask():
        try:
            begin.wait(10)
            waits.extend(take(mara, "messages") for _ in range(20))
        finally:
            connection.close()

    with override_settings(RATES_IN_CACHE=in_cache):
        threads = [threading.Thread(target=ask) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
    cache.clear()

    assert (len(waits), waits.count(0)) == (120, 60)
