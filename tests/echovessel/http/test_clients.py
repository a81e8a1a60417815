import pytest
from django.test import RequestFactory

from echovessel.http import clients


def asked(passed_on=None, peer="10.0.0.2", **headers):
    if passed_on is not None:
        headers["HTTP_X_FORWARDED_FOR"] = passed_on
    return RequestFactory().get("/", REMOTE_ADDR=peer, **headers)


@pytest.mark.parametrize(
    ("hops", "passed_on", "address"),
    [
        (0, "198.51.100.1", "10.0.0.2"),
        (1, None, "10.0.0.2"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9, 10.0.0.1", "203.0.113.9"),
        (2, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9:4711", "203.0.113.9"),
        (1, "2001:db8::1", "2001:db8::1"),
        (1, "[2001:DB8::1]:4711", "2001:db8::1"),
        (1, "203.0.113.9, unknown", "10.0.0.2"),
        (1, "203.0.113.9,", "10.0.0.2"),
        (1, "", "10.0.0.2"),
    ],
)
def test_address_is_what_the_farthest_trusted_proxy_saw(hops, passed_on, address, settings):
    settings.TRUSTED_PROXIES = hops

    assert clients.get_address(asked(passed_on)) == address


@pytest.mark.parametrize("header", clients._PASSED_ON)
def test_each_header_of_a_proxy_tells_that_there_is_one(header):
    assert clients.is_proxied(asked(**{header: "x"}))


def test_a_browser_on_this_machine_tells_of_no_proxy():
    assert not clients.is_proxied(asked(peer="127.0.0.1"))


@pytest.mark.parametrize(
    ("https", "hosts", "is_alone"),
    [
        (False, ["localhost", "127.0.0.1", "[::1]"], True),
        (False, [".localhost", "127.0.0.2"], True),
        (True, ["localhost"], False),
        (False, ["localhost", "chat.example.org"], False),
        (False, ["*"], False),
        (False, ["192.168.1.7"], False),
    ],
)
def test_an_install_with_another_name_or_with_tls_is_for_others_too(https, hosts, is_alone, settings):
    settings.HTTPS, settings.ALLOWED_HOSTS = https, hosts

    assert clients.is_local_only() is is_alone
