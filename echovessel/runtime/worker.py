"""The worker of `serve`: `manage.py qcluster`, in which each process ends if its parent is killed."""

import gc
import os
import signal
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.utils.module_loading import autodiscover_modules

from echovessel import lazy_re
from echovessel.apps import end_rest
from echovessel.processes import child_process
from echovessel.runtime import heartbeat

# Chats have priority over consolidation.
_NICENESS = 5


def main() -> None:
    # As in manage.py.
    gc.disable()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "echovessel.settings")
    os.nice(_NICENESS)
    beats = heartbeat.get_folder(settings.DATA_DIR)
    heartbeat.clear(beats)
    heartbeat.start_beating(beats)
    os.register_at_fork(after_in_child=lambda: _start_child(beats))
    django.setup()
    # Loaded before the fork, what the tasks import is in memory once; the collector's rest ended with the setup.
    gc.disable()
    autodiscover_modules("tasks")
    lazy_re.compile_all()
    end_rest()
    # Without the checks of a command line, which load the pages: the web process runs them.
    call_command("qcluster")


def _start_child(beats: Path) -> None:
    child_process.end_with_parent(signal.SIGKILL, os.getppid())
    heartbeat.start_beating(beats)


if __name__ == "__main__":
    main()
