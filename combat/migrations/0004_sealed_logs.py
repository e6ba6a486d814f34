from typing import Any

import django.utils.timezone
from django.db import migrations, models

from combat.log import seal


def seal_what_is_written(apps: Any, _editor: Any) -> None:
    """Logs from before are sealed as they are found."""
    rows = apps.get_model("combat", "LogRow").objects
    for encounter in apps.get_model("combat", "Encounter").objects.filter(seq__gt=0).only("pk"):
        before = seal.first(encounter.pk)
        for row in rows.filter(encounter=encounter).order_by("seq").iterator():
            before = seal.seal(before, seal.content(row))
            rows.filter(pk=row.pk).update(seal=before)
        type(encounter).objects.filter(pk=encounter.pk).update(seal=before)


class Migration(migrations.Migration):
    dependencies = [("combat", "0003_rolls_outside_fights")]

    operations = [
        migrations.AddField(
            model_name="encounter",
            name="seal",
            field=models.CharField(blank=True, default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="logrow",
            name="seal",
            field=models.CharField(default="", editable=False, max_length=64),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="logrow",
            name="created",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False),
        ),
        migrations.RunPython(seal_what_is_written, migrations.RunPython.noop),
    ]
