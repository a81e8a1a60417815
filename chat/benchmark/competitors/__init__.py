"""The program that runs another memory library: `python NAME.py TASK_FILE` prints one line of JSON."""
