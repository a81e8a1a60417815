"""What `manage.py benchmark` measures, on synthetic data of the right shape in a database of its own."""
