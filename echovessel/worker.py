"""The worker as `serve` runs it: `manage.py qcluster`, each of whose processes ends when the one above it is killed."""

import os
import signal

from django.core.management import execute_from_command_line

from echovessel import children


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    os.register_at_fork(after_in_child=lambda: children.end_with_parent(signal.SIGKILL, os.getppid()))
    execute_from_command_line(["manage.py", "qcluster"])


if __name__ == "__main__":
    main()
