"""The demo, made once in each process and then put back row by row: making it takes nine times as long."""

from __future__ import annotations

from copy import copy

from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model

from combat.demo import make_demo
from combat.models import Encounter
from combat.panes import versions

_prepared: dict[type[Model], list[Model]] = {}


def put_demo() -> None:
    """Fill the empty database with the demo."""
    if _prepared:
        _put_back()
        return
    make_demo()
    for app in ("campaigns", "characters", "combat", "story"):
        for model in apps.get_app_config(app).get_models(include_auto_created=True):
            if rows := list(model._base_manager.all()):
                _prepared[model] = rows


def _put_back() -> None:
    # A server that the tests share has cached views of this fight. Like one from a backup, it counts its versions on
    # from now, so that none of them is taken for the new one's.
    fresh = versions.anew()
    with transaction.atomic():
        for model, rows in _prepared.items():
            copies = [copy(row) for row in rows]
            for row in copies:
                if isinstance(row, Encounter):
                    row.versions = fresh
            model._base_manager.bulk_create(copies)
            if dates := [each.name for each in model._meta.fields if hasattr(each, "auto_now") and not each.editable]:
                for row in rows:  # Django wrote now: what is shown in the order of its dates would all be of one time.
                    dated = {name: getattr(row, name) for name in dates}
                    model._base_manager.filter(pk=row.pk).update(**dated)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(_prepared)):
                cursor.execute(statement)
