from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0009_own_traits")]

    operations = [
        migrations.AddField(
            model_name="chronicle",
            name="own_powers",
            field=models.JSONField(blank=True, default=dict, verbose_name="powers"),
        ),
    ]
