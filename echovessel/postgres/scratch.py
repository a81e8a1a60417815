"""A separate database for measurements, kept in the data folder for the next run."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from echovessel.configuration import environment
from echovessel.postgres import server as postgres_server
from echovessel.postgres import server_paths
from echovessel.postgres.channel_layer import PostgresChannelLayer, get_current_layer


@contextmanager
def use_database(name: str, *, say: Callable[[str], None]) -> Iterator[None]:
    """Connect this process to a migrated database in a folder below the data folder. Raises EmbeddedPostgresError."""
    folder = settings.DATA_DIR / name
    folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    server = postgres_server.Server(folder, say=say)
    server.start()
    try:
        connection.close()
        connection.settings_dict.update(environment.env.db_url_config(server_paths.build_database_url(folder)))
        call_command("migrate", verbosity=0)
        yield
    finally:
        layer = get_current_layer()
        if isinstance(layer, PostgresChannelLayer):
            async_to_sync(layer.close)()
        connection.close()
        server.stop()


def update_statistics() -> None:
    """Vacuum and analyze all tables. Without statistics, plans are guesses; in a used install, autovacuum has collected them."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
