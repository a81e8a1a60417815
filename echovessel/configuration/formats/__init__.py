"""Formats of dates by language, beside those that Django brings."""
