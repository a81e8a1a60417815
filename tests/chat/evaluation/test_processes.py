import pytest
from django.db import connection

from chat.evaluation.facts import processes


def find_database(item: str) -> tuple[str, str]:
    return item, str(connection.settings_dict["NAME"])


@pytest.mark.django_db
def test_other_processes_use_the_same_database_and_keep_the_order():
    here = connection.settings_dict["NAME"]

    assert list(processes.map_apart(find_database, ["b", "a"])) == [("b", here), ("a", here)]
