from typing import Any

from django.db import migrations, models


def keep_order(apps: Any, _schema_editor: Any) -> None:
    """Give fights the places that keep their order so far: the newest first, which has the highest place."""
    fights = apps.get_model("combat", "Encounter")._base_manager.filter(outside_fights=False)
    places: dict[str, int] = {}
    for pk, chronicle in fights.order_by("created", "-id").values_list("pk", "chronicle_id"):
        places[chronicle] = places.get(chronicle, 0) + 1
        fights.filter(pk=pk).update(place=places[chronicle])


class Migration(migrations.Migration):

    dependencies = [
        ('combat', '0011_bin'),
    ]

    operations = [
        migrations.AddField(
            model_name='encounter',
            name='place',
            field=models.IntegerField(default=0, editable=False),
        ),
        migrations.RunPython(keep_order, migrations.RunPython.noop, elidable=False),
    ]
