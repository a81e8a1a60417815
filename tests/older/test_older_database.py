from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.apps import apps
from django.contrib import admin
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ

from memory.models import ConceptNode, Entity, Import, Message
from personas.models import Bond, User
from tests.conftest import close_layers
from tests.older.loading import DUMPS, SECRET_KEY, in_place, rows_by_table
from tests.support.factories import PASSWORD
from tests.support.talking import reply, say

THE_DAY_AFTER = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)
OF_BOND = (
    *("bond", "take_along", "persona", "people", "people_graph", "memories", "mood", "memory_words", "trash"),
    *("imports", "erase_bond"),
)
each_dump = pytest.mark.parametrize("dump", DUMPS, ids=lambda dump: dump.stem)


@pytest.fixture
def older(dump, settings, tmp_path, monkeypatch, django_db_setup, django_db_blocker):
    settings.SECRET_KEY = SECRET_KEY
    # It was read when the queue was loaded.
    monkeypatch.setattr("django_q.conf.Conf.SECRET_KEY", SECRET_KEY)
    settings.MEDIA_ROOT = tmp_path
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    close_layers()
    with time_machine.travel(THE_DAY_AFTER), django_db_blocker.unblock(), in_place(dump):
        yield
        close_layers()


@each_dump
def test_a_dump_holds_rows_of_every_table(dump):
    assert [table for table, count in rows_by_table(dump).items() if count == 0] == []


@each_dump
def test_a_dump_holds_rows_of_every_model_that_it_knew(older):
    executor = MigrationExecutor(connection)
    then = executor.loader.project_state(list(executor.loader.applied_migrations)).apps

    assert [model._meta.label for model in then.get_models() if not model._base_manager.exists()] == []


@each_dump
def test_an_older_database_is_migrated_and_goes_on_also_where_a_migration_was_ended_in_between(older):
    said = list(Message.objects.order_by("id").values_list("id", "content"))

    a_migration_that_was_ended_begins_anew()
    call_command("migrate", verbosity=0)
    call_command("ensure_schedules")

    assert list(Message.objects.order_by("id").values_list("id", "content")) == said
    mara = signed_in("mara")
    assert {url: mara.get(url).status_code for url in pages("mara")} == dict.fromkeys(pages("mara"), 200)
    ada = signed_in("ada")
    assert {url: ada.get(url).status_code for url in lists()} == dict.fromkeys(lists(), 200)
    a_line_is_answered(Bond.objects.filter(user__username="mara").earliest("id"))
    run_what_is_queued()


def a_migration_that_was_ended_begins_anew():
    indexed = ("memory", "0027_facts_indexed")
    call_command("migrate", *indexed, verbosity=0)
    built = constraints_and_indexes()
    MigrationRecorder(connection).record_unapplied(*indexed)
    with connection.cursor() as cursor:
        cursor.execute("DROP INDEX node_copies")

    call_command("migrate", *indexed, verbosity=0)

    assert constraints_and_indexes() == built


def constraints_and_indexes():
    with connection.cursor() as cursor:
        cursor.execute("SELECT indexrelid::regclass::text, indisvalid FROM pg_index ORDER BY 1")
        indexes = cursor.fetchall()
        cursor.execute("SELECT conname, convalidated FROM pg_constraint ORDER BY 1")
        return indexes, cursor.fetchall()


def signed_in(name):
    client = Client()
    answer = client.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    assert (answer.status_code, answer.headers["Location"]) == (302, reverse("home"))
    return client


def pages(name):
    found = [reverse(route) for route in ("home", "new_companion", "settings")]
    for bond in Bond.objects.for_user(User.objects.get(username=name)):
        found += [reverse(route, args=[bond.pk]) for route in OF_BOND]
        shown = {
            "memory": ConceptNode.objects.for_bond(bond).current(),
            "person": Entity.objects.for_bond(bond).not_deleted_or_merged(),
            "import": Import.objects.for_bond(bond),
        }
        for route, rows in shown.items():
            found += [reverse(route, args=[bond.pk, pk]) for pk in rows.values_list("pk", flat=True)]
    return found


def lists():
    models = [model for model in apps.get_models() if admin.site.is_registered(model)]
    return [reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist") for model in models]


def a_line_is_answered(bond):
    turn = say(bond, "The cat came home.", now=timezone.now() + timedelta(minutes=1))
    assert (turn.status, bool(reply(turn))) == ("done", True)


def run_what_is_queued():
    waiting = [entry.task for entry in OrmQ.objects.order_by("id")]
    assert waiting[0]["func"] == "memory.tasks.embed_messages"
    for task in waiting:
        import_string(task["func"])(*task["args"], **task["kwargs"])
