"""A chronicle's bin: pages, characters and fights that were deleted are kept in it for 30 days.

What is in the bin is in no page, search or socket, because the models' default managers leave it out. Only Storytellers
see the bin, and only they restore.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import Chronicle, InBin, Membership
from campaigns.services import lock_as_storyteller
from campaigns.signals import bin_changed

KEPT = timedelta(days=30)

RELATIONS = {"page": "pages", "character": "characters", "fight": "encounters", "template": "templates"}
"""The chronicle's relations that have a bin, by the word in addresses."""


@dataclass(frozen=True, slots=True)
class BinLine:
    """Something in the bin, for its page."""

    what: str
    label: str
    id: str
    name: str
    binned: datetime
    days_left: str = field(repr=False)  # changes all the time: see `campaigns.live`


def put_in(row: InBin) -> None:
    """Put a locked row in the bin. The caller has checked that it may be deleted."""
    row.binned = timezone.now()
    _save(row)


def restore(*, by: Membership, what: str, row_id: str) -> InBin:
    """Take something out of the bin. For Storytellers only; `Http404` if it isn't there any more."""
    with transaction.atomic():
        chronicle = lock_as_storyteller(by)
        rows = _rows(what).filter(chronicle=chronicle, binned__gt=timezone.now() - KEPT)
        row: InBin | None = rows.select_for_update().filter(pk=row_id).first()
        if row is None:
            raise Http404("Not in the bin")
        row.binned = None
        _save(row)
        return row


def lines(chronicle: Chronicle, now: datetime) -> tuple[BinLine, ...]:
    """What is in a chronicle's bin, latest first."""
    found = [
        BinLine(what, _label(what), row.pk, str(row), row.binned, _days_left(row.binned, now))
        for what in RELATIONS
        for row in _rows(what).filter(chronicle=chronicle, binned__gt=now - KEPT)
    ]
    return tuple(sorted(found, key=lambda line: line.binned, reverse=True))


def purge(now: datetime | None = None) -> int:
    """Delete for good what has been in a bin for 30 days, in all chronicles; returns how many things."""
    old = {"binned__lte": (now or timezone.now()) - KEPT}
    count = 0
    for what in RELATIONS:
        for pk in list(_rows(what).filter(**old).values_list("pk", flat=True)):
            with transaction.atomic():
                # Checked again under the lock, in case it is being restored.
                row = _rows(what).select_for_update().filter(pk=pk, **old).first()
                if row is not None:
                    row.delete()
                    count += 1
    return count


def _rows(what: str) -> Any:
    # Higher layers relate their models to the chronicle; they are found through the relation, never imported.
    if what not in RELATIONS:
        raise Http404("No such bin")
    model: Any = Chronicle._meta.get_field(RELATIONS[what]).related_model
    return model.with_bin.all()


def _save(row: InBin) -> None:
    row.save(update_fields=["binned"])
    bin_changed.send(sender=type(row), row=row)


def _label(what: str) -> str:
    return {"page": _("page"), "character": _("character"), "fight": _("fight"), "template": _("template")}[what]


def _days_left(binned: datetime, now: datetime) -> str:
    days = max(1, (binned + KEPT - now).days)
    return ngettext("%(number)d day left", "%(number)d days left", days) % {"number": days}
