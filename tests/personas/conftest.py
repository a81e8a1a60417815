import pytest
import time_machine


@pytest.fixture
def clock():
    """Twenty seconds past a full minute."""
    with time_machine.travel("2026-11-21T20:00:20Z", tick=False) as clock:
        yield clock
