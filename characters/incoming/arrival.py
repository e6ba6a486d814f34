"""What a file brings: a character that isn't saved yet, and an account of what was understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from campaigns.models import Chronicle, Membership
from characters.models import Armor, Weapon
from characters.services import SheetData


class BadFile(Exception):
    """A file can't be read; the message is a sentence for the reader."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who brings a file in, and where."""

    by: Membership

    @property
    def chronicle(self) -> Chronicle:
        return self.by.chronicle

    @property
    def may_make_gear(self) -> bool:
        """Whether weapons and armour that the tables lack become the chronicle's own."""
        return self.by.is_storyteller


@dataclass(frozen=True, slots=True)
class Recognised:
    """Something that the sheet gets: its label, what it is there, and what was changed, if anything."""

    label: str
    text: str
    warning: str = ""


@dataclass(frozen=True, slots=True)
class BroughtWeapon:
    """A weapon to carry. A row without a primary key is made first."""

    row: Weapon
    name: str = ""
    rounds: int | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class BroughtArmor:
    """Armour to wear. A row without a primary key is made first."""

    row: Armor
    name: str = ""
    destroyed: bool = False


@dataclass(frozen=True, slots=True)
class Arrival:
    """A character from a file. ``sheet`` is valid as it is, without gear.

    ``noted`` is what wasn't understood and is in the notes, a line each; ``left_out`` what doesn't fit there.
    ``source`` says where the file is from, for the history.
    """

    sheet: SheetData
    source: str
    recognised: tuple[Recognised, ...] = ()
    noted: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    weapons: tuple[BroughtWeapon, ...] = ()
    armor: tuple[BroughtArmor, ...] = ()
    portrait: bytes | None = field(default=None, repr=False)

    @property
    def makes(self) -> Sequence[Weapon | Armor]:
        """The rows of the tables that have to be made, each once."""
        rows: list[Weapon | Armor] = [each.row for each in self.weapons]
        rows += [each.row for each in self.armor]
        return list({id(row): row for row in rows if row.pk is None}.values())
