import subprocess
import sys

from memory.jobs import workers


def dead_holder() -> str:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as process:
        holder = workers.identify_process(process.pid)
        process.kill()
    return holder
