from django.db import migrations

# Every turn reads the sketches of all lines and memories of a bond from an index alone, which works only for pages that a vacuum has
# seen since they were written: 15 000 lines took 4 ms from the index, 82 ms where each had to be looked up in the table. PostgreSQL's
# own wait is for a fifth of the table to change.
OFTEN = "autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02"
NAMES = "autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor"


class Migration(migrations.Migration):
    dependencies = [("memory", "0019_import_names")]

    operations = [
        migrations.RunSQL(f"ALTER TABLE {table} SET ({OFTEN})", f"ALTER TABLE {table} RESET ({NAMES})")
        for table in ("memory_message", "memory_conceptnode")
    ]
