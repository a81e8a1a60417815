from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("memory", "0033_pairs_in_doubt")]

    operations = [migrations.RemoveField(model_name="entity", name="asked_in")]
