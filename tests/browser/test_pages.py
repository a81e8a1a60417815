from tests.browser import pages


def test_every_route_is_a_page_of_the_list_or_none_for_a_reason():
    listed = {page.route for page in pages.PAGES}

    assert (pages.routes() - pages.NO_PAGES.keys(), pages.NO_PAGES.keys() & listed) == (listed, set())
    assert len({page.name for page in pages.PAGES}) == len(pages.PAGES)
