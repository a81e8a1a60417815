from django.db import migrations
from django.db.models import F


def confirm(apps, schema_editor):
    confirmed = apps.get_model("memory", "Entity").objects.filter(merge_status="confirmed", confirmed_at=None)
    confirmed.update(confirmed_at=F("created_at"))


class Migration(migrations.Migration):
    dependencies = [("memory", "0004_what_an_extraction_saw")]

    operations = [migrations.RunPython(confirm, migrations.RunPython.noop)]
