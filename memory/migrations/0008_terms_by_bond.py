from django.db import migrations

MARK = """
UPDATE memory_message SET search = array_to_tsvector(
    ARRAY(SELECT bond_id || ':' || lexeme FROM unnest(search) AS found(lexeme, positions, weights))
)
"""
UNMARK = """
UPDATE memory_message SET search = array_to_tsvector(
    ARRAY(SELECT substr(lexeme, strpos(lexeme, ':') + 1) FROM unnest(search) AS found(lexeme, positions, weights))
)
"""


class Migration(migrations.Migration):
    """Mark the terms of each line with its bond."""

    dependencies = [("memory", "0007_line_sketches")]
    operations = [migrations.RunSQL(MARK, UNMARK)]
