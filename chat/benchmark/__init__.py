"""`manage.py benchmark`: measure with synthetic data of realistic shape in a database of its own."""
