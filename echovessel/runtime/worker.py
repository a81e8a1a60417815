"""The worker of `serve`: `manage.py qcluster`, in which each process ends if its parent is killed."""

import gc
import os
import signal
from pathlib import Path

from django.conf import settings
from django.core.management import execute_from_command_line

from echovessel.processes import child_process
from echovessel.runtime import heartbeat

# Chats have priority over consolidation.
_NICENESS = 5


def main() -> None:
    # Until all apps are ready, as in manage.py.
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    os.nice(_NICENESS)
    beats = heartbeat.get_folder(settings.DATA_DIR)
    heartbeat.clear(beats)
    heartbeat.start_beating(beats)
    os.register_at_fork(after_in_child=lambda: _start_child(beats))
    execute_from_command_line(["manage.py", "qcluster"])


def _start_child(beats: Path) -> None:
    child_process.end_with_parent(signal.SIGKILL, os.getppid())
    heartbeat.start_beating(beats)


if __name__ == "__main__":
    main()
