from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0010_bin'),
    ]

    operations = [
        migrations.AlterField(
            model_name='weapon',
            name='tags',
            field=models.CharField(blank=True, help_text='stake fire sunlight silver claws teeth rope chain whip stun sniper large small underwater explosive thrown', max_length=120, verbose_name='tags'),
        ),
    ]
