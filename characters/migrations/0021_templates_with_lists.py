from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0020_sheet_histories'),
    ]

    operations = [
        migrations.AddField(
            model_name='template',
            name='lists',
            field=models.JSONField(blank=True, default=dict),
        ),
        migrations.AddField(
            model_name='template',
            name='specialties',
            field=models.JSONField(blank=True, default=dict),
        ),
    ]
