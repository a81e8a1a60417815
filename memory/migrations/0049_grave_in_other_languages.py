"""Facts about which a mistake could do harm are marked in all languages that are read now: an allergy in Spanish was not."""

from django.db import migrations

from memory.facts.checks import grave

BATCH = 500


def mark(apps, schema_editor):
    facts = apps.get_model("memory", "ConceptNode").objects.filter(type="fact", grave=False, deleted_at=None)
    told = facts.values_list("pk", "description", "detail").iterator(chunk_size=BATCH)
    found = [pk for pk, content, detail in told if grave.is_grave(f"{content}\n{detail}")]
    for at in range(0, len(found), BATCH):
        facts.filter(pk__in=found[at : at + BATCH]).update(grave=True)


class Migration(migrations.Migration):
    dependencies = [("memory", "0048_message_remainder")]

    operations = [migrations.RunPython(mark, migrations.RunPython.noop)]
