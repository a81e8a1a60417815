import pytest
from django_q.models import OrmQ


@pytest.fixture
def run_queue_names():
    """The names of the tasks that wait."""
    return lambda: [one.task["func"] for one in OrmQ.objects.order_by("id")]
