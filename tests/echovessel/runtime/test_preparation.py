import threading

import pytest
from django.db import connection, connections
from django.db.migrations.recorder import MigrationRecorder

from echovessel.embeddings import embedding
from echovessel.runtime import preparation


@pytest.fixture
def said():
    return []


@pytest.fixture
def static(settings, tmp_path):
    """Two files to collect, into a data folder of their own."""
    (tmp_path / "static").mkdir()
    for name in ("one.css", "two.css"):
        (tmp_path / "static" / name).write_text("a {}")
    settings.DATA_DIR = tmp_path
    settings.STATICFILES_DIRS = [tmp_path / "static"]
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    settings.STATIC_ROOT = tmp_path / "collected"
    return tmp_path


def test_static_files_are_collected_only_when_they_changed(static, said):
    preparation.collect_static(said.append)
    preparation.collect_static(said.append)
    after_two = list(said)
    (static / "static" / "one.css").write_text("a { color: red }")
    preparation.collect_static(said.append)

    assert (after_two, said) == (["Collecting static files"], ["Collecting static files"] * 2)
    assert (static / "collected" / "one.css").read_text() == "a { color: red }"


def test_static_files_that_were_removed_are_collected_again(static, said):
    preparation.collect_static(said.append)
    (static / "collected").rename(static / "gone")

    preparation.collect_static(said.append)

    assert said == ["Collecting static files"] * 2


@pytest.mark.django_db
def test_database_that_does_not_answer_is_waited_for_and_named(monkeypatch, said):
    monkeypatch.setattr(preparation, "_ANSWER_SECONDS", 0.01)
    monkeypatch.setitem(connections["default"].settings_dict["OPTIONS"], "port", 1)
    raised = []

    def prepare():
        try:
            preparation.prepare(said.append)
        except preparation.PreparationError as error:
            raised.append(str(error))
        connection.close()

    thread = threading.Thread(target=prepare)
    thread.start()
    thread.join()

    assert (len(raised), said) == (1, [])
    assert raised[0].startswith("The database does not answer: ")
    assert raised[0].endswith(" Check DATABASE_URL.")


@pytest.mark.django_db
def test_redis_that_does_not_answer_is_named(settings, monkeypatch, said):
    monkeypatch.setattr(preparation, "_ANSWER_SECONDS", 0.01)
    settings.REDIS_URL = "redis://127.0.0.1:1/0"

    with pytest.raises(preparation.PreparationError, match=r"^Redis does not answer: .* Check REDIS_URL\.$"):
        preparation.prepare(said.append)


@pytest.mark.django_db
def test_database_of_a_newer_version_is_left_alone(said):
    MigrationRecorder(connection).record_applied("memory", "9999_later")

    with pytest.raises(preparation.PreparationError, match="made by a newer version of EchoVessel"):
        preparation._migrate(said.append)


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("/no/such/folder", "there is no such folder."),
        ("no such/model", "Repo id must use alphanumeric chars"),
        ("nobody/nothing", "it is not on this machine, and the Hugging Face hub said: "),
    ],
)
def test_embedding_model_that_is_nowhere_is_named_in_seconds(settings, monkeypatch, said, model, reason):
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "http://127.0.0.1:1")
    settings.EMBEDDING_BACKEND, settings.EMBEDDING_MODEL = "sentence-transformers", model

    with pytest.raises(preparation.PreparationError) as raised:
        preparation.prepare(said.append)

    assert str(raised.value).startswith(f"The embedding model {model!r} cannot be loaded: {reason}")
    assert str(raised.value).endswith(embedding.MEND)


@pytest.mark.django_db(transaction=True)
def test_database_that_refuses_a_step_is_named(monkeypatch, said):
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE django_q_schedule RENAME TO elsewhere")
    try:
        with pytest.raises(preparation.PreparationError, match='could not be prepared: relation "django_q_schedule"'):
            preparation.prepare(said.append)
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE elsewhere RENAME TO django_q_schedule")
