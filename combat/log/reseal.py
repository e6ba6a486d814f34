"""Seals a log again after a name was removed from it, and remembers the seals that people may have noted.

A row's seal covers the name of who acted, so that removing the name changes the seals from there on. The encounter
keeps the earlier ones (`Encounter.earlier_seals`), so that a noted seal that is in the log no more has an explanation.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any

from django.db.models import Min, QuerySet
from django.utils import timezone

from campaigns.chains import Fault
from combat.log import export, seal
from combat.models import Encounter, LogRow

FORMER = " former member"
"""The `actor_name` of a deleted account. No account can be shown as this: a display name begins with no space."""

NOTED = ("Begin", "End")
"""The commands whose rows show their seal to everybody (`combat.history.log`)."""

AT_ONCE = 200
"""How many rows are in memory at a time."""

Json = dict[str, Any]


class Why(StrEnum):
    """Why the seals of a log changed."""

    NAME_REMOVED = "name-removed"
    IMPORTED = "imported"


def noted(encounter_id: str, rows: Iterable[Mapping[str, Any]], why: Why, at: datetime | None = None) -> list[Json]:
    """The seals of a log that people may have noted: of rows that begin or end the fight, and of the last.

    `rows` are contents with their seals (`export.sealed_rows`, `export.read_lines`). Each seal has the `encounter`
    whose chain it ends, the number of `rows` that it covers, when (`at`) and `why` it was replaced.
    """
    found, last = list[Json](), dict[str, Any]()
    about = {"at": seal.moment(at or timezone.now()), "why": str(why)}
    for row in rows:
        last = {"encounter": encounter_id, "rows": row["seq"], "seal": row["seal"], **about}
        if row["command"].get("is") in NOTED:
            found.append(last)
    return found if not last or last in found else [*found, last]


def remove_name(encounter: Encounter, user_id: int) -> Fault | None:
    """Remove the name of an account from the rows of a locked encounter, and seal these and all later rows again.

    A log that doesn't match its seals stays broken at the same row: the name goes, the rows before the break are sealed
    again, and those from the break on get seals that match nothing. Its earlier seals vouched for nothing, so they are
    not remembered. Returns the break, None if there is none.
    """
    mine: QuerySet[LogRow] = QuerySet(LogRow).filter(encounter=encounter, actor=user_id).exclude(actor_name=FORMER)
    first = mine.aggregate(first=Min("seq"))["first"]
    if first is None:
        return None
    fault = export.fault_in(encounter)
    if fault is None:
        earlier = noted(encounter.pk, export.sealed_rows(encounter), Why.NAME_REMOVED)
        changed = [each for each in earlier if each["rows"] >= first]
        encounter.earlier_seals = [*encounter.earlier_seals, *changed]
    # A plain query set: that of the log refuses to change rows.
    mine.update(actor_name=FORMER)
    last = _seal_again(encounter, first, fault.seq if fault else None)
    encounter.seal = last if fault is None else _spoilt(encounter.seal)
    encounter.save(update_fields=["seal", "earlier_seals"])
    return fault


def _seal_again(encounter: Encounter, first: int, broken: int | None) -> str:
    """Seal the rows from number `first` on, and spoil those from number `broken` on. Returns the last seal."""
    rows: QuerySet[LogRow] = QuerySet(LogRow).filter(encounter=encounter)
    before = rows.filter(seq=first - 1).values_list("seal", flat=True).first() or seal.first(encounter.pk)
    done = first - 1
    while page := list(rows.filter(seq__gt=done).order_by("seq")[:AT_ONCE]):
        for row in page:
            spoilt = broken is not None and row.seq >= broken
            row.seal = before = _spoilt(row.seal) if spoilt else seal.seal(before, seal.content(row))
        rows.bulk_update(page, ["seal"], batch_size=AT_ONCE)
        done = page[-1].seq
    return before


def _spoilt(broken: str) -> str:
    """Another seal that matches nothing, in the place of one that did not match. Rows are cached by their seals."""
    return sha256(f"spoilt\n{broken}".encode()).hexdigest()
