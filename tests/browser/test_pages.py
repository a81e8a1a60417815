import pytest

from tests.browser import pages
from tests.support import sample


@pytest.fixture
def life(db):
    return sample.live()


def test_every_route_is_a_page_of_the_list_or_none_for_a_reason():
    listed = {page.route for page in pages.PAGES}

    assert (pages.routes() - pages.NO_PAGES.keys(), pages.NO_PAGES.keys() & listed) == (listed, set())
    assert len({page.name for page in pages.PAGES}) == len(pages.PAGES)


def test_each_page_is_there(life):
    found = {}
    for page in pages.PAGES:
        answer = pages.signed_in(life, page.reader).get(page.address(life))
        found[page.name] = (answer.status_code, answer.headers.get("Location", ""))

    assert found == {page.name: (page.status, "") for page in pages.PAGES}
