"""Report ids of a story that lead to another bond, or to nothing: they are left out, and nothing else is changed."""

import logging

logger = logging.getLogger("echovessel.storytelling")


def report(what: str, *, bond_id: int) -> None:
    logger.warning("scope_violation: %s of bond %s names what is not of this bond; it is left out", what, bond_id)
