import pytest
from django.db import DataError, ProgrammingError, connection, transaction

from echovessel.postgres import prepared

DIVIDED = "SELECT %(a)s::int / %(b)s::int, %(a)s::int %% 2, %(said)s::text, '100 %%'"


def forget_prepared():
    with connection.cursor() as cursor:
        cursor.execute("DEALLOCATE ALL")


@pytest.mark.django_db
def test_a_statement_is_prepared_once_and_then_executed(django_assert_num_queries):
    with django_assert_num_queries(2) as queries:
        first = prepared.fetch_all(f"{DIVIDED} AS of_two", {"a": 7, "b": 2, "said": "it's $1; %s"})
        second = prepared.fetch_all(f"{DIVIDED} AS of_two", {"a": 9, "b": 3, "said": None})

    assert (first, second) == ([(3, 1, "it's $1; %s", "100 %")], [(3, 1, None, "100 %")])
    assert [query["sql"].split()[0] for query in queries.captured_queries] == ["SET", "EXECUTE"]


@pytest.mark.django_db
def test_a_statement_whose_first_execution_failed_is_prepared_again():
    statement = DIVIDED + ", 'failed first'"

    with pytest.raises(DataError), transaction.atomic():
        prepared.fetch_all(statement, {"a": 1, "b": 0, "said": ""})

    assert prepared.fetch_all(statement, {"a": 2, "b": 1, "said": ""})[0][0] == 2


@pytest.mark.django_db(transaction=True)
def test_a_statement_that_the_server_holds_no_longer_is_prepared_again():
    prepared.fetch_all(DIVIDED, {"a": 1, "b": 1, "said": ""})
    forget_prepared()

    assert prepared.fetch_all(DIVIDED, {"a": 2, "b": 1, "said": ""})[0][0] == 2

    forget_prepared()
    with pytest.raises(ProgrammingError), transaction.atomic():
        prepared.fetch_all(DIVIDED, {"a": 1, "b": 1, "said": ""})
    assert prepared.fetch_all(DIVIDED, {"a": 3, "b": 1, "said": ""})[0][0] == 3


@pytest.mark.django_db(transaction=True)
def test_a_transaction_whose_statement_the_server_holds_no_longer_is_tried_again():
    tried = []

    @prepared.retry_where_lost
    @transaction.atomic
    def divide(b):
        tried.append(b)
        return prepared.fetch_all(DIVIDED, {"a": 8, "b": b, "said": ""})[0][0]

    assert divide(1) == 8
    forget_prepared()
    assert divide(2) == 4
    assert divide(4) == 2
    assert tried == [1, 2, 2, 4]
    with pytest.raises(DataError):
        divide(0)
    assert tried == [1, 2, 2, 4, 0]
