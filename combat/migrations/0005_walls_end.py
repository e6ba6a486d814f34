from datetime import datetime, timedelta

from django.db import migrations, models
from django.utils import timezone


def in_a_year() -> datetime:
    return timezone.now() + timedelta(days=365)


class Migration(migrations.Migration):
    dependencies = [("combat", "0004_sealed_logs")]

    operations = [
        migrations.AddField(
            model_name="wall",
            name="expires",
            field=models.DateTimeField(default=in_a_year),
            preserve_default=False,
        ),
    ]
