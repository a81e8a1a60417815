
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('memory', '0024_described_by_extraction'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='entity',
            options={'verbose_name': 'person or thing', 'verbose_name_plural': 'people & things'},
        ),
        migrations.AlterModelOptions(
            name='entityalias',
            options={'verbose_name_plural': 'names of people & things'},
        ),
        migrations.AlterModelOptions(
            name='forgotten',
            options={'verbose_name': 'forgotten item', 'verbose_name_plural': 'trash'},
        ),
        migrations.AlterModelOptions(
            name='intention',
            options={'verbose_name': 'promise', 'verbose_name_plural': 'promises'},
        ),
        migrations.AlterModelOptions(
            name='session',
            options={'verbose_name': 'chat', 'verbose_name_plural': 'chats'},
        ),
    ]
