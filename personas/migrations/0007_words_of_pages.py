
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('personas', '0006_move_sign_ins'),
    ]

    operations = [
        migrations.AlterModelOptions(
            name='accesslog',
            options={'permissions': [('see_others_memory', "see other people's memories")], 'verbose_name': 'access', 'verbose_name_plural': 'access log'},
        ),
        migrations.AlterModelOptions(
            name='coreblock',
            options={'verbose_name': 'core text', 'verbose_name_plural': 'core texts'},
        ),
        migrations.AlterModelOptions(
            name='persona',
            options={'verbose_name': 'companion', 'verbose_name_plural': 'companions'},
        ),
        migrations.AlterModelOptions(
            name='personafacts',
            options={'verbose_name_plural': 'companion facts'},
        ),
    ]
