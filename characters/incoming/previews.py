"""View model of the preview of a character that isn't there yet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaigns.models import Membership
from characters import services
from characters.access import Seen
from characters.incoming.arrival import Arrival, Recognised
from characters.models import Armor, CarriedWeapon, Gear, Weapon, WornArmor
from characters.pages import SheetPage, sheet_page


@dataclass(frozen=True, slots=True)
class ArrivalPage:
    """The three lists, and the sheet as it will be. ``made_weapons`` and ``made_armor`` are names of new rows."""

    name: str
    source: str
    changed: tuple[Recognised, ...]
    recognised: tuple[Recognised, ...]
    noted: tuple[str, ...]
    left_out: tuple[str, ...]
    made_weapons: tuple[str, ...]
    made_armor: tuple[str, ...]
    sheet: SheetPage


def arrival_page(by: Membership, arrival: Arrival) -> ArrivalPage:
    """The preview for the member who brings the file in, who may read all that is in it."""
    makes = arrival.makes
    return ArrivalPage(
        name=arrival.sheet.name,
        source=arrival.source,
        changed=tuple(each for each in arrival.recognised if each.warning),
        recognised=tuple(each for each in arrival.recognised if each.text),
        noted=arrival.noted,
        left_out=arrival.left_out,
        made_weapons=_names(makes, Weapon),
        made_armor=_names(makes, Armor),
        sheet=_sheet(by, arrival),
    )


def _names(rows: Any, model: type[Gear]) -> tuple[str, ...]:
    return tuple(row.name for row in rows if isinstance(row, model))


def _sheet(by: Membership, arrival: Arrival) -> SheetPage:
    """The sheet of the character, which isn't saved, with the gear as if it were."""
    one = services.unsaved(by.chronicle, arrival.sheet)
    one.owner, one.face = by.user, ""  # type: ignore[attr-defined]  # as `access` annotates it
    weapons = [
        CarriedWeapon(pk=place, character=one, weapon=each.row, name=each.name, rounds=each.rounds, fault=each.fault)
        for place, each in enumerate(arrival.weapons, 1)
    ]
    armor = [
        WornArmor(pk=place, character=one, armor=each.row, name=each.name, destroyed=each.destroyed)
        for place, each in enumerate(arrival.armor, 1)
    ]
    one.__dict__["_prefetched_objects_cache"] = {
        "weapons": _read(CarriedWeapon, weapons),
        "armor": _read(WornArmor, armor),
    }
    return sheet_page(Seen(one, by), shaped=False)


def _read(model: Any, rows: list[Any]) -> Any:
    """A query that has these rows as its result already."""
    query = model.objects.all()
    query._result_cache = rows
    return query
