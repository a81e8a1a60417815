"""Programs that run other memory libraries: `python NAME.py TASK_FILE` prints one line of JSON."""
