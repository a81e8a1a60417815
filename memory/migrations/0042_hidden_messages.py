from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0041_point_weights")]

    operations = [
        migrations.AddField(
            model_name="tombstone",
            name="hidden",
            field=ArrayField(models.BigIntegerField(), default=list, blank=True),
        ),
    ]
