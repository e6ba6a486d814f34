"""Knives, spears and hatchets of the common tables can be thrown, in databases that have them already too."""

from typing import Any

from django.db import migrations, models


CAN_BE_THROWN = {
    "masquerade": ("Knife",),
    "darkness": ("Knife", "Spear", "Small Ax"),
    "chronicles": ("Knife", "Spear", "Hatchet"),
}


def forwards(apps: Any, _schema_editor: Any) -> None:
    for ruleset, names in CAN_BE_THROWN.items():
        rows = apps.get_model("characters", "Weapon").objects.filter(ruleset=ruleset, chronicle=None, name__in=names)
        for weapon in rows:
            weapon.tags = " ".join(dict.fromkeys([*weapon.tags.split(), "thrown"]))
            weapon.aerodynamic = weapon.aerodynamic or weapon.name == "Spear"
            weapon.save()


class Migration(migrations.Migration):

    dependencies = [
        ('characters', '0010_bin'),
    ]

    operations = [
        migrations.RunPython(forwards, migrations.RunPython.noop),
        migrations.AlterField(
            model_name='weapon',
            name='tags',
            field=models.CharField(blank=True, help_text='stake fire sunlight silver claws teeth rope chain whip stun sniper large small underwater explosive thrown', max_length=120, verbose_name='tags'),
        ),
    ]
