"""Characters, what they carry, and the tables of weapons and armour."""

from characters.models.changes import Cause, SheetChange
from characters.models.characters import CarriedWeapon, Character, WornArmor
from characters.models.experience import DeclinedProposal, EntryKind, ExperienceEntry, Ledger, Step
from characters.models.gear import Armor, Gear, ShippedTable, Weapon
from characters.models.portraits import Portrait
from characters.models.templates import Template

__all__ = [
    "Armor",
    "CarriedWeapon",
    "Cause",
    "Character",
    "DeclinedProposal",
    "EntryKind",
    "ExperienceEntry",
    "Gear",
    "Ledger",
    "Portrait",
    "SheetChange",
    "ShippedTable",
    "Step",
    "Template",
    "Weapon",
    "WornArmor",
]
