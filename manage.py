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

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
