"""Checks of what a sheet from an archive holds, so that every page with it renders and it can fight.

A Trait, resource or list that the ruleset doesn't know is kept, within bounds: another version of the ruleset may have
it, and no page shows it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any

from campaigns.archives import rows
from campaigns.archives.names import NewIds, is_id
from campaigns.models import NAME_LENGTH
from campaigns.names import printable
from characters.models.characters import Fault
from rules.model.entries import LONGEST_TEXT
from rules.model.gear import Damage
from rules.model.own_traits import MOST_DOTS as MOST_OWN_DOTS
from rules.model.pools import HEALTH, MOST_BOXES, MOST_POOL
from rules.model.sheet import Category, Impairment, Injury, Lasting, Scar
from rules.model.system import System

MOST_KEYS = 500
MOST_DOTS = 10
"""The most dots of a Trait, or of an entry of a list, that goes no further itself."""
MOST_POINTS = 100
"""More points keep a sheet out of fights."""
MOST_ROUNDS = 9_999
MOST_MERITS = 400
MOST_IN_LIST = 100
MOST_SPECIALTIES = 200
MOST_MARKS = 100
MOST_WOUNDS = 100
MOST_TURNS = 100_000
LONGEST_WHY = 1000

DAMAGES = tuple(each.value for each in Damage)
_NUMBERED = re.compile(r"[0-9]{1,18}")

DICTS = ("traits", "resources", "details", "specialties", "lists")
"""The columns that are looked up by key."""

WHOLE = ("name", "kind", "concept", "merits", "marks", "injuries", "scars", "impairments", "lasting")
"""The other columns of a sheet that a history watches."""


@dataclass(frozen=True, slots=True)
class Values:
    """Checks a sheet's values by a ruleset as its chronicle plays it. Each raises `BadArchive` or returns the value.

    `file` is named in errors. Ids of fights inside get new ones.
    """

    ruleset: System
    new: NewIds
    file: str

    def column(self, name: str, value: Any) -> Any:
        """A whole column of a character."""
        if name not in DICTS:
            return self._whole[name](self, name, value)
        found = self._typed(name, value, dict)
        if len(found) > MOST_KEYS:
            raise rows.invalid(name, self.file)
        checked = {key: self.entry(name, key, each) for key, each in found.items()}
        if name == "specialties" and sum(map(len, checked.values())) > MOST_SPECIALTIES:
            raise rows.invalid(name, self.file)
        return checked

    def entry(self, name: str, key: Any, value: Any) -> Any:
        """A value in one of the columns that are looked up by key."""
        self._line(name, key, most=NAME_LENGTH)
        return self._entries[name](self, key, value)

    def pools(self, value: Any) -> dict[str, int]:
        """The fixed pools of a template."""
        found: dict[str, int] = self._typed("pools", value, dict)
        if len(found) > MOST_KEYS:
            raise rows.invalid("pools", self.file)
        for key, dice in found.items():
            self._line("pools", key, most=NAME_LENGTH)
            least, most = (1, MOST_BOXES) if key == HEALTH else (0, MOST_POOL)
            self._number("pools", dice, least, most)
        return found

    def lines(self, name: str, value: Any, most: int) -> list[str]:
        """A list of names."""
        found = self._typed(name, value, list)
        if len(found) > most:
            raise rows.invalid(name, self.file)
        return [self._line(name, each) for each in found]

    def gear_key(self, key: Any) -> str:
        """The key of a carried row, with a new id in place of an old one. Older rows have numbers, which stay."""
        if not is_id(key) and not (isinstance(key, str) and _NUMBERED.fullmatch(key)):
            raise rows.invalid("key", self.file)
        return self.new.text(key)

    def state(self, name: str, value: Mapping[str, Any]) -> None:
        """What a history remembers of a carried row, apart from the row of the tables."""
        for key in ("called", "name"):
            self._line(key, value.get(key), most=NAME_LENGTH, empty=key == "name")
        if value.get("rounds") is not None:
            self._number(name, value["rounds"], 0, MOST_ROUNDS)
        self._number(name, value.get("order", 0), 0, 32_767)
        if value.get("fault", "") not in ("", *Fault.values) or type(value.get("destroyed", False)) is not bool:
            raise rows.invalid(name, self.file)

    # ------------------------------------------------------------- entries

    def _dots(self, key: str, value: Any) -> int:
        trait = self.ruleset.layout.trait(key)
        if trait.category is Category.FACT and not trait.own:
            # Rules look such numbers up in tables.
            return self._number(key, value, trait.minimum, trait.maximum)
        return self._number(key, value, 0, max(MOST_OWN_DOTS if trait.own else MOST_DOTS, trait.maximum))

    def _points(self, key: str, value: Any) -> int:
        return self._number(key, value, 0, MOST_POINTS)

    def _detail(self, key: str, value: Any) -> str:
        return self._text(key, value, LONGEST_TEXT)

    def _specialties(self, key: str, value: Any) -> list[str]:
        return self.lines(key, value, MOST_SPECIALTIES)

    def _listed(self, key: str, value: Any) -> list[list[Any]]:
        found = self._typed(key, value, list)
        most = max([MOST_DOTS, *(each.most for each in self.ruleset.layout.lists if each.key == key)])
        if len(found) > MOST_IN_LIST or any(not isinstance(each, list) or len(each) != 2 for each in found):
            raise rows.invalid(key, self.file)
        return [[self._line(key, name), self._number(key, dots, 0, most)] for name, dots in found]

    # ------------------------------------------------------------- whole columns

    def _name(self, name: str, value: Any) -> str:
        return self._line(name, value, most=NAME_LENGTH)

    def _concept(self, name: str, value: Any) -> str:
        return self._line(name, value, most=NAME_LENGTH, empty=True)

    def _kind(self, name: str, value: Any) -> str:
        return self._line(name, value, most=30)

    def _merits(self, name: str, value: Any) -> list[str]:
        return self.lines(name, value, MOST_MERITS)

    def _marks(self, name: str, value: Any) -> list[str]:
        found = self._typed(name, value, list)
        if len(found) > MOST_MARKS or any(each not in DAMAGES for each in found):
            raise rows.invalid(name, self.file)
        if found and self.ruleset.health.one_by_one:
            raise rows.invalid(name, self.file)
        marks: list[str] = found
        grave = [Damage(each).severity for each in marks]
        if grave != sorted(grave, reverse=True):
            raise rows.invalid(name, self.file)
        return marks

    def _injuries(self, name: str, value: Any) -> list[dict[str, Any]]:
        found = self._records(name, value, Injury)
        if [each["level"] for each in found] != sorted((each["level"] for each in found), reverse=True):
            raise rows.invalid(name, self.file)
        return found

    def _scars(self, name: str, value: Any) -> list[dict[str, Any]]:
        return self._records(name, value, Scar)

    def _impairments(self, name: str, value: Any) -> list[dict[str, Any]]:
        return self._records(name, value, Impairment)

    def _lasting(self, name: str, value: Any) -> list[dict[str, Any]]:
        found = self._records(name, value, Lasting)
        if len({each["condition"] for each in found}) < len(found):
            raise rows.invalid(name, self.file)
        return found

    def _records(self, name: str, value: Any, model: type[Any]) -> list[dict[str, Any]]:
        """A list of the fields of one of the rules' types."""
        found = self._typed(name, value, list)
        if len(found) > MOST_WOUNDS or any(not isinstance(each, dict) for each in found):
            raise rows.invalid(name, self.file)
        known = {each.name: each.default is MISSING for each in fields(model)}
        checked = []
        for each in found:
            if not each.keys() <= known.keys() or any(must and key not in each for key, must in known.items()):
                raise rows.invalid(name, self.file)
            checked.append({key: self._part(name, key, part) for key, part in each.items()})
        return checked

    def _part(self, name: str, key: str, value: Any) -> Any:
        if key == "level":
            kept = self.ruleset.health.one_by_one
            if kept is None:
                raise rows.invalid(name, self.file)
            return self._number(name, value, 1, kept.most_level)
        if key in ("turn", "left", "until"):
            return self._number(name, value, 0, MOST_TURNS)
        if key == "type" and value not in DAMAGES:
            raise rows.invalid(name, self.file)
        if key == "condition":
            return self._line(name, value)
        text = self._text(name, value, LONGEST_WHY)
        return self.new.text(text) if key in ("fight", "resolution") else text

    # ------------------------------------------------------------- plain values

    def _typed(self, name: str, value: Any, kind: type[Any]) -> Any:
        if type(value) is not kind:
            raise rows.invalid(name, self.file)
        return value

    def _number(self, name: str, value: Any, least: int, most: int) -> int:
        if type(value) is not int or not least <= value <= most:
            raise rows.invalid(name, self.file)
        return value

    def _text(self, name: str, value: Any, most: int) -> str:
        if not isinstance(value, str) or len(value) > most:
            raise rows.invalid(name, self.file)
        return value

    def _line(self, name: str, value: Any, *, most: int = 200, empty: bool = False) -> str:
        text = self._text(name, value, most)
        if text != printable(text) or any(each in text for each in "\r\n\t") or not (text or empty):
            raise rows.invalid(name, self.file)
        return text

    _entries = {
        "traits": _dots,
        "resources": _points,
        "details": _detail,
        "specialties": _specialties,
        "lists": _listed,
    }
    _whole = {
        "name": _name,
        "kind": _kind,
        "concept": _concept,
        "merits": _merits,
        "marks": _marks,
        "injuries": _injuries,
        "scars": _scars,
        "impairments": _impairments,
        "lasting": _lasting,
    }
