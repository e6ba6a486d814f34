from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0008_bin")]

    operations = [
        migrations.AddField(
            model_name="chronicle",
            name="own_traits",
            field=models.JSONField(blank=True, default=dict, verbose_name="Traits and sections"),
        ),
    ]
