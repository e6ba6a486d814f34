"""Rolls outside fights: a log for each chronicle, those that are there already as well."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models


def open_logs(apps: Any, _editor: Any) -> None:
    """Give every chronicle its log."""
    encounters, chronicles = apps.get_model("combat", "Encounter"), apps.get_model("campaigns", "Chronicle")
    for chronicle in chronicles.objects.all():
        encounters.objects.create(
            chronicle=chronicle, outside_fights=True, name="Rolls", status="running", state={"status": "running"}
        )


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0001_initial"), ("combat", "0002_wall")]

    operations = [
        migrations.AddField("encounter", "outside_fights", models.BooleanField(default=False, editable=False)),
        migrations.AlterField(
            "logrow",
            "kind",
            models.CharField(
                choices=[
                    ("command", "command"),
                    ("sheet", "sheet edited outside the fight"),
                    ("cast", "sheets as they are now"),
                    ("undo", "undone"),
                    ("redo", "redone"),
                ],
                default="command",
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "encounter",
            models.UniqueConstraint(
                condition=models.Q(("outside_fights", True)), fields=("chronicle",), name="one_log_of_rolls_a_chronicle"
            ),
        ),
        migrations.RunPython(open_logs, migrations.RunPython.noop),
    ]
