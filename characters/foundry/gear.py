"""Weapons and armour among an actor's items: rows of the chronicle's tables, or new rows of its own."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _

from characters import tables
from characters.forms.gear_rows import MOST_ROWS
from characters.foundry.actors import Item, table, whole
from characters.foundry.draft import Draft
from characters.foundry.leaves import bare
from characters.foundry.texts import line
from characters.incoming.arrival import BroughtArmor, BroughtWeapon
from characters.library import usable
from characters.models import Armor, Gear, Weapon
from characters.models.characters import Fault
from rules.model.foundry import GearItems
from rules.model.gear import Mode

RANGES = ("range_short", "range_medium", "range_long")


@dataclass(slots=True)
class _Tables:
    """The rows that a chronicle can use, and those that are being made, by their names for comparison."""

    weapons: dict[str, Gear]
    armor: dict[str, Gear]

    def of(self, model: type[Gear]) -> dict[str, Gear]:
        return self.weapons if model is Weapon else self.armor


def read_gear(draft: Draft) -> tuple[tuple[BroughtWeapon, ...], tuple[BroughtArmor, ...]]:
    """What the character carries and wears. What the tables lack goes into the notes if a player asks."""
    chronicle = draft.asking.chronicle
    weapons: list[BroughtWeapon] = []
    armor: list[BroughtArmor] = []
    there = _Tables(*({bare(row.name): row for row in usable(model, chronicle)} for model in (Weapon, Armor)))
    kinds = {bare(each.type): each for each in draft.actor.found.gear}
    for item in draft.actor.items:
        known = None if item.taken else kinds.get(bare(item.type))
        if known is None or _is_natural(known, item) or len(armor if known.armor else weapons) >= MOST_ROWS:
            continue
        row = _row(draft, there.of(Armor if known.armor else Weapon), known, item)
        if isinstance(row, Weapon):
            weapons.append(_weapon(known, item, row))
        elif isinstance(row, Armor):
            armor.append(BroughtArmor(row, _own_name(item, row), item.own.get("destroyed") is True))
    draft.accept(_("Weapons"), ", ".join(each.name or each.row.name for each in weapons))
    draft.accept(_("Armour"), ", ".join(each.name or each.row.name for each in armor))
    return tuple(weapons), tuple(armor)


def _is_natural(known: GearItems, item: Item) -> bool:
    return bool(known.natural and item.leaves.peek(known.natural))


def _row(draft: Draft, there: dict[str, Gear], known: GearItems, item: Item) -> Gear | None:
    """The row that an item is, made if the asker may; None leaves the item for the notes."""
    written = item.own.get("item")
    names = [written, item.name] if isinstance(written, str) else [item.name]
    row = next((there[bare(each)] for each in names if bare(each) in there), None)
    if row is None and draft.asking.may_make_gear and (row := _made(draft, known, item, line(names[0]))):
        there[bare(row.name)] = row
    if row is None:
        draft.accept(line(item.name) or "—", "", _unmade(draft))
    else:
        item.taken = line(item.name) == item.name.strip()
        for paths in known.columns.values():
            for path in paths:
                item.leaves.branch(path)
        if known.mode_at:
            item.leaves.branch(known.mode_at)
    return row


def _unmade(draft: Draft) -> str:
    if draft.asking.may_make_gear:
        return _("Foundry tells too little to add it to the tables. It goes into the notes.")
    return _("Not in this chronicle’s tables. Only a Storyteller can add it, so it goes into the notes.")


def _weapon(known: GearItems, item: Item, row: Weapon) -> BroughtWeapon:
    written, fault = whole(item.own.get("rounds")), item.own.get("fault")
    loaded = item.number(*known.rounds) if known.rounds else None
    rounds = written if loaded is None else loaded
    for path in known.rounds:
        item.leaves.branch(path)
    fits = rounds if rounds is not None and row.holds is not None and 0 <= rounds <= row.holds else None
    broken = fault if isinstance(fault, str) and fault in Fault.values else ""
    return BroughtWeapon(row, _own_name(item, row), fits, broken)


def _own_name(item: Item, row: Gear) -> str:
    name = line(item.name)
    return "" if bare(name) == bare(row.name) and not item.own.get("named") else name


# ------------------------------------------------------------------ new rows


def _made(draft: Draft, known: GearItems, item: Item, name: str) -> Gear | None:
    """A valid new row for an item; None if Foundry tells too little. Values that don't fit are left out."""
    model: type[Gear] = Armor if known.armor else Weapon
    row = model(ruleset=draft.ruleset.key, chronicle=draft.asking.chronicle, name=name)
    used = set(tables.used_columns(row))
    written = table(item.own.get("row"))
    values = {**_told(draft, known, item, model), **{key: written[key] for key in written if key in used}}
    values.pop("name", None)
    for column, value in values.items():
        if column in used:
            _put(row, column, value)
    for _try in range(4):
        try:
            row.full_clean(exclude=["chronicle"], validate_constraints=False)
        except ValidationError as problem:
            wrong = [key for key in problem.message_dict if key in used and key not in ("name", "mode")]
            if not wrong or "name" in problem.message_dict:
                return None
            for column in wrong:
                setattr(row, column, getattr(model(), column))
        else:
            return row
    return None


def _told(draft: Draft, known: GearItems, item: Item, model: type[Gear]) -> dict[str, Any]:
    """The values of the columns that Foundry tells."""
    told: dict[str, Any] = {}
    for column, paths in known.columns.items():
        value = next((each for path in paths if (each := item.leaves.peek(path)) not in (None, "")), None)
        if column == "range":
            told |= _ranges(value if value is not None else [leaf.value for leaf in item.leaves.below(paths[-1])])
        elif value is not None:
            told[column] = value
    if model is Weapon:
        word = bare(str(item.leaves.peek(known.mode_at) or "")) if known.mode_at else ""
        told["mode"] = next((mode for each, mode in known.modes.items() if bare(each) == word), known.mode)
        told |= _traits(draft, told)
        if not whole(told.get("clip")):
            told.pop("clip", None)
    elif (penalty := whole(told.get("penalty"))) and penalty > 0:
        told["penalty"] = -penalty
    return told


def _traits(draft: Draft, told: Mapping[str, Any]) -> Mapping[str, str]:
    """The Traits of an attack by their keys, "" for those that the ruleset takes anyway."""
    keys = {bare(trait.key): trait.key for trait in draft.ruleset.layout.traits()}
    usual = draft.ruleset.attack.traits.get(Mode(told["mode"]), ("", ""))
    found = {
        column: keys.get(bare(str(told.get(column, ""))), "") for column in ("attribute", "ability", "damage_from")
    }
    for column, each in zip(("attribute", "ability"), usual, strict=True):
        if found[column] == each:
            found[column] = ""
    return found


def _ranges(value: Any) -> Mapping[str, int]:
    """One distance or several, as a number, a text such as “20/40/80”, or a list."""
    texts = value if isinstance(value, list) else [value]
    numbers = [int(each) for text in texts for each in re.findall(r"[0-9]{1,5}", str(text))]
    return dict(zip(RANGES, [each for each in numbers if each], strict=False))


def _put(row: Gear, column: str, value: Any) -> None:
    """Set a column to a value of its type; another value is left out."""
    field = row._meta.get_field(column)
    if isinstance(field, models.BooleanField):
        setattr(row, column, value is True or value == "yes")
    elif isinstance(field, models.IntegerField):
        if (number := whole(value)) is not None and abs(number) < 30_000:
            setattr(row, column, number)
    elif isinstance(field, models.CharField) and isinstance(value, str):
        text = line(value, field.max_length or 0)
        choices = {bare(str(key)): key for key, _label in field.choices or ()}
        setattr(row, column, choices.get(bare(text), "") if choices else text)
