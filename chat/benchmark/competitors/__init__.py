"""Other memory libraries, each run as a program in an environment that has it: `python NAME.py TASK_FILE` prints one line of JSON."""
