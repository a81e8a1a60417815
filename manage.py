#!/usr/bin/env python
import gc
import os
import sys


def main() -> None:
    # Until all apps are ready (`echovessel/apps.py`): what is imported stays.
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line
    from django.db import OperationalError, connection

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        if connection.connection is not None:
            raise
        sys.exit(
            f"The database does not answer: {' '.join(str(error).split())} Start EchoVessel (`make run`), or check DATABASE_URL."
        )


if __name__ == "__main__":
    main()
