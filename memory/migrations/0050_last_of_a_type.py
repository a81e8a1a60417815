"""Lists are in the order of ids: without this index a list of few or no rows of a bond walked those of all bonds."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("memory", "0049_grave_in_other_languages"), ("personas", "0015_words_of_models")]

    operations = [
        migrations.AddIndex(
            model_name="conceptnode",
            index=models.Index(fields=["bond", "type", "-id"], name="node_bond_type_last"),
        ),
    ]
