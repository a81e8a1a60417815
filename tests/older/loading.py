"""Databases that older versions filled, put in the place of the tests' own."""

import re
import subprocess
from contextlib import contextmanager
from pathlib import Path

import psycopg
from django.db import connection

from echovessel.postgres import server as postgres_server

DUMPS = sorted(Path(__file__).parent.glob("filled_*.sql"))
SECRET_KEY = "of the older install"


@contextmanager
def in_place(dump):
    """Let this process work with the database of a dump, as it was."""
    ours = connection.settings_dict["NAME"]
    name = f"{ours}_older"
    connection.close()
    with psycopg.connect(**server(), autocommit=True) as maintenance:
        maintenance.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
        maintenance.execute(f"CREATE DATABASE {name}")
        load(dump, name)
        connection.settings_dict["NAME"] = name
        try:
            yield
        finally:
            connection.close()
            connection.settings_dict["NAME"] = ours
            maintenance.execute(f"DROP DATABASE {name} WITH (FORCE)")


def server(name="postgres"):
    given = connection.get_connection_params()
    return {key: given[key] for key in ("host", "port", "user", "password") if key in given} | {"dbname": name}


def load(dump, name):
    address = psycopg.conninfo.make_conninfo(**server(name))
    command = [
        postgres_server.find_client_program("psql"),
        "-X",
        "-q",
        "-v",
        "ON_ERROR_STOP=1",
        "-d",
        address,
        "-f",
        dump,
    ]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def rows_by_table(dump):
    """How many rows the dump holds of each table it makes."""
    text = dump.read_text()
    made = re.findall(r"^CREATE TABLE public\.(\w+)", text, re.MULTILINE)
    filled = re.findall(r"^COPY public\.(\w+) .*?\n(.*?)^\\\.$", text, re.MULTILINE | re.DOTALL)
    return dict.fromkeys(made, 0) | {table: rows.count("\n") for table, rows in filled}
