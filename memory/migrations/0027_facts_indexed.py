from django.contrib.postgres.operations import AddIndexConcurrently, RemoveIndexConcurrently, ValidateConstraint
from django.db import migrations, models
from django.db.models import Q

# Indexes are built and constraints checked while people talk. What was ended in between is begun anew, so an index that is only half
# built goes first.
LIVE = Q(type="fact", state="live", deleted_at=None)
SKETCHES = models.Index(
    fields=["bond", "embedding_model"],
    include=("id", "sketch"),
    condition=Q(
        deleted_at=None, stale=False, state="live", type__in=["event", "thought", "fact"], embedding__isnull=False
    ),
    # Recall has the old index until this one is whole.
    name="node_sketches_with_facts",
)
ONE_PER_SLOT = models.UniqueConstraint(
    fields=["bond", "slot"], condition=LIVE & ~Q(slot=""), name="node_one_live_fact_per_slot"
)
BUILD_ONE_PER_SLOT = """
CREATE UNIQUE INDEX CONCURRENTLY node_one_live_fact_per_slot ON memory_conceptnode (bond_id, slot)
WHERE deleted_at IS NULL AND state = 'live' AND type = 'fact' AND NOT (slot = '')
"""
CHECKED = (
    "node_state_fits_type",
    "node_facet_of_facts",
    "node_fact_has_tier",
    "node_slot_with_value",
    "node_fact_content_length",
    "node_detail_length",
)


def add_index(model, index):
    return (drop_index(index.name), AddIndexConcurrently(model, index))


def drop_index(name):
    return migrations.RunSQL(f"DROP INDEX CONCURRENTLY IF EXISTS {name}", migrations.RunSQL.noop)


class Migration(migrations.Migration):
    atomic = False

    dependencies = [("memory", "0026_facts")]

    operations = [
        *add_index("conceptnode", SKETCHES),
        RemoveIndexConcurrently("conceptnode", "node_sketches"),
        migrations.RenameIndex("conceptnode", new_name="node_sketches", old_name="node_sketches_with_facts"),
        *add_index("conceptnode", models.Index(fields=["bond", "facet", "id"], condition=LIVE, name="node_live_facts")),
        *add_index(
            "conceptnode", models.Index(fields=["copy_of"], condition=Q(copy_of__isnull=False), name="node_copies")
        ),
        *add_index(
            "message",
            models.Index(
                fields=["bond", "-kept_at"], condition=Q(kept_at__isnull=False, deleted_at=None), name="message_kept"
            ),
        ),
        *add_index("message", models.Index(fields=["about"], condition=Q(about__isnull=False), name="message_about")),
        drop_index(ONE_PER_SLOT.name),
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL(BUILD_ONE_PER_SLOT, f"DROP INDEX {ONE_PER_SLOT.name}")],
            state_operations=[migrations.AddConstraint("conceptnode", ONE_PER_SLOT)],
        ),
        *(ValidateConstraint("conceptnode", name) for name in CHECKED),
    ]
