from __future__ import annotations

from typing import Any

from django.db import migrations

import campaigns.folding

AT_ONCE = 500


def fold(apps: Any, _schema_editor: Any) -> None:
    """Fill the column: the field writes it with each row."""
    model = apps.get_model("campaigns", "Passage")
    rows: list[Any] = []
    for row in model.objects.only("pk", "text").iterator(chunk_size=AT_ONCE):
        row.folded = campaigns.folding.folded(row.text)
        rows.append(row)
        if len(rows) == AT_ONCE:
            model.objects.bulk_update(rows, ["folded"])
            rows = []
    model.objects.bulk_update(rows, ["folded"])


class Migration(migrations.Migration):
    dependencies = [("campaigns", "0012_notes_become_pages")]

    operations = [
        migrations.AddField(
            model_name="passage",
            name="folded",
            field=campaigns.folding.FoldedField(blank=True, default="", editable=False, of="text"),
        ),
        migrations.RunPython(fold, migrations.RunPython.noop, elidable=True),
    ]
